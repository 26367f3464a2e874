package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// hostile is a name or a reason as a misled assistant may send it: control sequences, a change of direction, and the
// place of a key.
const hostile = "\x1b[2J\x1b]52;c;YQ==\x07\u202e助手{discovery}"

// proposedLabels lets an assistant propose labels of n pages without one, and returns the pages.
func proposedLabels(t *testing.T, e *demo.Engine, n int) (pages []uint64) {
	t.Helper()
	agent := e.As(auth.Actor{Name: decisions.AgentName(hostile + strings.Repeat("很长的名字", 20)), Role: auth.Analyst, Remote: true})
	rows, err := e.Pages.Candidates(t.Context())
	must(t, err)
	for _, r := range rows {
		if len(pages) == n {
			return pages
		}
		if r.Label != topic.NoLabel || r.Sample || r.Negative {
			continue
		}
		p := decisions.Proposal{Kind: decisions.ProposeLabel, Page: r.ID, Label: topic.Yes,
			Reason: fmt.Sprintf("第%d个理由", len(pages)+1) + hostile + strings.Repeat("，列出招标公告", 40)}
		must(t, agent.Topic.ProposeDecision(p))
		pages = append(pages, r.ID)
	}
	t.Fatalf("%d pages have no label, want %d", len(pages), n)
	return nil
}

// A person reads proposals of a hostile assistant, accepts one, takes that back, and refuses one. The list cuts
// reasons and names; the answers stand over both in full.
func TestAnsweringProposals(t *testing.T) {
	for _, c := range []struct {
		lang, home, title, label, accept, refuse, none string
		w                                              int
	}{
		{"en", "2 proposed by assistants", "proposals of assistants", "label yes: ", "accept the proposal", "refuse the proposal", "no assistant proposes anything", 120},
		{"zh", "助手提议 2 项", "助手的提议", "标注是：", "接受提议", "谢绝提议", "没有助手的提议", 80},
	} {
		t.Run(c.lang, func(t *testing.T) {
			e := tuitest.Open(t, tuitest.Sampled)
			d := driveIn(t, c.lang, screen.PartsOf(e.Engine), c.w, 24)
			d.press("6", "o")
			d.shows(c.none)
			pages := proposedLabels(t, e, 2)
			label := func(i int) topic.Label { return tuitest.Row(t, e, pages[i]).Label }
			d.press("0")
			d.comes(c.home)
			d.press("6", "o")
			d.shows(c.title, "助手{discovery}… ")
			for _, p := range e.Topic.Proposals() {
				d.shows(c.label + p.Title + " · 第")
			}
			if s := d.a.View(); strings.ContainsAny(s, "\a\u202e") || strings.Contains(s, "\x1b[2J") || strings.Contains(s, "\x1b]52") {
				t.Errorf("the list writes control sequences: %q", s)
			}
			d.press("enter")
			d.shows(c.accept, c.refuse, "第1个理由助手{discovery}，")
			for _, whole := range []string{e.Topic.Proposals()[0].Reason, e.Topic.Proposals()[0].By} {
				lines := widget.Wrap(whole, 64, 20)
				if d.shows(lines...); strings.Join(lines, "") != whole {
					t.Errorf("%q shows as %q", whole, lines)
				}
			}
			d.press("enter")
			if l := label(0); l != topic.Yes || len(e.Topic.Proposals()) != 1 {
				t.Errorf("accepted: label %q, %d wait", l, len(e.Topic.Proposals()))
			}
			d.press("u")
			if l := label(0); l != topic.NoLabel || len(e.Topic.Proposals()) != 2 {
				t.Errorf("taken back: label %q, %d wait", l, len(e.Topic.Proposals()))
			}
			d.press("o", "down", "enter", "down", "enter")
			if list := e.Topic.Proposals(); len(list) != 1 || list[0].Page != pages[0] || label(1) != topic.NoLabel {
				t.Errorf("refused: %+v, label %q", list, label(1))
			}
			d.press("0")
			d.comes(strings.Replace(c.home, "2", "1", 1))
		})
	}
}

// A viewer reads what waits and may not answer it; only an admin accepts a seed.
func TestWhoAnswersProposals(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	proposedLabels(t, e, 1)
	seed := decisions.Proposal{Kind: decisions.ProposeSeed, URL: "http://new.example.com/", Reason: "buys"}
	must(t, e.As(auth.Actor{Name: "claude", Role: auth.Analyst, Remote: true}).Topic.ProposeDecision(seed))
	d := workbench(t, e, 120, 40)
	for _, c := range []struct {
		role auth.Role
		keys []string // after o
		says string
		wait int
	}{
		{auth.Viewer, []string{"enter", "enter"}, "role=analyst", 2},
		{auth.Viewer, []string{"enter", "down", "enter"}, "role=analyst", 2},
		{auth.Analyst, []string{"down", "enter", "enter"}, "role=admin", 2},
		{auth.Analyst, []string{"enter", "enter"}, "", 1},
		{auth.Admin, []string{"enter", "enter"}, "", 0},
	} {
		d.asOf(e, "zhou", c.role)
		d.press("6", "o")
		d.press(c.keys...)
		if d.shows(c.says); len(e.Topic.Proposals()) != c.wait {
			t.Errorf("%s pressing %q: %d proposals wait, want %d", c.role, c.keys, len(e.Topic.Proposals()), c.wait)
		}
		if c.says != "" {
			d.press("esc")
		}
	}
	if !slices.Contains(e.Set().Seeds, seed.URL) {
		t.Errorf("the accepted seed is not among %q", e.Set().Seeds)
	}
}
