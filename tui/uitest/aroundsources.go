package uitest

import (
	"context"

	"angler/crawl/recipe"
	"angler/tui/parts"
)

type innerSources interface{ parts.Sourcing }

type aroundSources struct {
	innerSources
	before Before
}

func (p aroundSources) TryRecipe(ctx context.Context, r *recipe.Recipe, pages int) (*recipe.Preview, error) {
	return then(ctx, p.before, "TryRecipe", func() (*recipe.Preview, error) { return p.innerSources.TryRecipe(ctx, r, pages) })
}

func (p aroundSources) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error) {
	return then(ctx, p.before, "ProposeRecipes", func() ([]recipe.Proposal, error) { return p.innerSources.ProposeRecipes(ctx, page, said) })
}

func (p aroundSources) RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipe.Proposal, error) {
	return then(ctx, p.before, "RecipeFromCURL", func() (recipe.Proposal, error) { return p.innerSources.RecipeFromCURL(ctx, text, page, said) })
}

func (p aroundSources) SaveRecipe(r *recipe.Recipe) (string, error) {
	return then(context.Background(), p.before, "SaveRecipe", func() (string, error) { return p.innerSources.SaveRecipe(r) })
}

func (p aroundSources) SwitchRecipe(id string, on bool) error {
	return act(p.before, "SwitchRecipe", func() error { return p.innerSources.SwitchRecipe(id, on) })
}

func (p aroundSources) RemoveRecipes(ids ...string) error {
	return act(p.before, "RemoveRecipes", func() error { return p.innerSources.RemoveRecipes(ids...) })
}
