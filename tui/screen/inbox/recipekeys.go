package inbox

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/recipe"
	"angler/crawl/urls"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file is what a person does with recipes: accept, pause, remove, look for others.

// accept saves what is proposed for the chosen rows.
func (v *recipesView) accept() tea.Cmd {
	sh, sources := v.Shared, v.sources
	var list []func() (*recipe.Recipe, error)
	name := ""
	for _, r := range v.Table.Meant() {
		if get := v.recipe(r); get != nil {
			list, name = append(list, get), r.name
		}
		if p := v.tried[r.key].best(); p != nil {
			v.follow = p.Recipe.Address(recipe.FirstPage)
		}
	}
	what := sh.F("recipe accepted: %s; the next run reads the list", widget.Fit(widget.Clean(name), 40))
	if len(list) > 1 {
		what = sh.F("%s accepted; the next run reads the lists", sh.N(len(list), "recipe"))
	}
	v.Table.Unmark()
	return v.Act(what, func() error {
		for _, get := range list {
			r, err := get()
			if err == nil {
				_, err = sources.SaveRecipe(r)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// pause leaves the list of a recipe alone, or has it read again.
func (v *recipesView) pause() tea.Cmd {
	r := v.Table.Selected()
	id, on, sources := r.id(), r.state == paused, v.sources
	what := widget.Either(on,
		v.F("recipe goes on: %s", widget.Clean(r.name)), v.F("recipe paused: %s", widget.Clean(r.name)))
	return v.Act(what, func() error { return sources.SwitchRecipe(id, on) })
}

// forgotten is what was found and rejected before it was saved.
type forgotten struct {
	tried map[uint64]*try
	pages []string // named by a person
}

// remember takes back that something was forgotten, unless it was looked for again since.
func (v *recipesView) remember(f *forgotten) {
	for key, t := range f.tried {
		if v.tried[key] == nil {
			v.tried[key] = t
		}
	}
	for _, p := range slices.Backward(f.pages) {
		v.name(p)
	}
	v.shown, v.Told = nil, ""
}

// remove takes the chosen recipes away, and rejects proposals. What was found and never
// saved is forgotten; as long as that is the last action, undo brings it back.
func (v *recipesView) remove() tea.Cmd {
	sh, sources := v.Shared, v.sources
	var ids []string
	name, forgot := "", &forgotten{tried: map[uint64]*try{}}
	for _, r := range v.Table.Meant() {
		if id := r.id(); id != "" {
			ids, name = append(ids, id), r.name
			continue
		}
		if t := v.tried[r.key]; t != nil {
			forgot.tried[r.key] = t
		}
		delete(v.tried, r.key)
		for i := 0; i < len(v.pages); i++ {
			if v.pages[i] == r.page {
				forgot.pages = append(forgot.pages, r.page)
				v.pages = append(v.pages[:i:i], v.pages[i+1:]...)
				i--
			}
		}
	}
	v.Table.Unmark()
	v.shown = nil
	if len(ids) == 0 {
		back := &v.back
		return tea.Batch(v.join(),
			v.ActBack(sh.T("the results are discarded"), func() error { return nil }, func() error {
				back.Store(forgot)
				return nil
			}))
	}
	what := sh.F("recipe removed: %s", widget.Clean(name))
	if len(ids) > 1 {
		what = sh.F("%s removed", sh.N(len(ids), "recipe"))
	}
	return tea.Batch(v.join(), v.Act(sh.Undoable(what), func() error { return sources.RemoveRecipes(ids...) }))
}

// askPage asks for the page of a list.
func (v *recipesView) askPage() {
	v.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: "page:",
			Hint: "the address of a list that was empty, as a browser shows it"},
		Check: pageOf,
		Do:    func(page string) tea.Cmd { v.name(page); return v.join() },
	})
}

// pageOf is the address of a page, as people type it.
func pageOf(text string) (string, error) {
	if text != "" && !strings.Contains(text, "://") {
		text = "http://" + text
	}
	page, err := urls.Canonical(text)
	if err != nil {
		return "", widget.Refusal("no http address")
	}
	return page, nil
}

// copied is a request that a browser has copied.
type copied struct {
	text string
	*recipe.Exchange
}

// askCURL asks for a request that a browser has copied, and for the page of its list where
// the request does not name it.
func (v *recipesView) askCURL() {
	v.Ask(&widget.Prompt[copied]{
		Editor: widget.Editor{Label: "cURL:",
			Hint: "developer tools, Network, right click on the request that brings the rows, Copy as cURL; paste " +
				"it here"},
		Check: func(text string) (copied, error) {
			if !strings.HasPrefix(text, "curl") {
				return copied{}, widget.Refusal("a command that begins with curl")
			}
			x, _, err := recipe.ParseCURL(text)
			if err != nil {
				return copied{}, widget.Refusal(v.Reason(err))
			}
			return copied{text, x}, nil
		},
		Do: func(c copied) tea.Cmd {
			if page, err := urls.Canonical(c.SeenOn); err == nil {
				return v.tryCURL(c, page)
			}
			v.Ask(&widget.Prompt[string]{
				Editor: widget.Editor{Label: "page of the list:",
					Hint: "as a browser shows it; addresses of rows are read there; enter alone goes without"},
				Check: func(text string) (string, error) {
					if text == "" {
						return "", nil
					}
					return pageOf(text)
				},
				Do: func(page string) tea.Cmd { return v.tryCURL(c, page) },
			})
			return nil
		},
	})
}

// tryCURL sends a request that was pasted; page is where its list is shown, "" = not
// knows. What comes stands in the row of that page, or of the address where the page has a
// recipe already.
func (v *recipesView) tryCURL(c copied, page string) tea.Cmd {
	sources, row := v.sources, page
	if row == "" || slices.ContainsFunc(v.saved, func(s recipe.RecipeRow) bool { return s.SeenOn == page }) {
		row = c.URL
	}
	key := screen.Hash(row)
	t := v.begin(key)
	v.name(row)
	look := func(ctx context.Context) (found, error) {
		p, err := sources.RecipeFromCURL(ctx, c.text, page, t.tell)
		if err != nil {
			return found{}, err
		}
		return found{list: []recipe.Proposal{p}}, nil
	}
	return tea.Batch(v.join(), screen.Start(&t.Request, v.UI, "trying the request", look, v.found(key, t, row)))
}

// stop ends the look at the row under the cursor.
func (v *recipesView) stop() {
	if r := v.Table.Selected(); r != nil && v.busy(r.key) {
		v.tried[r.key].Cancel()
		v.Say("cancelled")
	}
}

// errNothing is why there is nothing to accept.
var errNothing = errors.New("nothing is proposed: {open} looks for a recipe first")

func (v *recipesView) keys() []screen.Binding {
	none, accept, idle, pause, remove := "", "", "nothing is looked for", "", ""
	r := v.Table.Selected()
	if r == nil {
		none = "no list is chosen"
	}
	accept, pause, remove = none, none, none
	if r != nil && !slices.ContainsFunc(v.Table.Meant(), func(r *recipeRow) bool {
		return r.saved != nil || v.tried[r.key] != nil || slices.Contains(v.pages, r.page)
	}) {
		remove = "nothing is saved or was found for it"
	}
	switch {
	case r == nil:
	case v.busy(r.key):
		idle = ""
		accept = "it is being looked for"
	case slices.ContainsFunc(v.Table.Meant(), func(r *recipeRow) bool { return v.recipe(r) != nil }):
	case v.Table.NumMarked() == 0 && r.saved != nil:
		accept = "it is saved already"
	default:
		accept = errNothing.Error()
	}
	if r != nil && (r.saved == nil || r.state == waits || r.saved.Broken) {
		pause = "only a saved recipe is paused"
	}
	chosen := screen.ChosenOf(v.Table,
		func(r *recipeRow) *screen.Target { return screen.NewTarget(0, r.address(), r.name, topic.NoLabel) })
	return append([]screen.Binding{
		screen.Bind(keymap.RecipeAccept, accept, v.accept),
		screen.Bind(keymap.RecipePause, pause, v.pause),
		screen.Bind(keymap.RecipeRemove, remove, v.remove),
		screen.Bind(keymap.RecipePaste, "", screen.Do(v.askCURL)),
		screen.Bind(keymap.RecipeLook, "", screen.Do(v.askPage)),
		screen.Bind(keymap.RecipeCancel, idle, screen.Do(v.stop)),
	}, v.marks.Address(chosen)...)
}
