//go:build unix

package tuitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

// Path is the path of the built program, set by testProgram.
var Path string

// binary is the environment variable with the path of a built program.
const binary = "ANGLER_BINARY"

// testProgram runs the tests of a package with the program and ends the process with their status.
// It uses the program in ANGLER_BINARY, or builds one. Call it in TestMain.
func testProgram(m *testing.M) {
	dir, err := os.MkdirTemp("", "angler-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	Path = filepath.Join(dir, "angler")
	if from := os.Getenv(binary); from != "" {
		err = take(from)
	} else if out, failed := exec.Command("go", "build", "-o", Path, "angler").CombinedOutput(); failed != nil {
		err = fmt.Errorf("cannot build angler: %w\n%s", failed, out)
	}
	// The program's user data belong to the test. Set this after the build, whose cache is there, too.
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		os.Setenv(k, filepath.Join(dir, k))
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// take makes a built program available as Path, by which tests recognise their processes: as a
// link, or as a copy.
func take(from string) error {
	if os.Link(from, Path) == nil {
		return nil
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("%s names no program: %w", binary, err)
	}
	return os.WriteFile(Path, b, 0o755)
}

// Result is the result of one call of the program.
type Result struct {
	Out, Err string
	Status   int
}

// Run calls the program and accepts any result.
func Run(t testing.TB, args ...string) Result {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(Path, args...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return Result{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// Must calls the program and fails the test unless it succeeds.
func Must(t testing.TB, args ...string) Result {
	t.Helper()
	r := Run(t, args...)
	if r.Status != 0 {
		t.Fatalf("angler %s: status %d\n%s", strings.Join(args, " "), r.Status, r.Err)
	}
	return r
}

// expect calls the program and expects a status and a text on standard error.
func expect(t testing.TB, status int, says string, args ...string) {
	t.Helper()
	if r := Run(t, args...); r.Status != status || !strings.Contains(r.Err, says) {
		t.Errorf("angler %s: status %d, want %d; said %q, want %q", strings.Join(args, " "), r.Status, status, r.Err, says)
	}
}

// Lines decodes JSON lines.
func Lines[T any](t testing.TB, s string) []T {
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

// Serve serves a synthetic web as a forward proxy on loopback.
func Serve(t testing.TB, o webtest.Options) (*webtest.Web, *webtest.Server) {
	t.Helper()
	web, err := webtest.Demo(o)
	must(t, err)
	server, err := webtest.Serve(web)
	must(t, err)
	t.Cleanup(func() { server.Close() })
	return web, server
}

// Workspace makes a workspace for a web.
func Workspace(t testing.TB, web *webtest.Web) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	args := []string{"new", dir}
	for _, s := range web.Seeds() {
		args = append(args, "--seed", s)
	}
	Must(t, args...)
	return dir
}

// crawled is a workspace for a synthetic web behind a proxy on loopback.
type crawled struct {
	t      testing.TB
	web    *webtest.Web
	server *webtest.Server
	dir    string
	proxy  []string // the flags that name it
}

// newCrawl makes a workspace for a new web.
func newCrawl(t testing.TB, o webtest.Options) *crawled {
	t.Helper()
	web, server := Serve(t, o)
	return &crawled{t, web, server, Workspace(t, web), []string{"--proxy", server.ProxyURL().String()}}
}

// again makes another workspace for the same web.
func (x *crawled) again() *crawled {
	other := *x
	other.dir = Workspace(x.t, x.web)
	return &other
}

// run runs a task of the workspace through the proxy, without pauses.
func (x *crawled) run(task string, more ...string) Result {
	x.t.Helper()
	return Must(x.t, slices.Concat([]string{task, x.dir, "--delay", "0"}, x.proxy, more)...)
}

// sample makes samples of addresses.
func (x *crawled) sample(urls ...string) {
	x.t.Helper()
	Must(x.t, slices.Concat([]string{"samples", "add", x.dir}, urls, x.proxy)...)
}

// Apart leaves notices to the harvest.
func Apart(t testing.TB, dir string) {
	t.Helper()
	Set(t, dir, "\nshare = 0.5\n", "\nshare = 0.0\n")
}

// Set replaces a line of a workspace's settings; it fails the test if the line is missing.
func Set(t testing.TB, dir, was, is string) {
	t.Helper()
	path := filepath.Join(dir, "angler.toml")
	b, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Contains(b, []byte(was)) {
		t.Fatalf("no %q in %s", was, b)
	}
	if err := os.WriteFile(path, bytes.Replace(b, []byte(was), []byte(is), 1), 0o600); err != nil { // it keeps its mode
		t.Fatal(err)
	}
}

// Page is what tests read of an exported row.
type Page struct {
	URL string `json:"url"`
}

// Addresses returns the addresses of an export, sorted.
func Addresses(t testing.TB, dir, what string) []string {
	t.Helper()
	var urls []string
	for _, p := range Lines[Page](t, Must(t, "export", dir, what).Out) {
		urls = append(urls, p.URL)
	}
	slices.Sort(urls)
	return urls
}

// Missing returns the elements of a sorted list that another one lacks.
func Missing(texts, others []string) []string {
	var out []string
	for _, x := range texts {
		if _, ok := slices.BinarySearch(others, x); !ok {
			out = append(out, x)
		}
	}
	return out
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
