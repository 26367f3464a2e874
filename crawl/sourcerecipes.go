package crawl

import (
	"maps"

	"angler/crawl/browser"
	"angler/crawl/decisions"
	"angler/crawl/recipes"
	"angler/crawl/source"
)

// openRecipes opens the recipes of the workspace.
func (c *core) openRecipes() {
	c.recipes = recipes.New(recipes.Config{Store: c.ws, Fetch: c.fetcher, Settings: c.settings.Now, Events: &c.events, Now: c.opt.Now,
		Judge: func(by, state string, list ...decisions.RecipeChoice) error {
			return decisions.JudgeRecipes(c.decisions, by, state, list...)
		}})
	c.runner.replies, c.runner.read = append(c.runner.replies, c.recipes), c.recipes.Reads
}

// learned keeps what a rendered page has received as JSON as a proposal.
func (c *core) learned(address string, html []byte, list []browser.Exchange) {
	exchanges := make([]*source.Exchange, 0, len(list))
	for i := range list {
		q, a := &list[i].Request, list[i].Reply
		x := &source.Exchange{Method: q.Method, URL: q.URL, Body: string(q.Body), Headers: q.Header, Reply: a.Body, Type: a.ContentType}
		if q.ContentType != "" {
			x.Headers = maps.Clone(q.Header)
			if x.Headers == nil {
				x.Headers = map[string]string{}
			}
			x.Headers["Content-Type"] = q.ContentType
		}
		exchanges = append(exchanges, x)
	}
	c.recipes.Learn(address, html, exchanges)
}
