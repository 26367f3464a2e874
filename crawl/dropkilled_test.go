//go:build unix

package crawl_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/decisions"
)

// dropVar names the workspace into which a child of the test binary drops proposals until it is killed.
const dropVar = "ANGLER_TEST_DROP"

// A process that is killed (SIGKILL) while it drops proposals loses none that it has accepted, and leaves no file that
// is taken for a proposal.
func TestKilledWhileDroppingProposals(t *testing.T) {
	if dir := os.Getenv(dropVar); dir != "" {
		for i := range 60 { // eight children drop fewer than the box holds
			p := decisions.Proposal{Kind: decisions.ProposeSeed, URL: fmt.Sprintf("http://p%d-%d.example.com/", os.Getpid(), i),
				Reason: strings.Repeat("采", 500), By: "claude"}
			if err := decisions.DropProposal(dir, p); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println("accepted", p.URL)
		}
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		os.Exit(1)
	}
	dir := t.TempDir()
	b := openDemo(t, dir, crawl.Options{By: "wang"})
	must(t, b.Close())
	var accepted []string
	for round := range 8 {
		child := exec.Command(os.Args[0], "-test.run", "^TestKilledWhileDroppingProposals$")
		child.Env = append(os.Environ(), dropVar+"="+dir)
		out, err := child.StdoutPipe()
		must(t, err)
		in, err := child.StdinPipe()
		must(t, err)
		defer in.Close()
		must(t, child.Start())
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			url, ok := strings.CutPrefix(lines.Text(), "accepted ")
			if !ok {
				t.Error(lines.Text())
			}
			accepted = append(accepted, url)
			if n == round { // what the child has accepted by then follows
				if err := child.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := child.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Errorf("the child was not killed: %v", err)
		}
	}
	b = openDemo(t, dir, crawl.Options{By: "wang"})
	waitFor(t, "the drop box is empty", func() bool {
		files, err := filepath.Glob(filepath.Join(dir, "proposals", "[A-Z0-9]*.json")) // others are half written
		return err == nil && len(files) == 0
	})
	var waiting []string
	for _, p := range b.Topic.Proposals() {
		waiting = append(waiting, p.URL)
	}
	for _, url := range accepted {
		if !slices.Contains(waiting, url) {
			t.Errorf("%s was accepted and is lost", url)
		}
	}
	if len(accepted) < 8*9/2 || len(waiting) > decisions.MaxWaiting {
		t.Errorf("%d were accepted, %d wait", len(accepted), len(waiting))
	}
	if aside, err := filepath.Glob(filepath.Join(dir, "proposals", "damaged", "*")); err != nil || len(aside) > 0 {
		t.Errorf("half files were set aside: %q, %v", aside, err)
	}
	if said := fmt.Sprint(b.Snapshot().Events); strings.Contains(said, "set aside") {
		t.Error(said)
	}
}
