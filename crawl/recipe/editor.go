package recipe

import (
	"context"
	"os"
)

// RecipeEditor is the recipes in one person's hands: what is saved is confirmed under that name.
type RecipeEditor struct {
	s  *Recipes
	by string
}

// EditorOf returns the recipes as a person works with them.
func (s *Recipes) EditorOf(by string) *RecipeEditor { return &RecipeEditor{s, by} }

// RecipeRows lists the recipes, broken ones first.
func (h *RecipeEditor) RecipeRows() ([]RecipeRow, error) { return h.s.Rows() }

// Recipe is that of an ID; an error when there is none that can be read.
func (h *RecipeEditor) Recipe(id string) (*Recipe, error) {
	if r := h.s.Get(id); r != nil {
		return r, nil
	}
	for _, r := range h.s.waiting() {
		if r.ID == id {
			return r, nil
		}
	}
	if b, err := h.s.Text(id); err == nil {
		_, err := Parse(id, b)
		return nil, err
	}
	return nil, unknown(id)
}

// RecipeText is a recipe's file, or that of a proposal that waits.
func (h *RecipeEditor) RecipeText(id string) (string, error) {
	b, err := h.s.Text(id)
	if err != nil && ValidID(id) && h.s.there(id, proposed) {
		b, err = os.ReadFile(h.s.path(id, proposed))
	}
	return string(b), err
}

// TryRecipe reads the first pages of a recipe as records; nothing is stored.
func (h *RecipeEditor) TryRecipe(ctx context.Context, r *Recipe, pages int) (*Preview, error) {
	return h.s.try(ctx, r, pages)
}

// ProposeRecipes looks for recipes on a page, see Recipes.Propose.
func (h *RecipeEditor) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]Proposal, error) {
	return h.s.Propose(ctx, page, said)
}

// RecipeFromCURL makes a proposal of what a browser has copied, see Recipes.FromCURL.
func (h *RecipeEditor) RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (Proposal, error) {
	return h.s.fromCURL(ctx, text, page, said)
}

// SaveRecipe writes a recipe and confirms its list.
func (h *RecipeEditor) SaveRecipe(r *Recipe) (id string, err error) { return files{h.s}.Save(h.by, r) }

// RemoveRecipes takes recipes out of the workspace, and proposals that wait.
func (h *RecipeEditor) RemoveRecipes(ids ...string) error { return files{h.s}.Remove(h.by, ids...) }

// SwitchRecipe turns a recipe on or off.
func (h *RecipeEditor) SwitchRecipe(id string, on bool) error { return files{h.s}.Switch(h.by, id, on) }
