package role

import (
	"context"

	"angler/crawl/recipes"
	"angler/crawl/source"
	"angler/tui/parts"
)

// sourcings lets everybody see the recipes. Who looks for one or tries one asks others'
// sites; who sends a request of their own making, or says what is asked from now on,
// decides where requests go, as one who types a seed does.
type sourcings struct {
	b parts.Sourcing
	r Role
}

func (g *sourcings) RecipeRows() ([]recipes.Row, error)       { return g.b.RecipeRows() }
func (g *sourcings) Recipe(id string) (*source.Recipe, error) { return g.b.Recipe(id) }

func (g *sourcings) TryRecipe(ctx context.Context, r *source.Recipe, pages int) (*recipes.Preview, error) {
	return allowed(g.r, TryRecipes, func() (*recipes.Preview, error) { return g.b.TryRecipe(ctx, r, pages) })
}

func (g *sourcings) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipes.Proposal, error) {
	return allowed(g.r, TryRecipes, func() ([]recipes.Proposal, error) { return g.b.ProposeRecipes(ctx, page, said) })
}

func (g *sourcings) RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipes.Proposal, error) {
	return allowed(g.r, PasteRecipe, func() (recipes.Proposal, error) { return g.b.RecipeFromCURL(ctx, text, page, said) })
}

func (g *sourcings) SaveRecipe(r *source.Recipe) (string, error) {
	return allowed(g.r, AcceptRecipe, func() (string, error) { return g.b.SaveRecipe(r) })
}

func (g *sourcings) SwitchRecipe(id string, on bool) error {
	if err := g.r.check(SwitchRecipe); err != nil {
		return err
	}
	return g.b.SwitchRecipe(id, on)
}

func (g *sourcings) RemoveRecipes(ids ...string) error {
	if err := g.r.check(RemoveRecipe); err != nil {
		return err
	}
	return g.b.RemoveRecipes(ids...)
}
