package role

import (
	"context"

	"angler/crawl/recipe"
	"angler/tui/parts"
)

// sourcings lets everybody see the recipes. Who looks for one or tries one asks others'
// sites; who sends a request of their own making, or says what is asked from now on,
// decides where requests go, as one who types a seed does.
type sourcings struct {
	b parts.Sourcing
	r Role
}

func (g *sourcings) RecipeRows() ([]recipe.RecipeRow, error)  { return g.b.RecipeRows() }
func (g *sourcings) Recipe(id string) (*recipe.Recipe, error) { return g.b.Recipe(id) }

func (g *sourcings) TryRecipe(ctx context.Context, r *recipe.Recipe, pages int) (*recipe.Preview, error) {
	return allowed(g.r, TryRecipes, func() (*recipe.Preview, error) { return g.b.TryRecipe(ctx, r, pages) })
}

func (g *sourcings) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error) {
	return allowed(g.r, TryRecipes, func() ([]recipe.Proposal, error) { return g.b.ProposeRecipes(ctx, page, said) })
}

func (g *sourcings) RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipe.Proposal, error) {
	return allowed(g.r, PasteRecipe, func() (recipe.Proposal, error) { return g.b.RecipeFromCURL(ctx, text, page, said) })
}

func (g *sourcings) SaveRecipe(r *recipe.Recipe) (string, error) {
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
