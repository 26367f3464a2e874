package inbox

import (
	"context"
	"slices"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/recipe"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
)

// recipesView is the pane of recipes: lists that are not read whole, the proposals for
// them, saved recipes, and the keys that search, try, accept, pause and remove one. It lies
// over the screen Harvest and belongs to the update loop. Its rows join the snapshot's
// lists with the workspace's recipes. A search may take minutes: it goes on while the pane
// is left, and esc ends it. What it found stays in memory until a person decides. The
// danger is text from strangers: names, addresses and rows pass widget.Clean.
type recipesView struct {
	*screen.UI
	*screen.Shared
	sources screen.Sourcing
	marks   *screen.PageKeys
	role    auth.Role
	load    screen.Loader[[]recipe.RecipeRow]
	saved   []recipe.RecipeRow
	pages   []string        // addresses named by a person, newest first
	tried   map[uint64]*try // what was seen, by row
	follow  string          // the address of a recipe that the cursor is to follow
	wanted  string          // the page of a list that is to be shown as soon as it is listed
	shown   *view.Snapshot  // the one that the rows were joined with
	screen.ListDetail[recipeRow]

	back atomic.Pointer[forgotten] // what an undo brings back at the end of its action
}

// newRecipes returns the pane of a person with a role.
func newRecipes(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, sources screen.Sourcing,
	who auth.Role) *recipesView {
	v := &recipesView{UI: u, Shared: sh, sources: sources, marks: keys, role: who, tried: map[uint64]*try{}}
	v.Table = table(sh)
	v.load = screen.NewLoader(u, sh, "reading recipes",
		func(screen.DataVersion) func(context.Context) ([]recipe.RecipeRow, error) {
			return func(context.Context) ([]recipe.RecipeRow, error) { return sources.RecipeRows() }
		}, v.take)
	v.Detail.Indent = 2
	list := screen.TablePane(sh, v.Table, v.title, v.empty)
	list.Open = func() (string, func() tea.Cmd) {
		switch r := v.Table.Selected(); {
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
		return "", func() tea.Cmd { v.Table.Hold(); return v.look() }
	}
	v.Table.Settled = v.reach
	v.Beside(u, sh, list, "list and recipe", v.keys, v.tell, screen.SideBySide(52, func(h int) int {
		return max(8, h*55/100, h-v.Table.Total()-4) // a short list leaves the rows to what a recipe brings
	}))
	v.Around = v.around
	return v
}

// show opens the pane at the list of a page, and looks for a recipe for it where there is
// none; "" is no list in particular.
func (v *recipesView) show(page string) tea.Cmd {
	v.Open, v.wanted = true, page
	if page == "" {
		v.SetFocus(0)
	}
	return tea.Batch(v.check(), v.join())
}

// reach goes to the list that is to be shown, once the recipes are known.
func (v *recipesView) reach() tea.Cmd {
	if v.follow != "" {
		rows := v.Table.Rows()
		if i := slices.IndexFunc(rows,
			func(r recipeRow) bool { return r.saved != nil && r.address() == v.follow }); i >= 0 &&
			v.Table.Find(rows[i].key) {
			v.follow = ""
		}
	}
	if v.wanted == "" || v.load.Busy || v.saved == nil && v.load.Err == nil {
		return nil
	}
	page := v.wanted
	v.wanted = ""
	for i := range v.Table.Len() {
		v.Table.To(i)
		r := v.Table.Selected()
		if r.page != page && r.address() != page {
			continue
		}
		v.Table.Hold()
		v.SetFocus(0)
		if r.saved == nil && v.tried[r.key] == nil && v.role.Denied(auth.TryRecipes) == "" {
			return v.look()
		}
		return nil
	}
	v.Table.Home()
	return nil
}

// check reads the recipes again when they may be others: a verdict, a visit, a file.
func (v *recipesView) check() tea.Cmd {
	s := v.Snap
	extra := int(s.Recipes.Rev)<<2 | 1
	if s.State == view.Idle {
		extra++
	}
	return v.load.Check(screen.DataVersion{Pages: s.Counts.Pages, Acts: v.Acts, Extra: extra})
}

// Update takes a message; it is asked for all of them.
func (v *recipesView) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
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
	}
	return nil
}

// take shows loaded recipes.
func (v *recipesView) take(rows []recipe.RecipeRow) tea.Cmd {
	v.saved = append([]recipe.RecipeRow{}, rows...) // not nil: they are known
	v.shown = nil
	return v.join()
}

// around adds the key that closes the view; esc cancels, clears the filter, then closes.
func (v *recipesView) around(pane []screen.Binding) []screen.Binding {
	back, busy := screen.Do(func() { v.Open = false }), ""
	if r := v.Table.Selected(); r != nil && v.busy(r.key) {
		busy = "{recipe_cancel} cancels the looking first"
	}
	return append(pane, screen.Bind(keymap.RecipesClose, busy, back))
}

// title counts what is listed.
func (v *recipesView) title() string {
	sh := v.Shared
	saved, proposed, without := 0, 0, 0
	rows := v.Table.Rows()
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
	t := sh.F("recipes %s", saved)
	if proposed > 0 {
		t += " · " + sh.F("%s proposed", proposed)
	}
	switch {
	case without == 1:
		t += " · " + sh.T("1 list without one")
	case without > 1:
		t += " · " + sh.F("%s lists without one", without)
	}
	return t
}

func (v *recipesView) empty() string {
	return v.load.State(
		"Every list is read whole. {recipe_look} examines a page whose list was empty, " +
			"{recipe_paste} takes a request copied from a browser as cURL.")
}

// name puts a page among the named rows.
func (v *recipesView) name(page string) {
	v.pages = append([]string{page}, slices.DeleteFunc(v.pages, func(p string) bool { return p == page })...)
	v.pages = v.pages[:min(len(v.pages), mostNamed)]
	v.shown, v.wanted = nil, page
}

// mostNamed named pages are kept.
const mostNamed = 50
