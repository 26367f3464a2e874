package inbox

import (
	"context"
	"errors"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/recipe"
	"angler/tui/screen"
)

// This file looks for recipes and tries them.

// try is what was seen of a row, or what is under way. It belongs to the update loop, but
// for said.
type try struct {
	screen.Request
	done  bool
	said  *atomic.Pointer[string] // the step under way
	list  []recipe.Proposal       // of a list, the best first
	pages *recipe.Preview         // of a recipe that is there
	err   error
	n     int // number of the attempt
}

// best is the proposal that may be accepted; nil = none was found.
func (t *try) best() *recipe.Proposal {
	if t == nil || len(t.list) == 0 || t.list[0].Recipe == nil {
		return nil
	}
	return &t.list[0]
}

// found is the result of a look.
type found struct {
	list  []recipe.Proposal
	pages *recipe.Preview
}

// previewed is how many pages of a recipe are looked at.
const previewed = 2

func (v *recipesView) busy(key uint64) bool { t := v.tried[key]; return t != nil && !t.done }

// begin notes that something is looked for.
func (v *recipesView) begin(key uint64) *try {
	t := &try{said: new(atomic.Pointer[string])}
	if was := v.tried[key]; was != nil {
		t.n = was.n + 1
	}
	v.tried[key] = t
	v.Told = ""
	return t
}

// look shows what the row under the cursor brings: the pages of its recipe, or what is
// found for its list.
func (v *recipesView) look() tea.Cmd {
	r := v.Table.Selected()
	t := v.begin(r.key)
	page, sources := r.page, v.sources
	if id := r.id(); id != "" {
		return screen.Start(&t.Request, v.UI, "reading the first pages",
			func(ctx context.Context) (f found, err error) {
				rec, err := sources.Recipe(id)
				if err == nil {
					f.pages, err = sources.TryRecipe(ctx, rec, previewed)
				}
				return f, err
			}, v.found(r.key, t, ""))
	}
	return screen.Start(&t.Request, v.UI, "looking for a recipe", func(ctx context.Context) (f found, err error) {
		f.list, err = sources.ProposeRecipes(ctx, page, t.tell)
		return f, err
	}, v.found(r.key, t, ""))
}

func (t *try) tell(s string) { t.said.Store(&s) }

// found returns what takes the result of a look for a row, unless another has begun since. page is
// where the request was copied, for a row that has none yet.
func (v *recipesView) found(key uint64, t *try, page string) func(found, error) tea.Cmd {
	return func(got found, err error) tea.Cmd {
		if v.tried[key] != t {
			return nil
		}
		t.done, t.list, t.pages, t.err = true, got.list, got.pages, err
		if errors.Is(err, context.Canceled) {
			delete(v.tried, key)
		}
		if page != "" {
			v.name(page)
		}
		v.shown, v.Told = nil, ""
		return v.join()
	}
}

// recipe is what accepting the row would save: what was found for it, or the proposal that
// waits; nil = nothing.
func (v *recipesView) recipe(r *recipeRow) func() (*recipe.Recipe, error) {
	if r == nil || r.saved != nil && r.state != waits {
		return nil
	}
	if p := v.tried[r.key].best(); p != nil {
		return func() (*recipe.Recipe, error) { return p.Recipe, nil }
	}
	if r.state != waits {
		return nil
	}
	id, sources := r.id(), v.sources
	return func() (*recipe.Recipe, error) { return sources.Recipe(id) }
}
