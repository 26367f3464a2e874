//go:build unix && heavy

package tuitest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
)

func countLines(t *testing.T, path string) int {
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

// TestWindowClosed closes the tmux window during a discovery and during a harvest. The final
// workspace must equal an undisturbed one.
func TestWindowClosed(t *testing.T) {
	calm := newCrawl(t, webtest.Options{})
	torn := calm.again()
	for _, x := range []*crawled{calm, torn} {
		Apart(t, x.dir)
		x.sample(demo.TenderLists(x.web, 3)...)
	}
	for _, task := range []string{"crawl", "harvest"} {
		calm.run(task)
		out := filepath.Join(t.TempDir(), "rows")
		command := slices.Concat([]string{Path, task, torn.dir, "--delay", "0", "--json", "--workers", "2"}, torn.proxy)
		x := startTerminal(t, 100, 30, strings.Join(command, " ")+" > "+out)
		eventually(t, "the "+task+" is under way", func() bool { return countLines(t, out) >= 20 })
		x.tmux("kill-window", "-t", "a")
		closed(t, torn.dir)
		torn.run(task)
		for _, what := range []string{"pages", "aggregations", "notices"} {
			want, got := Addresses(t, calm.dir, what), Addresses(t, torn.dir, what)
			if missing, extra := Missing(want, got), Missing(got, want); what == "pages" && len(got) == 0 || len(missing)+len(extra) > 0 {
				t.Errorf("%s after a %s in a window that was closed: %d, undisturbed %d; missing %.5q, extra %.5q", what, task, len(got), len(want), missing, extra)
			}
			t.Logf("%s, closed after %d rows: %d %s, undisturbed %d", task, countLines(t, out), len(got), what, len(want))
		}
	}
}

// TestReaderLeaves: a command whose output loses its reader ends silently and cleanly.
func TestReaderLeaves(t *testing.T) {
	web, server := Serve(t, webtest.Options{})
	dir := Workspace(t, web)
	crawl := []string{"crawl", dir, "--proxy", server.ProxyURL().String(), "--delay", "0", "--json"}
	for _, args := range [][]string{crawl, {"export", dir, "links"}} {
		t.Run(args[0], func(t *testing.T) {
			if args[0] == "export" {
				Must(t, crawl...) // more links than a pipe holds
			}
			c := exec.Command(Path, args...)
			out, err := c.StdoutPipe()
			must(t, err)
			var said strings.Builder
			c.Stderr = &said
			must(t, c.Start())
			if line, err := bufio.NewReaderSize(out, 16).ReadString('}'); err != nil {
				t.Fatalf("%v after %q", err, line)
			}
			must(t, out.Close())
			_ = c.Wait() // its status is checked
			if status := c.ProcessState.ExitCode(); status != 141 || strings.Contains(said.String(), "angler:") {
				t.Errorf("status %d, said %q", status, said.String())
			}
			closed(t, dir)
		})
	}
}
