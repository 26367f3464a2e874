package tui

import (
	"context"
	"fmt"
	"time"

	"angler/crawl/recipe"
	"angler/tui/screen"
)

// cannedSources has a proposal, and a broken, an active and a paused recipe.
type cannedSources struct{ screen.Sourcing }

func (cannedSources) RecipeRows() ([]recipe.RecipeRow, error) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	return []recipe.RecipeRow{
		{ID: "jy", Name: "江南省公共资源交易中心 交易公告", Address: "http://jy.jiangnan.test/rest/list#recipe:jy:page=1", SeenOn: "http://jy.jiangnan.test/jyxx/list.html", Pages: "POST page 1, 2 …", From: recipe.FromBrowser, File: "sources/jy.proposed", Waits: true},
		{ID: "cg", Name: "云梦大学采购网 采购公告", Address: "http://cg.yunmeng.test/api/notices#recipe:cg:page=1", SeenOn: "http://cg.yunmeng.test/list.html", Pages: "GET page 1, 2 …", From: recipe.FromBrowser, File: "sources/cg.toml", Entries: 20, Visited: at},
		{ID: "hall", Name: "东湖市政务大厅 中标公示", Address: "http://hall.donghu.test/rest/list#recipe:hall:page=1", SeenOn: "http://hall.donghu.test/list.html", Pages: "GET page 0, 1 …", From: recipe.FromBrowser, File: "sources/hall.toml", Entries: 15, Visited: at, Why: "the reply has no data.records", Reply: "sources/hall.reply"},
		{ID: "old", Name: "水云县采购网", Address: "http://cg.shuiyun.test/api#recipe:old:page=1", SeenOn: "http://cg.shuiyun.test/", Pages: "GET page 1, 2 …", From: recipe.FromCURL, File: "sources/old.toml", Off: true},
	}, nil
}

func (cannedSources) Recipe(id string) (*recipe.Recipe, error) { return cannedRecipe(id), nil }

func cannedRecipe(id string) *recipe.Recipe {
	return &recipe.Recipe{ID: id, Name: "江南省公共资源交易中心 交易公告", SeenOn: "http://jy.jiangnan.test/jyxx/list.html", From: recipe.FromBrowser,
		Request: recipe.Request{URL: "http://jy.jiangnan.test/rest/list", Body: `{"page":{page}}`, Page: recipe.Pages{First: 1, Step: 1}}}
}

func (cannedSources) TryRecipe(_ context.Context, _ *recipe.Recipe, pages int) (*recipe.Preview, error) {
	out := new(recipe.Preview)
	for n := 1; n <= pages; n++ {
		p := recipe.ShownRecipe{Page: n, Total: 57, Last: 3}
		for i := range 20 {
			p.Rows = append(p.Rows, recipe.Row{Day: fmt.Sprintf("2026-11-%02d", 20-i/2-5*(n-1)), Title: fmt.Sprintf("江南学院实验楼空调采购项目（第%d批）公开招标公告", 20*(n-1)+i+1), URL: fmt.Sprintf("http://jy.jiangnan.test/jyxx/%d.html", 4000+20*(n-1)+i)})
		}
		out.Pages = append(out.Pages, p)
	}
	return out, nil
}

func (c cannedSources) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error) {
	said("trying POST http://jy.jiangnan.test/rest/list")
	r := cannedRecipe("jy")
	r.SeenOn = page
	p, err := c.TryRecipe(ctx, r, 2)
	return []recipe.Proposal{{Recipe: r, Why: "the page received the reply to http://jy.jiangnan.test/rest/list", Preview: p}}, err
}

func (c cannedSources) RecipeFromCURL(ctx context.Context, _, _ string, said func(string)) (recipe.Proposal, error) {
	list, err := c.ProposeRecipes(ctx, "http://jy.jiangnan.test/jyxx/list.html", said)
	return list[0], err
}
