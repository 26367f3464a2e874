package recipe

import (
	"os"

	"angler/crawl/auth"
)

// RecipeEditor changes recipes for one person and logs the changes under their name.
type RecipeEditor struct {
	auth.Actor
	*Recipes
}

// EditorOf returns a RecipeEditor for a person.
func (s *Recipes) EditorOf(actor auth.Actor) *RecipeEditor { return &RecipeEditor{actor, s} }

// Recipe returns the recipe or proposal with this ID, or an error if it is missing or broken.
func (s *Recipes) Recipe(id string) (*Recipe, error) {
	if r := s.get(id); r != nil {
		return r, nil
	}
	for _, r := range s.waiting() {
		if r.ID == id {
			return r, nil
		}
	}
	if b, err := s.text(id); err == nil {
		_, err := Parse(id, b)
		return nil, err
	}
	return nil, unknown(id)
}

// RecipeText returns the text of a recipe's file, or of a proposal's.
func (s *Recipes) RecipeText(id string) (string, error) {
	b, err := s.text(id)
	if err != nil && ValidID(id) && s.exists(id, proposed) {
		b, err = os.ReadFile(s.path(id, proposed))
	}
	return string(b), err
}
