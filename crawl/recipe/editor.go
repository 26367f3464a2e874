package recipe

import (
	"os"

	"angler/crawl/auth"
)

// RecipeEditor works with the recipes on behalf of one person: what is saved is confirmed
// under that name.
type RecipeEditor struct {
	auth.Actor
	*Recipes
}

// EditorOf returns the recipes as a person works with them.
func (s *Recipes) EditorOf(actor auth.Actor) *RecipeEditor { return &RecipeEditor{actor, s} }

// Recipe is that of an ID; an error when there is none that can be read.
func (s *Recipes) Recipe(id string) (*Recipe, error) {
	if r := s.Get(id); r != nil {
		return r, nil
	}
	for _, r := range s.waiting() {
		if r.ID == id {
			return r, nil
		}
	}
	if b, err := s.Text(id); err == nil {
		_, err := Parse(id, b)
		return nil, err
	}
	return nil, unknown(id)
}

// RecipeText is a recipe's file, or that of a proposal that waits.
func (s *Recipes) RecipeText(id string) (string, error) {
	b, err := s.Text(id)
	if err != nil && ValidID(id) && s.there(id, proposed) {
		b, err = os.ReadFile(s.path(id, proposed))
	}
	return string(b), err
}
