package tui

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// This file offers the list of a first run: workspaces, kinds of new ones, and the demo.

// placeNote describes a workspace: its place, its content as far as it is known without opening it,
// and its last use. Workspaces may have one topic, so the folder's name comes first.
func placeNote(l *i18n.Lang, p *seeds.WorkspacePlace, now time.Time) string {
	parts := []string{}
	if base := filepath.Base(p.Dir); base != p.Name {
		parts = append(parts, widget.Clean(base))
	}
	switch {
	case p.Counted:
		parts = append(parts, l.N(p.Pages, "page"), l.N(p.Notices, "notice"))
	case p.Open:
		parts = append(parts, l.T("in use, counts not known"))
	case !p.Used.IsZero():
		parts = append(parts, l.T("counts not known"))
	default:
		parts = append(parts, l.N(p.Seeds, "seed"), l.T("never used"))
	}
	if !p.Used.IsZero() {
		parts = append(parts, l.F("last used %s", widget.When(p.Used, now)))
	}
	return strings.Join(append(parts, widget.Clean(p.Dir)), " · ")
}

// newKinds are the kinds of notices with patterns, as the list names them.
var newKinds = []struct{ kind, name, note string }{
	{seeds.Tenders, "new workspace: tenders", "calls for tenders, awards, procurement"},
	{seeds.Jobs, "new workspace: jobs", "vacancies, recruitment"},
	{seeds.Prices, "new workspace: prices", "prices, quotations, market rates"},
}

func (w *wizard) menuTitle() string {
	return widget.Either(w.fresh, "what kind of notices?", "angler")
}

// items offers recent workspaces, a new one for each kind of notices, and the demo; only a new one
// if fresh. The cursor stands on the kind that the preset name suggests.
func (w *wizard) items() []widget.Item {
	l := w.theme.Lang
	var items []widget.Item
	if !w.fresh {
		for _, p := range w.maker.Places() {
			items = append(items,
				widget.Item{Name: l.F("open %s", widget.Clean(p.Name)), Note: placeNote(l, &p, w.now()),
					Do: func() tea.Cmd { w.choice.Dir = p.Dir; return tea.Quit }})
		}
	}
	wanted := w.plan.Notices
	if told := cmp.Or(w.plan.Topic, w.plan.Dir); wanted == "" && told != "" {
		wanted = seeds.KindOf(told)
	}
	for _, k := range newKinds {
		items = append(items, widget.Item{Name: k.name, Note: k.note, Mark: k.kind == wanted,
			Do: func() tea.Cmd { w.own = false; w.decide(k.kind); return nil }})
	}
	items = append(items,
		widget.Item{Name: "new workspace: own words …", Note: "words of titles; none for all",
			Mark: wanted == seeds.AllNotices,
			Do:   func() tea.Cmd { w.own = true; w.begin(stepWords); return nil }})
	if !w.fresh {
		items = append(items,
			widget.Item{Name: "look around in the demo", Note: "a miniature web, no internet needed",
				Do: func() tea.Cmd { w.choice.Demo = true; return tea.Quit }})
	}
	return items
}

// decide takes the kind of notices, fills in name and folder if missing, and continues with the
// seeds.
func (w *wizard) decide(notices string) {
	l := w.theme.Lang
	w.plan.Notices = notices
	if w.plan.Topic == w.named {
		w.plan.Topic = l.T(notices)
		if w.own {
			w.plan.Topic = l.T("notices")
			if words := strings.Fields(notices); notices != seeds.AllNotices && len(words) > 0 {
				w.plan.Topic = words[0]
			}
		}
		w.named = w.plan.Topic
	}
	if w.plan.Dir == w.placed {
		w.plan.Dir = w.free(folder(w.plan.Topic))
		w.placed = w.plan.Dir
	}
	w.begin(stepSeeds)
}

// free returns an unused folder name: name, name-2, …
func (w *wizard) free(name string) string {
	for i, at := 2, name; ; i++ {
		if w.maker.Free(at) == nil || i > 99 {
			return at
		}
		at = name + "-" + strconv.Itoa(i)
	}
}

// folder makes a folder name from a topic.
func folder(topic string) string {
	name := strings.Map(func(r rune) rune {
		if r == filepath.Separator || r == '/' || r == ' ' || r < ' ' {
			return '-'
		}
		return r
	}, topic)
	return strings.Trim(name, ".-")
}
