//go:build unix

// Package e2e drives the built program as its users do: on the command line,
// with a kill in the middle, and in a real terminal.
package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "angler-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "angler")
	out, err := exec.Command("go", "build", "-o", binary, "angler").CombinedOutput()
	// What the program remembers of its user belongs to the test. Not before the
	// build, whose cache lies there, too.
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		os.Setenv(k, filepath.Join(dir, k))
	}
	code := 1
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot build angler: %v\n%s", err, out)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// result is what one call of the program did.
type result struct {
	out, err string
	status   int
}

func angler(t testing.TB, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(binary, args...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// must calls the program and fails the test unless it succeeds.
func must(t testing.TB, args ...string) result {
	t.Helper()
	r := angler(t, args...)
	if r.status != 0 {
		t.Fatalf("angler %s: status %d\n%s", strings.Join(args, " "), r.status, r.err)
	}
	return r
}

// lines decodes JSON lines.
func lines[T any](t testing.TB, s string) []T {
	t.Helper()
	var rows []T
	for dec := json.NewDecoder(strings.NewReader(s)); dec.More(); {
		var row T
		if err := dec.Decode(&row); err != nil {
			t.Fatalf("%v in %q", err, s)
		}
		rows = append(rows, row)
	}
	return rows
}

// serve serves a synthetic web as a forward proxy on loopback.
func serve(t testing.TB, o webtest.Options) (*webtest.Web, *webtest.Server) {
	t.Helper()
	web, err := webtest.Demo(o)
	if err != nil {
		t.Fatal(err)
	}
	server, err := webtest.Serve(web)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return web, server
}

// workspace makes one for a web.
func workspace(t testing.TB, web *webtest.Web) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	args := []string{"new", dir}
	for _, s := range web.Seeds() {
		args = append(args, "--seed", s)
	}
	must(t, args...)
	return dir
}

// apart has discoveries of a workspace leave notices to the harvest.
func apart(t testing.TB, dir string) {
	t.Helper()
	path := filepath.Join(dir, "angler.toml")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set := strings.Replace(string(b), "\nshare = 0.5\n", "\nshare = 0.0\n", 1)
	if set == string(b) {
		t.Fatal("angler.toml has no harvest.share of 0.5")
	}
	if err := os.WriteFile(path, []byte(set), 0o600); err != nil {
		t.Fatal(err)
	}
}
