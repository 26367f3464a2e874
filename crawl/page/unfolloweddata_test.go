package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/crawl/listpage"
	"angler/crawl/webtest/realpages"
)

// realLists parses the real pages of the folders sites, lists and portals, by their path.
func realLists(t *testing.T) map[string]*Page {
	t.Helper()
	pages := map[string]*Page{}
	for _, folder := range []string{"sites", "lists", "portals"} {
		root := realpages.Path(t, folder)
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(filepath.Base(path), "htm") {
				return err
			}
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(filepath.Dir(root), path)
			if err != nil {
				return err
			}
			url := "http://" + filepath.ToSlash(strings.TrimPrefix(name, "sites"+string(filepath.Separator)))
			if p, err := Parse(Source{URL: url, Body: body}, Options{Now: crawled}); err == nil {
				pages[filepath.ToSlash(name)] = p
			}
			return nil
		})
		must(t, err)
	}
	return pages
}

// mirrored is a mirror whose links the copying program has put into scripts, so that its pages have
// missing entries.
const mirrored = "sites/yjszs.cqjtu.edu.cn/"

// namedReal holds the kinds of the missing entries of real pages, checked by eye. Other pages must have
// none.
var namedReal = map[string]string{
	"lists/list/hsqhfunds_announcement.html":             listpage.KindPager, // toPage(2)
	"lists/list/netease_rolling_news.html":               listpage.KindPager, // a blank link
	"lists/list/rtfund_xxpl.html":                        listpage.KindPager, // executePage(2, …)
	"portals/ccgp_list.html":                             listpage.KindPager, // drawn by a script
	"portals/ggzy_gov_cn_dealList_page.html":             listpage.KindPager, // javascript:getList(2)
	"portals/jl_list_page.html":                          listpage.KindScript,
	"portals/jsggzy_trade_shell.html":                    listpage.KindScript,
	"sites/cs.fudan.edu.cn/ywtb-portal/fudan/index.html": listpage.KindScript,
	"sites/cs.fudan.edu.cn/authserver/login.html":        listpage.KindLogin,
	"sites/cs.fudan.edu.cn/authserver/login1.html":       listpage.KindLogin,
	"sites/cs.fudan.edu.cn/eservice/find_password.html":  listpage.KindLogin,
}

// TestRealListsAreNamed counts the lists of the real pages that show more than their
// links lead to.
//
//	go test -run RealListsAreNamed -v ./crawl/page
func TestRealListsAreNamed(t *testing.T) {
	lists, paged, followed, named := 0, 0, 0, 0
	for name, p := range realLists(t) {
		leads := false
		for i := range p.Links {
			l := &p.Links[i]
			leads = leads || l.Pager && l.URL != "" && l.URL != p.URL
		}
		if p.Type == List {
			lists++
			switch {
			case leads:
				paged, followed = paged+1, followed+1
			case len(p.Unfollowed) > 0:
				paged, named = paged+1, named+1
			}
		}
		kind := ""
		if len(p.Unfollowed) > 0 {
			kind = p.Unfollowed[0].Kind
			t.Logf("%s: %s: %s (%s)", name, kind, p.Unfollowed[0].Why, p.Unfollowed[0].Text)
		}
		if want := namedReal[name]; kind != want && (!strings.HasPrefix(name, mirrored) || kind != listpage.KindRows) {
			t.Errorf("%s: named %q, want %q", name, kind, want)
		}
	}
	t.Logf("%d list pages: %d have a pager, of %d a link leads on or back, %d are named", lists, paged, followed, named)
	if followed < 50 || named != 5 {
		t.Errorf("of the pagers %d are followed and %d named", followed, named)
	}
}

// BenchmarkUnfollowed says what share of understanding a page of a real site takes to
// look for what is not followed, and how many pages of them allocate for it.
//
//	go test -run '^$' -bench Unfollowed ./crawl/page
func BenchmarkUnfollowed(b *testing.B) {
	var all, looked time.Duration
	pages, allocate := 0, 0
	reps := 30
	for _, site := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		for _, row := range goldRows(b, site) {
			body, err := os.ReadFile(filepath.Join(realpages.Path(b, "sites", site), row.Path))
			must(b, err)
			src := Source{URL: "http://" + site + "/" + row.Path, Body: body}
			all += fastest(5, func() {
				if _, err := Parse(src, Options{Now: crawled}); err != nil {
					b.Fatal(err)
				}
			})
			a := newAnalysis(src.URL)
			p, err := a.analyse(src, &Options{Now: crawled})
			must(b, err)
			in := listpage.MissingInput{Tree: a.tree, Links: p.Links, Records: len(p.Records), Dated: p.Dated, List: p.Type == List, Text: p.Type == Detail && !p.Date.IsZero()}
			looked += fastest(reps, func() { listpage.FindMissing(&in) })
			pages++
			if len(p.Unfollowed) == 0 && testing.AllocsPerRun(3, func() { listpage.FindMissing(&in) }) > 0 {
				allocate++
			}
			a.release()
		}
	}
	for b.Loop() {
	}
	b.ReportMetric(100*float64(looked)/float64(all), "%ofparse")
	b.ReportMetric(float64(looked.Nanoseconds())/float64(pages), "ns/page")
	b.ReportMetric(float64(allocate), "pages-that-allocate")
}
