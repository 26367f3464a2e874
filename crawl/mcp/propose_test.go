package mcp

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/store"
	"angler/topic"
)

// arrived waits until the workbench has so many proposals.
func arrived(t *testing.T, e *crawl.Engine, n int) []decisions.Proposal {
	t.Helper()
	snaps, end := e.Subscribe()
	defer end()
	for range snaps {
		if list := e.Topic.Proposals(); len(list) == n {
			return list
		}
	}
	t.Fatalf("%d proposals arrived, want %d", len(e.Topic.Proposals()), n)
	return nil
}

// An assistant beside an open workbench proposes; a person accepts, undoes and refuses.
func TestProposalsReachTheWorkbench(t *testing.T) {
	b, s := beside(t)
	rows, err := b.Pages.Candidates(t.Context())
	must(t, err)
	rows = slices.DeleteFunc(rows, func(r query.CandidateRow) bool { return r.Sample || r.Negative })
	page, other := rows[0], rows[1]
	c, _ := named(t, s, true, "claude\x1b[2J\u202e "+strings.Repeat("x", 1000))
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 11 {
		t.Fatalf("%d tools, %v", len(tools.Tools), err)
	}
	const seed = "http://new.example.com/list.html"
	got := call[api.Proposed](t, c, "propose_label", map[string]any{"url": page.URL, "aggregation_page": true,
		"reason": "a list\x1b[31m of tenders\nwith dates"})
	if got.URL != page.URL || !strings.Contains(got.State, "workbench") {
		t.Errorf("%+v", got)
	}
	call[api.Proposed](t, c, "propose_label", map[string]any{"id": page.ID, "aggregation_page": true, "reason": "again"})
	call[api.Proposed](t, c, "propose_sample", map[string]any{"id": other.ID, "reason": "typical"})
	call[api.Proposed](t, c, "propose_seed", map[string]any{"url": seed, "reason": "a purchasing office"})
	list := arrived(t, b.Engine, 3)
	for _, p := range list {
		if !strings.HasPrefix(p.By, "claude xxx") || len(p.By) != 60 || strings.ContainsAny(p.Reason, "\x1b\n") {
			t.Errorf("%+v", p)
		}
	}
	state := func() (label topic.Label, sample bool, seeds int) {
		_, sample = sampleOf(b.Engine, other.URL)
		pages, err := b.Pages.Pages(t.Context(), []uint64{page.ID})
		if err != nil || len(pages) != 1 {
			t.Fatal(pages, err)
		}
		return pages[0].Label, sample, len(b.Set().Seeds)
	}
	label, sample, seeds := state()
	if label != topic.NoLabel || sample {
		t.Fatalf("a proposal is in force: %q, %v", label, sample)
	}
	viewer := b.As(auth.Actor{Name: "li", Role: auth.Viewer})
	for i := range list {
		if viewer.Topic.AcceptProposal(list[i].Key()) == nil || viewer.Topic.RefuseProposal(list[i].Key()) == nil {
			t.Errorf("a viewer answers %s", list[i].Key())
		}
		must(t, b.Topic.AcceptProposal(list[i].Key()))
	}
	if l, s, n := state(); l != topic.Yes || !s || n != seeds+1 || !slices.Contains(b.Set().Seeds, seed) {
		t.Errorf("accepted: %q %v %d seeds", l, s, n)
	}
	if n := len(b.Topic.Proposals()); n != 0 {
		t.Errorf("%d proposals wait after all were accepted", n)
	}
	refuses(t, c, "propose_seed", map[string]any{"url": "http://127.0.0.1/", "reason": "x"}, "public internet")
	for range list {
		if _, err := b.Topic.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if l, s, n := state(); l != topic.NoLabel || s || n != seeds {
		t.Errorf("undone: %q %v %d seeds", l, s, n)
	}
	if n := len(b.Topic.Proposals()); n != 3 {
		t.Fatalf("%d proposals wait again", n)
	}
	for i := range list {
		must(t, b.Topic.RefuseProposal(list[i].Key()))
	}
	if l, s, n := state(); l != topic.NoLabel || s || n != seeds || len(b.Topic.Proposals()) != 0 {
		t.Errorf("refused: %q %v %d seeds", l, s, n)
	}
	if b.Topic.AcceptProposal(list[0].Key()) == nil {
		t.Error("an answered proposal was accepted")
	}
	if _, err := b.Topic.Undo(); err != nil || len(b.Topic.Proposals()) != 1 {
		t.Errorf("undo of the last refusal: %v", err)
	}
	log, err := b.Topic.Decided(100)
	must(t, err)
	asides := slices.DeleteFunc(log, func(e store.Event) bool { return !e.Aside })
	if len(asides) != 3 || !strings.HasPrefix(asides[0].By, "claude xxx") {
		t.Errorf("%d proposing events: %+v", len(asides), asides)
	}
}

// A label by hand answers the proposal for its page.
func TestALabelByHandAnswers(t *testing.T) {
	b, s := beside(t)
	rows, err := b.Pages.Candidates(t.Context())
	must(t, err)
	c, _ := named(t, s, true, "")
	call[api.Proposed](t, c, "propose_label", map[string]any{"id": rows[0].ID, "aggregation_page": false, "reason": "one notice"})
	if p := arrived(t, b.Engine, 1)[0]; p.By != "assistant" || p.Label != topic.No || p.Title == "" {
		t.Errorf("%+v", p)
	}
	if err := b.Topic.SetLabel(rows[0].ID, topic.Yes); err != nil || len(b.Topic.Proposals()) != 0 {
		t.Errorf("%d wait, %v", len(b.Topic.Proposals()), err)
	}
	if _, err := b.Topic.Undo(); err != nil || len(b.Topic.Proposals()) != 1 {
		t.Errorf("%d wait after undo, %v", len(b.Topic.Proposals()), err)
	}
}

func TestMalformedProposals(t *testing.T) {
	s := empty(t)
	c, _ := named(t, s, true, "test")
	long := strings.Repeat("x", 1<<19)
	for _, x := range []struct {
		tool, part string
		args       map[string]any
	}{
		{"propose_label", "required", map[string]any{"url": "http://a.test/", "reason": "x"}},
		{"propose_label", "reason", map[string]any{"url": "http://a.test/", "aggregation_page": true}},
		{"propose_label", "not a stored page", map[string]any{"url": "http://a.test/", "aggregation_page": true, "reason": "x"}},
		{"propose_label", "not a stored page", map[string]any{"id": 1 << 40, "aggregation_page": true, "reason": "x"}},
		{"propose_label", "type", map[string]any{"id": "seven", "aggregation_page": "yes", "reason": "x"}},
		{"propose_sample", "URL", map[string]any{"reason": "x"}},
		{"propose_sample", "524288 characters", map[string]any{"id": 1, "reason": long}},
		{"propose_seed", "sentence", map[string]any{"url": "http://b.test/", "reason": "\x00\u200b "}},
		{"propose_seed", "plainly", map[string]any{"url": "http://wang@b.test/", "reason": "x"}},
		{"propose_seed", "plainly", map[string]any{"url": "file:///etc/passwd", "reason": "x"}},
		{"propose_seed", "plainly", map[string]any{"url": "http://" + long, "reason": "x"}},
		{"propose_seed", "public internet", map[string]any{"url": "http://printer.local/", "reason": "x"}},
		{"propose_seed", "in scope", map[string]any{"url": "http://a.test/more", "reason": "x"}},
	} {
		refuses(t, c, x.tool, x.args, x.part)
	}
	if got := call[api.Proposed](t, c, "propose_seed", map[string]any{"url": "http://b.test/", "reason": "x"}); !strings.Contains(got.State, "opened") {
		t.Errorf("nothing has the workspace open: %+v", got)
	}
}

func sampleOf(e *crawl.Engine, url string) (row decisions.SampleRow, known bool) {
	for _, r := range e.Topic.Samples() {
		if r.URL == url {
			return r, true
		}
	}
	return row, false
}
