package crawl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/decisions"
)

// What was dropped while no process had the workspace open is there after the opening, also after a kill between
// the log and the removal of the file. A damaged file is set aside and stops no other.
func TestDroppedProposalsAreTakenIn(t *testing.T) {
	dir := t.TempDir()
	b := openDemo(t, dir, crawl.Options{By: "wang"})
	must(t, b.Close())
	box := filepath.Join(dir, "proposals")
	p := decisions.Proposal{Kind: decisions.ProposeSeed, URL: "http://new.example.com/list.html", Reason: "buys", By: "claude"}
	drop := func() {
		t.Helper()
		must(t, decisions.DropProposal(dir, p))
	}
	drop()
	for name, text := range map[string]string{"0.json": "{damaged", "1.json": strings.Repeat(" ", 1<<20), "zz.json": `{"kind":"label","page":99999}`} {
		must(t, os.WriteFile(filepath.Join(box, name), []byte(text), 0o600))
	}
	b = openDemo(t, dir, crawl.Options{By: "wang"})
	emptied := func() bool {
		files, err := filepath.Glob(filepath.Join(box, "*.json"))
		return err == nil && len(files) == 0
	}
	waitFor(t, "the drop box is empty", emptied)
	if list := b.Topic.Proposals(); len(list) != 1 || list[0].URL != p.URL || list[0].By != "claude" {
		t.Errorf("%+v", list)
	}
	aside, err := filepath.Glob(filepath.Join(box, "damaged", "*.json"))
	if err != nil || len(aside) != 2 {
		t.Errorf("set aside: %q, %v", aside, err)
	}
	for _, part := range []string{"set aside", "more than 65536 bytes", "was refused"} {
		waitFor(t, "a note says "+part, func() bool { return strings.Contains(fmt.Sprint(b.Snapshot().Events), part) })
	}
	drop() // as if the file had not been removed
	waitFor(t, "the drop box is empty again", emptied)
	must(t, b.Close())
	b = openDemo(t, dir, crawl.Options{By: "wang"})
	if list := b.Topic.Proposals(); len(list) != 1 {
		t.Errorf("after the restart: %+v", list)
	}
	pane, err := b.Seeds.SeedProposals("open")
	if err != nil || len(pane) == 0 || !strings.Contains(pane[len(pane)-1].Why, "proposed by claude: buys") {
		t.Errorf("%+v, %v", pane, err)
	}
}

// At most MaxWaiting proposals wait; the next is refused, and one in the drop box stays there.
func TestProposalsAreBounded(t *testing.T) {
	dir := t.TempDir()
	b := openDemo(t, dir, crawl.Options{By: "wang"})
	agent := b.As(auth.Actor{Name: "claude", Role: auth.Analyst, Remote: true})
	seed := func(i int) decisions.Proposal {
		return decisions.Proposal{Kind: decisions.ProposeSeed, URL: fmt.Sprintf("http://n%d.example.com/", i), Reason: "x"}
	}
	for i := range decisions.MaxWaiting {
		must(t, agent.Topic.ProposeDecision(seed(i)))
	}
	err := agent.Topic.ProposeDecision(seed(decisions.MaxWaiting))
	if err == nil || !strings.Contains(err.Error(), "500 proposals wait") {
		t.Errorf("one more: %v", err)
	}
	if err := agent.Topic.ProposeDecision(seed(7)); err != nil {
		t.Errorf("one that waits: %v", err)
	}
	must(t, decisions.DropProposal(dir, seed(decisions.MaxWaiting)))
	waitFor(t, "a note says why", func() bool {
		return strings.Contains(fmt.Sprint(b.Snapshot().Events), "500 proposals wait, which is the most")
	})
	must(t, b.Topic.RefuseProposal(b.Topic.Proposals()[0].Key()))
	waitFor(t, "the dropped one is taken in", func() bool {
		list := b.Topic.Proposals()
		return len(list) == decisions.MaxWaiting && list[len(list)-1].URL == seed(decisions.MaxWaiting).URL
	})
	viewer := b.As(auth.Actor{Name: "li", Role: auth.Viewer})
	if viewer.Topic.ProposeDecision(seed(1000)) == nil || len(viewer.Topic.Proposals()) != decisions.MaxWaiting {
		t.Error("a viewer proposes, or does not see the proposals")
	}
}
