package crawl

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file acts on a branch of the tree: a host or a section, with everything below.

// branchActs are the actions on a branch.
type branchActs struct {
	*screen.UI
	*screen.Shared
	branches screen.Runs
	role     auth.Role
}

// key offers the actions on the marked branches, or the one under the cursor.
func (a *branchActs) key(list []*query.Branch) screen.Binding {
	k := screen.Bind(keymap.Act, "no host is chosen", nil)
	if len(list) > 0 {
		k.Off, k.Do = "", screen.Do(func() { a.choose(list) })
	}
	return k
}

func (a *branchActs) choose(list []*query.Branch) {
	sh, first := a.Shared, list[0]
	waiting, pages, ruled := 0, 0, false
	for _, b := range list {
		waiting, pages, ruled = waiting+b.Waiting, pages+b.Pages, ruled || b.Rule != ""
	}
	name := below(sh, list)
	look := widget.Item{Name: "look at one page now",
		Note: sh.F("fetches the best of %s, then stops", sh.N(waiting, "waiting URL")), Do: func() tea.Cmd {
			return a.Act(sh.F("looking at one page below %s", widget.Clean(first.Prefix)),
				func() error { return a.branches.StartLook(first.Prefix) })
		}}
	switch {
	case len(list) > 1:
		look.Off = "of one branch at a time"
	case a.Snap.State != view.Idle:
		look.Off = "a run is under way"
	case waiting == 0:
		look.Off = "nothing waits there"
	}
	items := []widget.Item{look}
	add := func(label, action, note string, wait time.Duration) {
		all := !slices.ContainsFunc(list, func(b *query.Branch) bool { return b.Rule != action })
		items = append(items,
			widget.Item{Name: label, Note: note, Mark: all && wait == 0,
				Do: func() tea.Cmd { return a.steer(list, waiting, action, wait) }})
	}
	for _, x := range steerNotes {
		add(x.action, x.action, x.note, 0)
	}
	for _, x := range []struct {
		label string
		wait  time.Duration
	}{{"delay for an hour", time.Hour}, {"delay for a day", 24 * time.Hour}, {"delay for a week", 7 * 24 * time.Hour}} {
		add(x.label, decisions.Delay, sh.F("nothing before %s, then at once", a.until(x.wait).Format("01-02 15:04")),
			x.wait)
	}
	add(decisions.Mute, decisions.Mute, "fetched as ever; failures are not reported", 0)
	items = append(items, renderItem(a, list))
	if ruled {
		note := ""
		if len(list) == 1 {
			note = ruleOf(sh, first)
		}
		items = append(items,
			widget.Item{Name: "take the rule away", Note: note,
				Do: func() tea.Cmd { return a.steer(list, waiting, "", 0) }})
	}
	a.Offer(sh.F("%s · %s, %s waiting", name, sh.N(pages, "page"), waiting)+
		ownOf(sh, list), items)
}

// ownOf lists the own settings of a host; "": none.
func ownOf(sh *screen.Shared, list []*query.Branch) string {
	if len(list) > 1 || len(list[0].Own) == 0 {
		return ""
	}
	names := widget.Map(list[0].Own, func(name string) string { return sh.T("host." + name) })
	return " · " + sh.F("of its own: %s", strings.ReplaceAll(strings.Join(names, ", "), "host.", ""))
}

// below names branches.
func below(sh *screen.Shared, list []*query.Branch) string {
	if len(list) == 1 {
		return widget.Clean(list[0].Prefix)
	}
	return sh.F("%s marked branches", len(list))
}

// ruleOf describes the rule of a branch, with the end of a delay; "": no rule.
func ruleOf(sh *screen.Shared, b *query.Branch) string {
	if b.Rule == decisions.Delay {
		at := moment(b.Until, sh.Snap.At)
		return sh.F("until %s", at[:min(len(at), len("15:04"))])
	}
	return sh.T(b.Rule)
}

func (a *branchActs) until(wait time.Duration) time.Time { return a.Now().Add(wait) }

// steer sets a rule for branches and shows the effect.
func (a *branchActs) steer(list []*query.Branch, waiting int, action string, wait time.Duration) tea.Cmd {
	sh, branches, name := a.Shared, a.branches, below(a.Shared, list)
	what := sh.F("%s: no rule any more", name)
	until := time.Time{}
	switch action {
	case "":
	case decisions.Delay:
		until = a.until(wait)
		what = sh.F("%s: %s not fetched before %s", name, sh.N(waiting, "waiting URL"), until.Format("01-02 15:04"))
	case decisions.Mute:
		what = sh.F("%s: failures are not reported any more", name)
	default:
		what = sh.F("%s: %s, %s", name, sh.T(action), sh.N(waiting, "waiting URL"))
	}
	prefixes := widget.Map(list, func(b *query.Branch) string { return b.Prefix })
	return a.Act(what, func() error { return branches.SteerBranches(prefixes, action, until) })
}
