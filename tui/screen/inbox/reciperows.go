package inbox

import (
	"cmp"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/listpage"
	"angler/crawl/recipe"
	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file is the rows of the pane: lists that are not read whole, and recipes.

// state is how a row stands, those that need a person first.
type state uint8

const (
	offered state = iota // a recipe was found and waits for a verdict
	waits                // the same, found while a page was rendered
	broken               // the file is no recipe, or a reply does not fit
	unread               // a list that nothing reads
	refused              // the same, and no recipe was found
	asked                // the list is read
	paused               // it is left alone
)

// stateNames are the states in the words of the screen.
var stateNames = [...]string{offered: "proposed", waits: "proposed", broken: "broken", unread: "not read",
	refused: "none found", asked: "is read", paused: "paused"}

// fromNames say what proposed a recipe.
var fromNames = map[string]string{recipe.FromBrowser: "browser", recipe.FromCURL: "cURL"}

// recipeRow is a list, its recipe, or both.
type recipeRow struct {
	key     uint64
	state   state
	page    string            // that a person knows; "" = unknown
	name    string            // of the recipe, else of the list
	from    string            // what proposed the recipe
	saved   *recipe.RecipeRow // nil = there is none
	alarm   *view.ListAlarm   // what the list lacks; nil = nothing is known
	entries int               // of its newest visit
	at      time.Time         // of that
	next    time.Time         // of the next visit, as far as it is known
}

// address is what the row is known by.
func (r *recipeRow) address() string {
	if r.saved != nil {
		return r.saved.Address
	}
	return r.page
}

// id is the recipe's; "" = there is none.
func (r *recipeRow) id() string {
	if r.saved == nil {
		return ""
	}
	return r.saved.ID
}

// readable reports whether a recipe may help against what a list lacks.
func readable(a *view.ListAlarm) bool {
	return slices.ContainsFunc(a.Unfollowed, func(x listpage.MissingEntries) bool {
		return x.Kind != listpage.KindLogin && x.Kind != listpage.KindCaptcha
	})
}

// join makes the rows anew after the snapshot or the recipes have changed.
func (v *recipesView) join() tea.Cmd {
	if v.shown == v.Snap {
		return v.reach()
	}
	v.shown = v.Snap
	v.Told = ""
	var out []recipeRow
	taken := map[uint64]bool{}
	add := func(r recipeRow, name string) {
		if r.key = screen.Hash(name); taken[r.key] {
			r.key = screen.Hash(name + " " + r.id())
		}
		taken[r.key] = true
		if t := v.tried[r.key]; t != nil && r.saved == nil {
			switch p := t.best(); {
			case p != nil && p.Recipe != nil:
				r.state, r.name, r.from = offered, cmp.Or(r.name, p.Recipe.Name), p.Recipe.From
			case t.done:
				r.state = refused
			}
		}
		out = append(out, r)
	}
	known := map[string]bool{}
	for i := range v.saved {
		s := &v.saved[i]
		r := recipeRow{state: asked, page: s.SeenOn, name: cmp.Or(s.Name, s.File), from: s.From, saved: s,
			entries: s.Entries, at: s.Visited}
		switch {
		case s.Broken || s.Why != "" && !s.Off:
			r.state = broken
		case s.Waits:
			r.state = waits
		case s.Off:
			r.state = paused
		}
		for j := range v.shown.Harvest {
			if s.List != 0 && v.shown.Harvest[j].ID == s.List {
				r.next = v.shown.Harvest[j].Next
			}
		}
		known[s.SeenOn], known[s.Address] = true, true
		add(r, cmp.Or(s.SeenOn, s.Address, s.File))
	}
	for i := range v.shown.Alarms {
		if a := &v.shown.Alarms[i]; readable(a) && !known[a.URL] {
			known[a.URL] = true
			add(recipeRow{state: unread, page: a.URL, name: a.Name(), alarm: a, entries: a.Entries, at: a.Seen}, a.URL)
		}
	}
	for _, p := range v.pages {
		if b := v.tried[screen.Hash(p)].best(); known[p] || b != nil && known[b.Recipe.Address(recipe.FirstPage)] {
			continue
		}
		known[p] = true
		add(recipeRow{state: unread, page: p}, p)
	}
	slices.SortStableFunc(out, func(a, b recipeRow) int { return cmp.Compare(a.state, b.state) })
	cmd := v.Table.SetRows(out)
	v.Again()
	return tea.Batch(cmd, v.reach())
}

func table(sh *screen.Shared) *widget.Table[recipeRow] {
	return widget.GivenBy(widget.NewTable(func(r *recipeRow) uint64 { return r.key },
		func(r *recipeRow) string { return r.name + " " + r.page + " " + r.id() },
		[]widget.Column[recipeRow]{
			{Title: "state", Width: 10, Cell: func(r *recipeRow) (string, widget.Style) {
				st := widget.Good
				switch r.state {
				case offered, waits:
					st = widget.Accent | widget.Bold
				case broken, unread, refused:
					st = widget.Warn
				case paused:
					st = widget.Dim
				}
				return sh.T(stateNames[r.state]), st
			}, Number: func(r *recipeRow) float64 { return float64(r.state) }},
			{Title: "list", Width: 16, Flex: 3,
				Text: func(r *recipeRow) string { return cmp.Or(r.name, r.page) }},
			{Title: "found by", Width: 8, Drop: 2, Cell: func(r *recipeRow) (string, widget.Style) {
				return widget.OrDash(r.from != "", sh.T(cmp.Or(fromNames[r.from], widget.Clean(r.from))), widget.Plain)
			}, Text: func(r *recipeRow) string { return r.from }},
			screen.Found("rec", 4, 3, widget.Plain, func(r *recipeRow) int { return r.entries }),
			{Title: "visited", Width: 8, Right: true, Drop: 1,
				Cell: func(r *recipeRow) (string, widget.Style) {
					return widget.OrDash(!r.at.IsZero(), sh.When(r.at), widget.Dim)
				}, Less: func(a, b *recipeRow) bool { return a.at.Before(b.at) }},
			{Title: "next", Width: 8, Right: true, Drop: 4,
				Cell: func(r *recipeRow) (string, widget.Style) {
					switch {
					case r.state != asked && r.state != broken || r.saved == nil || r.saved.Broken:
						return "–", widget.Dim
					case r.next.IsZero() || r.at.IsZero():
						return sh.T("next run"), widget.Plain
					}
					return sh.Until(r.next), widget.Dim
				}, Less: func(a, b *recipeRow) bool { return a.next.Before(b.next) }},
			screen.Address(10, 5, func(r *recipeRow) string { return cmp.Or(r.page, r.address()) }),
		}...), "state", false)
}
