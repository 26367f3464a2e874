package crawl

import (
	"context"

	"angler/crawl/browser"
	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/recipe"
)

// openRecipes opens the recipes of the workspace.
func (c *core) openRecipes() {
	c.recipes = recipe.NewRecipes(recipe.RecipesConfig{Store: c.ws, Fetch: c.fetcher, Limiter: c.limiter, Settings: c.settings.Now, Events: &c.events, Now: c.opt.Now,
		Render: func(ctx context.Context, document *fetch.Response) (*browser.Rendered, error) {
			return c.rendering.Look(ctx, document)
		},
		Judge: func(by, state string, list ...decisions.RecipeChoice) error {
			return decisions.JudgeRecipes(c.decisions, by, state, list...)
		}})
	c.runner.replies, c.runner.read = append(c.runner.replies, c.recipes), c.recipes.Reads
}
