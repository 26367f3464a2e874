package crawl

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file handles pages that a browser renders: which, their state, and the choice of branches.

// rendered reports whether the pages of a branch are read through a browser.
func rendered(snap *view.Snapshot, prefix string) bool {
	return slices.ContainsFunc(snap.Rendering.Branches, func(b string) bool { return strings.HasPrefix(prefix, b) })
}

// renderItem offers to render branches, or to stop if all are rendered.
func renderItem(a *branchActs, list []*query.Branch) widget.Item {
	sh := a.Shared
	on := slices.ContainsFunc(list, func(b *query.Branch) bool { return !rendered(sh.Snap, b.Prefix) })
	name, what := "read its pages through a browser",
		sh.F("%s: pages are read through the browser from their next visit on", below(sh, list))
	note := sh.T("for lists of scripts; slow")
	if !on {
		name, what = "read its pages without a browser", sh.F("%s: pages are read as they come", below(sh, list))
		note = hostNote(sh, list)
	}
	var changed []string
	for _, b := range list {
		if rendered(sh.Snap, b.Prefix) != on {
			changed = append(changed, b.Prefix)
		}
	}
	branches := a.branches
	return widget.Item{Name: name, Note: note, Off: a.role.Denied(auth.Render), Do: func() tea.Cmd {
		var back func() error
		do := func() (err error) { back, err = branches.RenderBranches(changed, on); return err }
		return a.ActBack(what, do, func() error { return back() })
	}}
}

// hostNote describes the rendered pages of the host of branches.
func hostNote(sh *screen.Shared, list []*query.Branch) string {
	host, _, _ := strings.Cut(list[0].Prefix, "/")
	for _, h := range sh.Snap.Rendering.Hosts {
		if h.Host != host || h.Pages+h.Failed == 0 {
			continue
		}
		if h.Err != "" {
			return sh.F("%s rendered, %s failed: %s", h.Pages, h.Failed,
				sh.Says(h.Err))
		}
		return sh.F("%s rendered, %s each, %s made", sh.N(h.Pages, "page"), widget.Span(each(h.Took, h.Pages)),
			sh.N(h.Requests, "request"))
	}
	return sh.T("none has come yet")
}

func each(all time.Duration, n int) time.Duration {
	return (all / time.Duration(max(1, n))).Round(100 * time.Millisecond)
}

// rendering describes the browser in one line; false if no page is rendered.
func rendering(sh *screen.Shared) (fact, bool) {
	r := &sh.Snap.Rendering
	if len(r.Branches) == 0 && r.Pages+r.Failed == 0 {
		return fact{}, false
	}
	f := fact{name: "browser", st: widget.Plain}
	switch {
	case r.Err != "":
		f.st = widget.Warn
		f.val = sh.F("%s, %s failed: %s", sh.N(r.Pages, "page"), r.Failed, sh.Says(r.Err))
	case r.Pages == 0:
		f.st = widget.Dim
		f.val = sh.F("for %s, none has come yet", strings.Join(short(r.Branches), ", "))
	case r.Memory > 0:
		f.val = sh.F("%s, %s each, %s of %s MB", sh.N(r.Pages, "page"), widget.Span(each(r.Took, r.Pages+r.Failed)),
			int(r.Memory>>20), int(r.Bound>>20))
	default:
		f.val = sh.F("%s, %s each, asleep", sh.N(r.Pages, "page"), widget.Span(each(r.Took, r.Pages+r.Failed)))
	}
	if r.Killed > 0 {
		f.val += " · " + sh.F("ended %s for its memory", sh.N(r.Killed, "time"))
	}
	return f, true
}

// short returns the first of a list, and the number of the others.
func short(list []string) []string {
	if len(list) > 3 {
		return append(slices.Clone(list[:3]), "+"+widget.Count(len(list)-3))
	}
	return list
}
