package tui

import (
	"context"
	"time"

	"angler/crawl/seeds"
	"angler/store/records"
	"angler/tui/screen"
)

// cannedSeeds proposes three hosts.
type cannedSeeds struct{ screen.Seeding }

func (cannedSeeds) SeedProposals(state string) (out []seeds.Proposal, err error) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, p := range []seeds.Proposal{
		{Host: "zbb.yunmeng.test", URL: "http://zbb.yunmeng.test/", Domain: "yunmeng.test", Title: "云梦大学招标办", State: seeds.ProposalOpen, Votes: 9, New: true, First: at,
			Search: &records.ProposalSearch{Questions: 6, Words: []string{"招标", "采购公告", "中标"}, Results: 14, Best: 1, Example: "http://zbb.yunmeng.test/list.htm"},
			Links:  &records.ProposalLinks{Pages: 31, Sites: 3, Anchors: []string{"云梦大学", "招标办"}, Example: "http://zb.donghu.test/"}},
		{Host: "ccgp.jiangnan.test", URL: "https://www.ccgp.jiangnan.test/", Domain: "jiangnan.test", Title: "江南省政府采购网", State: seeds.ProposalOpen, Votes: 4, New: true, First: at,
			Search: &records.ProposalSearch{Questions: 4, Words: []string{"采购公告", "成交"}, Results: 7, Best: 3}},
		{Host: "news.shuiyun.test", URL: "http://news.shuiyun.test/", Domain: "shuiyun.test", State: seeds.ProposalRejected, Votes: 1, By: "wang", At: at, First: at,
			Files: []records.ProposalFile{{Name: "sites.opml", Entries: 1, Text: "水云新闻"}}},
	} {
		if state == "" || p.State == state {
			p.Why = "found"
			out = append(out, p)
		}
	}
	return out, nil
}

func (cannedSeeds) SeedQuestions() ([]string, error) { return []string{"招标", "采购"}, nil }

func (cannedSeeds) LookAt(_ context.Context, url string) (*seeds.FirstLook, error) {
	return &seeds.FirstLook{URL: url, Status: 200, Title: "首页", Type: "hub", Links: []string{"招标公告", "中标公示"}}, nil
}
