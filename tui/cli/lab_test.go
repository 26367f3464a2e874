package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/lab"
	"angler/crawl/run"
	"angler/crawl/webtest"
)

// call runs a command line and returns what it printed and its error. Line is split at spaces; args
// follow it as they are.
func call(t *testing.T, line string, args ...string) (out, progress string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	root := tree()
	root.SetOut(&o)
	root.SetErr(&e)
	err = execute(t.Context(), root, append(strings.Fields(line), args...))
	return o.String(), e.String(), err
}

// done is call of a command that succeeds, and returns its output.
func done(t *testing.T, line string, args ...string) string {
	t.Helper()
	out, said, err := call(t, line, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, said)
	}
	return out
}

// holds fails the test unless an output holds every text.
func holds(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
}

// refused fails the test unless a command fails with an error that holds want.
func refused(t *testing.T, want, line string, args ...string) error {
	t.Helper()
	_, _, err := call(t, line, args...)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s %q: %v, want %q", line, args, err, want)
	}
	return err
}

// misused is refused for a misuse.
func misused(t *testing.T, want, line string, args ...string) {
	t.Helper()
	var wrong *misuseError
	if err := refused(t, want, line, args...); !errors.As(err, &wrong) {
		t.Errorf("%s %q: %v is no misuse", line, args, err)
	}
}

// stored is the folder of a workspace with some pages of the demo web.
func stored(t *testing.T, pages int) string {
	t.Helper()
	material, err := webtest.FindMaterial()
	must(t, err)
	dir := filepath.Join(t.TempDir(), "ws")
	b, err := demo.Open(context.Background(), material, dir, crawl.Options{})
	must(t, err)
	for _, u := range b.TenderLists(3) {
		if _, err := b.Topic.AddSample(context.Background(), u, ""); err != nil {
			t.Fatal(err)
		}
	}
	_, err = b.Runs.Discover(context.Background(), run.Options{MaxPages: pages})
	must(t, errors.Join(err, b.Close()))
	return dir
}

func TestLab(t *testing.T) {
	dir := stored(t, 150)
	t.Run("JSON", func(t *testing.T) {
		const line = "lab --strategies bfs,learned,oracle --target lists --draws 2 --json"
		out, told, err := call(t, line, dir)
		must(t, err)
		if !strings.Contains(told, "targets within reach") {
			t.Errorf("standard error: %q", told)
		}
		dec := json.NewDecoder(strings.NewReader(out))
		var got []string
		for dec.More() {
			var r struct {
				Strategy    string
				Targets     int
				Fetched     int
				Curve       [][2]float64
				RecallAt    map[string]float64 `json:"recall_at"`
				FractionFor map[string]float64 `json:"fraction_for"`
				Position    lab.Spread
			}
			must(t, dec.Decode(&r))
			got = append(got, r.Strategy)
			if end := r.Curve[len(r.Curve)-1]; end != [2]float64{float64(r.Fetched), float64(r.Targets)} {
				t.Errorf("%s: the curve ends at %v after %d pages and %d targets", r.Strategy, end, r.Fetched, r.Targets)
			}
			if r.Targets == 0 || r.FractionFor["0.5"] > r.FractionFor["0.9"] || r.RecallAt["0.1"] > r.RecallAt["0.5"] {
				t.Errorf("%+v", r)
			}
			if r.Strategy == "oracle" && r.Position.Min != 1 {
				t.Errorf("the oracle stands at %v", r.Position)
			}
		}
		if strings.Join(got, " ") != "bfs learned oracle" {
			t.Errorf("rows: %v", got)
		}
	})
	t.Run("table and chart", func(t *testing.T) {
		out := done(t, "lab --strategies bfs,linear --target lists --draws 1 --ascii", dir)
		holds(t, out, "position", "90 %", "bfs", "linear", " a bfs  b linear", "100 % |", "  0 % +---")
		if i := strings.IndexFunc(out, func(r rune) bool { return r > 126 }); i >= 0 {
			t.Errorf("not ASCII: %q", out[i:min(len(out), i+20)])
		}
	})
	t.Run("no target", func(t *testing.T) {
		_, _, err := call(t, "lab --target url:nosuchpage", dir)
		if wrong := new(misuseError); err == nil || errors.As(err, &wrong) ||
			!strings.Contains(err.Error(), "no stored page is a target") {
			t.Errorf("error %v", err)
		}
	})
}

func TestLabMisuse(t *testing.T) {
	for _, c := range []struct {
		args, want string
	}{
		{"--strategies bfs,magic", "magic"}, {"--strategies bfs,bfs", "twice"},
		{"--target pages", "choose one of"}, {"--target url:(", "url:("},
		{"--draws 0", "draws 0"}, {"--samples -1", "samples -1"},
		{"--verdict mine", "judge or target"}, {"x y", "usage"},
	} {
		t.Run(c.args, func(t *testing.T) {
			// The folder does not exist: misuse is reported before it is opened.
			misused(t, c.want, "lab "+c.args, filepath.Join(t.TempDir(), "nowhere"))
		})
	}
}
