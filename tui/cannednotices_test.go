package tui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"angler/crawl/lab"
	"angler/crawl/order"
	"angler/crawl/page"
	"angler/crawl/view"
	"angler/crawl/vocabulary"
	"angler/dict/terms"
	"angler/store"
)

// This file is what canned knows of notices, terms and link orders.

// RankNotices has nothing to do: every notice has its quality.
func (c *canned) RankNotices(context.Context) (bool, error) { return false, nil }

func (c *canned) Notices(_ context.Context, _ string, most int) (*view.NoticeBook, error) {
	m := c.moment()
	book := &view.NoticeBook{Yields: map[uint64]view.ListYield{}, Lists: map[uint64]*view.Quality{}, T: .7}
	for _, r := range c.Snapshot().Harvest {
		book.Lists[r.ID] = qualityOf(r.ID)
	}
	for i, n := range c.Snapshot().Notices {
		list := listOf(i)
		y := book.Yields[list]
		y.Notices++
		if i%3 == 0 {
			y.New++
		}
		book.Yields[list] = y
		n.Label = m.labels[n.ID]
		book.Total++
		book.Rows = append(book.Rows, view.NoticeItem{NoticeRow: n, Source: m.row(list).URL, Score: .92 - float64(i%17)/40, Quality: qualityOf(n.ID), Attachments: i % 3})
	}
	book.Rows = book.Rows[:min(len(book.Rows), most)]
	return book, nil
}

func (c *canned) Notice(_ context.Context, id uint64) (*view.NoticeDetail, error) {
	m := c.moment()
	for i, n := range c.Snapshot().Notices {
		if n.ID != id {
			continue
		}
		list := m.row(listOf(i))
		return &view.NoticeDetail{NoticeItem: view.NoticeItem{NoticeRow: n, Source: list.URL, Score: .92, Quality: qualityOf(n.ID), Attachments: 1},
			Text: "一、项目名称\t" + n.Title + "\n二、采购内容：详见招标文件。\n三、投标截止时间 2026-12-01 09:30。\n", Method: "mass", SourceTitle: list.Title, Theta: .3,
			Pattern: "招标", Files: []store.Attachment{{Name: "招标文件.docx", URL: "http://" + n.Host + "/files/1.docx", Class: "document"}}}, nil
	}
	return nil, errGone
}

// listOf is the list that brought home notice i.
func listOf(i int) uint64 { return uint64(101 + i%6*8) }

func qualityOf(id uint64) *view.Quality {
	q := &view.Quality{Similarity: .66 - float64(id%13)/40, PageRank: float64(id*7%20) / 20, Rank: float64(id*7%20+1) / 25_000, Among: 60}
	return q.With(.7)
}

// source is the page's HTML.
func (p *inventedPage) source() string {
	var s strings.Builder
	fmt.Fprintf(&s, "<!DOCTYPE html>\n<html>\n<head><title>%s</title></head>\n<body>\n<ul>\n", p.show.Title)
	for _, r := range p.show.Records {
		fmt.Fprintf(&s, "\t<li><a href=\"%s\">%s</a><span>%s</span></li>\n", r.URL, r.Title, r.Date)
	}
	s.WriteString("</ul>\n</body>\n</html>\n")
	return s.String()
}

// compounds are what a segmenter of the invented vocabulary would cut to pieces.
var compounds = [][]string{
	{"竞争性", "磋商", "公告"}, {"采购", "项目", "招标", "公告"}, {"公开", "招标", "公告"}, {"询价", "采购", "公告"},
	{"琴房", "楼", "空调"}, {"实验室", "设备"}, {"学生", "宿舍", "家具"}, {"图书馆", "书架"}, {"食堂", "燃气", "管道"},
	{"网络", "安全", "服务"}, {"体育馆", "灯光"}, {"教学楼", "电梯", "维保"}, {"校园", "绿化", "养护"}, {"档案", "数字化"}, {"会议室", "音响"},
}

// ProposedTerms are none: nothing was harvested.
func (c *canned) ProposedTerms() *vocabulary.Found { return &vocabulary.Found{Overdue: true} }

func (c *canned) TermSettings() store.TermSettings { return store.DefaultSettings().Terms }

// FindTerms finds the compounds with their counts in the pages' text. The C-value
// is that of candidates that no longer one holds.
func (c *canned) FindTerms(_ context.Context, most int) (*vocabulary.Found, error) {
	pages := c.moment().pages
	f := &vocabulary.Found{By: c.TermSettings(), Pages: len(pages)}
	for i, segments := range compounds {
		word := strings.Join(segments, "")
		t := vocabulary.Term{Term: terms.Term{Word: word, Segments: segments, POS: strings.Repeat("+n", len(segments))[1:]}, New: i%6 == 2}
		for _, p := range pages {
			n := strings.Count(p.show.Text, word)
			if n == 0 {
				continue
			}
			t.Count += n
			t.Pages++
			for line := range strings.SplitSeq(p.show.Text, "\n") {
				if len(t.Examples) < 2 && strings.Contains(line, word) {
					t.Examples = append(t.Examples, line)
					break
				}
			}
		}
		t.CValue = math.Log2(float64(utf8.RuneCountInString(word))) * float64(t.Count)
		if t.Count > 1 {
			f.Terms = append(f.Terms, t)
		}
	}
	slices.SortStableFunc(f.Terms, func(x, y vocabulary.Term) int { return cmp.Compare(y.CValue, x.CValue) })
	f.Above = len(f.Terms)
	f.Terms = f.Terms[:min(most, len(f.Terms))]
	return f, nil
}

// Lab compares link orders on the graph of the invented web; the speed is
// invented, too, because a clock would make every picture another.
func (c *canned) Lab(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	g := c.moment().graph()
	rows, err := lab.Compare(ctx, lab.Plan{Strategies: plan.Strategies, Draws: plan.Draws,
		Graph: func(context.Context, int) (*lab.Graph, error) { return g, nil },
		Make:  func(name string) (order.Strategy, error) { return order.New(name, order.Params{}) }})
	for _, r := range rows {
		r.Rate = 250_000
	}
	pages, targets := g.Reach()
	return &lab.Result{Comparison: plan, Pages: pages, Targets: targets, Unreached: 3, Rows: rows}, err
}

// graph is what the lab crawls: the front page links to the schools, a school to
// its sections and departments, those to their pages; what is found is the
// tender lists, whatever the target.
func (m *moment) graph() *lab.Graph {
	g := &lab.Graph{Blocks: []string{"body/div"}, Seeds: []int32{0}, Pages: []lab.Page{{URL: "http://front.test/"}}, Anchors: []lab.Anchor{{}}}
	front := map[string]int32{}
	link := func(from, to int32) {
		g.Pages[from].Links = append(g.Pages[from].Links, lab.Link{To: to, Anchor: to})
	}
	add := func(url, anchor string, score float64, target bool) int32 {
		i := int32(len(g.Pages))
		g.Pages = append(g.Pages, lab.Page{URL: url, Score: score, Relevant: target, Target: target})
		g.Anchors = append(g.Anchors, lab.Anchor{Text: anchor, Score: score})
		return i
	}
	for _, s := range schools {
		front[s.host] = add("http://"+s.host+"/", s.name, .1, false)
		link(0, front[s.host])
	}
	var lists []int32
	for i := range m.pages {
		r := m.row(m.pages[i].row.ID)
		at := add(r.URL, r.Title, r.Score, r.Type == page.List && r.Score > .3)
		if r.Type == page.List {
			link(front[r.Host], at)
			lists = append(lists, at)
		} else if len(lists) > 0 {
			link(lists[i%len(lists)], at)
		}
	}
	return g
}
