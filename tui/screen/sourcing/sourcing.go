// Package sourcing is the pane of recipes: the lists that are not read whole, what is
// proposed for them, the recipes that are saved and how they stand, and the keys that
// look for one, show what it brings, accept, pause and remove it.
//
// It lies over the screen Harvest. Rows are joined from what the snapshot tells of lists
// and from the recipes of the workspace, which are read again when they have changed.
// Looking for a recipe asks servers and may take minutes: it goes on while the pane is
// left, its steps show, and esc ends it. What was found stays with its row, in memory,
// until a person has decided. The danger is text from strangers: names, addresses and
// rows of replies pass ui.Clean wherever they are drawn.
package sourcing

import (
	"context"
	"slices"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/recipe"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/parts"
	"angler/tui/screen"
	"angler/tui/ui"
)

// View is the pane. It belongs to the update loop.
type View struct {
	ui      *screen.UI
	shared  *screen.Shared
	sources parts.Sourcing
	marks   *screen.PageKeys
	role    auth.Role
	panes   screen.Panes
	table   *ui.Table[recipeRow]
	load    screen.Loader[[]recipe.RecipeRow]
	saved   []recipe.RecipeRow
	pages   []string        // addresses named by a person, newest first
	tried   map[uint64]*try // what was seen, by row
	follow  string          // the address of a recipe that the cursor is to follow
	wanted  string          // the page of a list that is to be shown as soon as it is listed
	shown   *view.Snapshot  // the one that the rows were joined with
	detail  ui.Text
	told    string // what detail shows
	Open    bool

	back atomic.Pointer[forgotten] // what an undo brings back at the end of its action
}

// New returns the pane of a person with a role.
func New(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, sources parts.Sourcing, who auth.Role) *View {
	v := &View{ui: u, shared: sh, sources: sources, marks: keys, role: who, tried: map[uint64]*try{}, table: table(sh)}
	v.load = screen.NewLoader(u, sh, "reading recipes", func(screen.DataVersion) func(context.Context) ([]recipe.RecipeRow, error) {
		return func(context.Context) ([]recipe.RecipeRow, error) { return sources.RecipeRows() }
	})
	v.detail.Indent = 2
	list := screen.TablePane(sh, v.table, v.title, v.empty)
	list.Click = screen.Clicks(v.table, nil)
	list.Keys = func() []screen.Binding {
		keys := append(v.keys(), screen.MarkKeys(v.table, nil)...)
		return append(keys, screen.SortKeys(v.table)...)
	}
	list.Open = func() (string, func() tea.Cmd) {
		switch r := v.table.Selected(); {
		case r == nil:
			return "the list is empty", nil
		case v.busy(r.key):
			return "it is being looked for", nil
		case r.saved != nil && r.saved.Broken:
			return "the file is no recipe: mend it in an editor, or remove it", nil
		}
		if why := v.role.Denied(auth.TryRecipes); why != "" {
			return why, nil
		}
		return "", func() tea.Cmd { v.table.Hold(); return v.look() }
	}
	side := &screen.Pane{Title: func() string { return "list and recipe" }, Note: v.detail.Note, List: screen.ProseOf(&v.detail), Keys: v.keys,
		Draw: func(c *ui.Canvas, _ bool) { v.tell(); v.detail.Draw(c) }}
	v.panes = screen.NewPanes(u, sh, []*screen.Pane{list, side}, screen.SideBySide(52, func(h int) int {
		return max(8, h*55/100, h-v.table.Total()-4) // a short list leaves the rows to what a recipe brings
	}))
	return v
}

// Show opens the pane at the list of a page, and looks for a recipe for it where there is
// none; "" is no list in particular.
func (v *View) Show(page string) tea.Cmd {
	v.Open, v.wanted = true, page
	if page == "" {
		v.panes.SetFocus(0)
	}
	return tea.Batch(v.check(), v.join())
}

// reach goes to the list that is to be shown, once the recipes are known.
func (v *View) reach() tea.Cmd {
	if v.follow != "" {
		rows := v.table.Rows()
		if i := slices.IndexFunc(rows, func(r recipeRow) bool { return r.saved != nil && r.address() == v.follow }); i >= 0 && v.table.Find(rows[i].key) {
			v.follow = ""
		}
	}
	if v.wanted == "" || v.load.Busy || v.saved == nil && v.load.Err == nil {
		return nil
	}
	page := v.wanted
	v.wanted = ""
	for i := range v.table.Len() {
		v.table.To(i)
		r := v.table.Selected()
		if r.page != page && r.address() != page {
			continue
		}
		v.table.Hold()
		v.panes.SetFocus(0)
		if r.saved == nil && v.tried[r.key] == nil && v.role.Denied(auth.TryRecipes) == "" {
			return v.look()
		}
		return nil
	}
	v.table.Home()
	return nil
}

// SetSize gives the pane w×h cells.
func (v *View) SetSize(w, h int) { v.panes.SetSize(w, h) }

// View draws the pane.
func (v *View) View(c *ui.Canvas) { v.panes.View(c) }

// Mouse sends the mouse to a part of the pane.
func (v *View) Mouse(m tea.MouseMsg) tea.Cmd { return v.panes.Mouse(m) }

// check reads the recipes again when they may be others: a verdict, a visit, a file.
func (v *View) check() tea.Cmd {
	s := v.shared.Snap
	extra := int(s.Recipes.Rev)<<2 | 1
	if s.State == view.Idle {
		extra++
	}
	return v.load.Check(screen.DataVersion{Pages: s.Counts.Pages, Acts: v.shared.Acts, Extra: extra})
}

// Update takes a message; it is asked for all of them.
func (v *View) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SnapMsg, screen.ShowMsg, screen.TickMsg:
		if v.Open {
			return tea.Batch(v.check(), v.join())
		}
	case screen.ActMsg:
		if f := v.back.Swap(nil); f != nil {
			v.remember(f)
			return tea.Batch(v.check(), v.join())
		}
		if v.Open {
			return v.check()
		}
	case screen.LoadedMsg[[]recipe.RecipeRow]:
		if rows, ok := v.load.Take(msg); ok {
			v.saved = rows
			if rows == nil {
				v.saved = []recipe.RecipeRow{}
			}
			v.shown = nil
			return v.join()
		}
	case foundMsg:
		return v.found(msg)
	case ui.Arranged:
		v.table.Arranged(msg)
		return v.reach()
	}
	return nil
}

// Bindings are the keys of the pane; esc cancels, clears the filter, then closes.
func (v *View) Bindings() []screen.Binding {
	back, busy := screen.Do(func() { v.Open = false }), ""
	if r := v.table.Selected(); r != nil && v.busy(r.key) {
		busy = "{recipe_cancel} cancels the looking first"
	}
	return append(v.panes.Bindings(nil), screen.Bind(keymap.RecipesClose, busy, back))
}

// Keys are the bindings of all parts of the pane.
func (v *View) Keys() []screen.Binding { return v.panes.Each(v.Bindings) }

// title counts what is listed.
func (v *View) title() string {
	sh := v.shared
	saved, proposed, without := 0, 0, 0
	rows := v.table.Rows()
	for i := range rows {
		switch rows[i].state {
		case waits, offered:
			proposed++
		case unread, refused:
			without++
		default:
			saved++
		}
	}
	t := sh.F("recipes %s", ui.Count(saved))
	if proposed > 0 {
		t += " · " + sh.F("%s proposed", ui.Count(proposed))
	}
	switch {
	case without == 1:
		t += " · " + sh.T("1 list without one")
	case without > 1:
		t += " · " + sh.F("%s lists without one", ui.Count(without))
	}
	return t
}

func (v *View) empty() string {
	return v.load.State("Every list is read whole. {recipe_look} looks at a page whose list came home empty, {recipe_paste} takes a request that a browser has copied as cURL.")
}

// name puts a page among the named rows.
func (v *View) name(page string) {
	v.pages = append([]string{page}, slices.DeleteFunc(v.pages, func(p string) bool { return p == page })...)
	v.pages = v.pages[:min(len(v.pages), mostNamed)]
	v.shown, v.wanted = nil, page
}

// mostNamed named pages are kept.
const mostNamed = 50
