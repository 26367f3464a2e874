package inbox

import (
	"context"
	"errors"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/recipe"
)

// This file looks for recipes and tries them.

// try is what was seen of a row, or what is under way. It belongs to the update loop, but
// for said.
type try struct {
	done   bool
	cancel context.CancelFunc
	said   *atomic.Pointer[string] // the step under way
	list   []recipe.Proposal       // of a list, the best first
	pages  *recipe.Preview         // of a recipe that is there
	err    error
	n      int // moves with every look, for what is drawn
}

// best is the proposal that may be accepted; nil = none was found.
func (t *try) best() *recipe.Proposal {
	if t == nil || len(t.list) == 0 || t.list[0].Recipe == nil {
		return nil
	}
	return &t.list[0]
}

// foundMsg is the end of a look.
type foundMsg struct {
	key   uint64
	page  string // where the request was copied, for a row that has none yet
	try   *try
	list  []recipe.Proposal
	pages *recipe.Preview
	err   error
}

// previewed is how many pages of a recipe are looked at.
const previewed = 2

func (v *recipesView) busy(key uint64) bool { t := v.tried[key]; return t != nil && !t.done }

// begin notes that something is looked for; the context ends with cancel.
func (v *recipesView) begin(key uint64) (*try, context.Context) {
	mine, cancel := context.WithCancel(context.Background())
	t := &try{cancel: cancel, said: new(atomic.Pointer[string])}
	if was := v.tried[key]; was != nil {
		t.n = was.n + 1
	}
	v.tried[key] = t
	v.Told = ""
	return t, mine
}

// look shows what the row under the cursor brings: the pages of its recipe, or what is
// found for its list.
func (v *recipesView) look() tea.Cmd {
	r := v.Table.Selected()
	t, mine := v.begin(r.key)
	key, page, sources := r.key, r.page, v.sources
	if id := r.id(); id != "" {
		return v.ui.RunUntil(mine, "reading the first pages", func(ctx context.Context) tea.Msg {
			rec, err := sources.Recipe(id)
			var p *recipe.Preview
			if err == nil {
				p, err = sources.TryRecipe(ctx, rec, previewed)
			}
			return foundMsg{key: key, try: t, pages: p, err: err}
		})
	}
	return v.ui.RunUntil(mine, "looking for a recipe", func(ctx context.Context) tea.Msg {
		list, err := sources.ProposeRecipes(ctx, page, t.tell)
		return foundMsg{key: key, try: t, list: list, err: err}
	})
}

func (t *try) tell(s string) { t.said.Store(&s) }

// found takes the end of a look, unless another has begun since.
func (v *recipesView) found(m foundMsg) tea.Cmd {
	m.try.cancel()
	if v.tried[m.key] != m.try {
		return nil
	}
	m.try.done, m.try.list, m.try.pages, m.try.err = true, m.list, m.pages, m.err
	if errors.Is(m.err, context.Canceled) {
		delete(v.tried, m.key)
	}
	if m.page != "" {
		v.name(m.page)
	}
	v.shown, v.Told = nil, ""
	return v.join()
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
