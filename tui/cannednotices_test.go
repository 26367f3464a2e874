package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"angler/crawl/attachments"
	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/lab"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/query"
	"angler/dict"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// This file holds canned's notices, terms and link orders.

// WhyForMe and LikelyToday know of no verdicts.
func (c *canned) WhyForMe(context.Context, uint64) (*inbox.WhyForMe, error) { return nil, nil }

func (c *canned) LikelyToday(context.Context) (out inbox.LikelyToday, err error) { return out, nil }

// Kindred returns no other notices.
func (c *canned) Kindred(context.Context, uint64) (*inbox.Relations, error) { return nil, nil }

// RankNotices does nothing: every notice has its quality.
func (c *canned) RankNotices(context.Context) (bool, error) { return false, nil }

// Views returns the saved filters.
func (c *canned) Views() []decisions.SavedView {
	return []decisions.SavedView{{Name: "空调", Query: "空调 -更正"}}
}

// CheckFilter accepts every filter.
func (c *canned) CheckFilter(string) error { return nil }

// FilterFields returns two of many fields.
func (c *canned) FilterFields() [][4]string {
	return [][4]string{{"site", "site:ntu, a part of the site's name or host", ":", "网站"}, {"age", "age<7d, in h, d, w, m or y", "<", "距今"}}
}

// Place returns nothing, so every picture starts with defaults; SetPlace does nothing.
func (c *canned) Place() (json.RawMessage, error) { return nil, nil }
func (c *canned) SetPlace(json.RawMessage) error  { return nil }

// SetRead does nothing.
func (c *canned) SetRead([]uint64, bool) error { return nil }

// Yields counts the notices of every list; every third is new.
func (c *canned) Yields(context.Context) (map[uint64]inbox.ListYield, error) {
	out := map[uint64]inbox.ListYield{}
	for i := range c.Snapshot().Notices {
		y := out[listOf(i)]
		y.Notices++
		if i%3 == 0 {
			y.New++
		}
		out[listOf(i)] = y
	}
	return out, nil
}

// List shows every state of a notice; filters show the same.
func (c *canned) List(_ context.Context, ask inbox.Request) (*inbox.Listing, error) {
	m := c.moment()
	at := c.Snapshot().At
	book := &inbox.Listing{Query: ask.Query, Lists: map[uint64]*inbox.Quality{}, T: .7, Counts: make([]int, len(ask.Counts)), Fields: c.Fields()}
	book.Yields, _ = c.Yields(context.Background())
	for _, r := range c.Snapshot().Harvest {
		book.Lists[r.ID] = qualityOf(r.ID)
	}
	for i, n := range c.Snapshot().Notices {
		list := listOf(i)
		book.All++
		h := &inbox.NoticeHead{ID: n.ID, URL: n.URL, Host: n.Host, Title: n.Title, Date: n.Date, At: n.At, Source: m.row(list).URL, SourceID: list, Score: .92 - float64(i%17)/40, Files: i % 3, Text: true}
		if said, err := c.Of(n.ID); err == nil {
			h.Facts = cannedWords.Pack(said, n.Title)
		}
		r := inbox.ListedNotice{NoticeHead: h, Site: schoolOf(n.Host), Cut: len(n.Title), Read: i%4 == 1, New: i < 3, Quality: qualityOf(n.ID)}
		by := &decisions.Remark{By: "wang", At: at}
		switch i % 9 {
		case 2:
			r.Marks = &decisions.Marks{Star: by}
		case 4:
			r.Marks, r.Read = &decisions.Marks{Done: by}, true
		case 5:
			r.Marks = &decisions.Marks{Verdict: topic.No, Judged: by}
		case 6:
			r.Marks = &decisions.Marks{Note: "打电话问一下", Noted: by}
		case 7:
			r.Copies = 7
		}
		if !r.Read {
			book.Unread++
		}
		if r.New {
			book.New++
		}
		book.Rows = append(book.Rows, r)
	}
	for i := range book.Counts {
		book.Counts[i] = []int{book.All, book.Unread, 3, 5, 3, 9}[i%6]
	}
	return book, nil
}

func (c *canned) Notice(_ context.Context, id uint64) (*query.NoticeDetail, error) {
	m := c.moment()
	for i, n := range c.Snapshot().Notices {
		if n.ID != id {
			continue
		}
		list := m.row(listOf(i))
		return &query.NoticeDetail{ID: id, URL: n.URL, Host: n.Host, Title: n.Title, Date: n.Date, At: n.At, Source: list.URL, Score: .92, Quality: qualityOf(n.ID),
			Text: noticeText(n.Title), Method: "mass", SourceTitle: list.Title, Theta: .3,
			Pattern: "招标", Files: []attachments.Document{{Attachment: store.Attachment{Name: "招标文件.docx", URL: "http://" + n.Host + "/files/1.docx", Class: "document"}, State: "kept", Kind: "docx", Size: 48_200, Read: true, Letters: 12_440}}}, nil
	}
	return nil, errGone
}

func noticeText(title string) string {
	buyer := ""
	for _, s := range schools { // every title begins with one
		if strings.HasPrefix(title, s.name) {
			buyer = "采购人\t" + s.name + "\n"
		}
	}
	return "一、项目概况\n项目名称\t" + title + "\n" + buyer + "预算金额\t92.28万元\n投标截止时间\t2026-12-01 09:30\n二、采购内容：详见招标文件。\n序号\t名称\t数量\t单价（元）\n1\t空调\t12台\t3 200\n2\t控制箱\t2个\t1 150\n联系人：王老师\n电话：0513-85012345\n"
}

// schoolOf returns the name of a site.
func schoolOf(host string) string {
	for _, s := range schools {
		if s.host == host {
			return s.name
		}
	}
	return host
}

// listOf returns the list of notice i.
func listOf(i int) uint64 { return uint64(101 + i%6*8) }

func qualityOf(id uint64) *inbox.Quality {
	q := &inbox.Quality{Similarity: .66 - float64(id%13)/40, PageRank: float64(id*7%20) / 20, Rank: float64(id*7%20+1) / 25_000, Among: 60}
	return q.With(.7)
}

// source returns the page's HTML.
func (p *inventedPage) source() string {
	var s strings.Builder
	fmt.Fprintf(&s, "<!DOCTYPE html>\n<html>\n<head><title>%s</title></head>\n<body>\n<ul>\n", p.show.Title)
	for _, r := range p.show.Records {
		fmt.Fprintf(&s, "\t<li><a href=\"%s\">%s</a><span>%s</span></li>\n", r.URL, r.Title, r.Date)
	}
	s.WriteString("</ul>\n</body>\n</html>\n")
	return s.String()
}

// compounds are terms that a segmenter of the invented vocabulary would split.
var compounds = []string{
	"竞争性 磋商 公告", "采购 项目 招标 公告", "公开 招标 公告", "询价 采购 公告", "琴房 楼 空调", "实验室 设备",
	"学生 宿舍 家具", "图书馆 书架", "食堂 燃气 管道", "网络 安全 服务", "体育馆 灯光", "教学楼 电梯 维保",
	"校园 绿化 养护", "档案 数字化", "会议室 音响",
}

// ProposedTerms returns none: there was no harvest.
func (c *canned) ProposedTerms() *decisions.FoundTerms { return &decisions.FoundTerms{Overdue: true} }

func (c *canned) TermSettings() config.Terms { return config.Default().Terms }

// FindTerms returns the compounds with their counts in the pages' text. The C-value is that of
// candidates inside no longer one.
func (c *canned) FindTerms(_ context.Context, most int) (*decisions.FoundTerms, error) {
	pages := c.moment().pages
	f := &decisions.FoundTerms{By: c.TermSettings(), Pages: len(pages)}
	for i, compound := range compounds {
		segments := strings.Fields(compound)
		word := strings.Join(segments, "")
		t := decisions.FoundTerm{Term: dict.Term{Word: word, Segments: segments, POS: strings.Repeat("+n", len(segments))[1:]}, New: i%6 == 2}
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
	slices.SortStableFunc(f.Terms, func(x, y decisions.FoundTerm) int { return cmp.Compare(y.CValue, x.CValue) })
	f.Above = len(f.Terms)
	f.Terms = f.Terms[:min(most, len(f.Terms))]
	return f, nil
}

// Compare compares link orders on the graph of the invented web; the speed is invented, too,
// because a clock would change every picture.
func (c *canned) Compare(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	g := c.moment().graph()
	rows, err := lab.Compare(ctx, lab.Plan{Strategies: plan.Strategies, Draws: plan.Draws,
		Graph: func(context.Context, int) (*lab.Graph, error) { return g, nil },
		Make:  func(name string) (linkorder.Strategy, error) { return linkorder.New(name, linkorder.Params{}) }})
	for _, r := range rows {
		r.Rate = 250_000
	}
	pages, targets := g.Reach()
	return &lab.Result{Comparison: plan, Pages: pages, Targets: targets, Unreached: 3, Rows: rows}, err
}

// graph is the graph of the lab: the front page links to the schools, a school to its sections and
// departments, those to their pages; the targets are always the tender lists.
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
