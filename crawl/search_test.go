package crawl_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/search"
	"angler/store"
)

// searching opens a workspace as angler notices search does, and waits for its index.
func searching(t testing.TB, dir, by string) *crawl.Engine {
	t.Helper()
	e := opened(t, dir, crawl.Options{By: by, Reading: true, Search: true})
	if p := e.SearchReady(t.Context()); !p.Ready {
		t.Fatalf("there is no index: %s", p.Why)
	}
	return e
}

// searched are the addresses that a search finds, in order.
func searched(t testing.TB, e *crawl.Engine, ask inbox.SearchRequest) (*inbox.FoundNotices, string) {
	t.Helper()
	got, err := e.Inbox.Search(t.Context(), ask)
	must(t, err)
	var out []string
	for _, r := range got.Rows {
		out = append(out, strings.TrimPrefix(r.URL, "http://"))
	}
	return got, strings.Join(out, " ")
}

func TestSearch(t *testing.T) {
	e := searching(t, lettered(t, letters()...), "wang")
	for query, want := range map[string]string{
		"空调":             "www.ntu.edu.cn/1 www.hainu.edu.cn/1", // once of two that show the same
		"空调 site:hainu":  "www.hainu.edu.cn/1",
		"空调 -琴房":         "www.hainu.edu.cn/1",
		"琴房楼空凋~":         "www.ntu.edu.cn/1",
		"\"家具采购公告\"":     "www.ntu.edu.cn/2",
		"hainu.edu.cn/1": "www.hainu.edu.cn/1 b.hainu.edu.cn/1",
		"site:b.hainu":   "b.hainu.edu.cn/1",
		"没有的词":           "",
	} {
		got, urls := searched(t, e, inbox.SearchRequest{Query: query})
		if urls != want || got.Loose {
			t.Errorf("%s finds %q (loose %v), want %q", query, urls, got.Loose, want)
		}
	}
	got, _ := searched(t, e, inbox.SearchRequest{Query: "空调 采购", Limit: 1})
	if got.Total != 1 || len(got.Rows) != 1 || got.Rows[0].Match <= 0 {
		t.Fatalf("%+v", got)
	}
	r := got.Rows[0]
	if len(r.Lit) == 0 || r.Snippet[r.Lit[0].From:r.Lit[0].To] != "空调采购" || len(r.InTitle) == 0 {
		t.Errorf("%q is lit at %v, its title at %v", r.Snippet, r.Lit, r.InTitle)
	}
	if got, urls := searched(t, e, inbox.SearchRequest{Query: "空调琴房招标"}); !got.Loose || urls != "www.ntu.edu.cn/1" {
		t.Errorf("loosely %q is found, %v", urls, got.Loose)
	}
	if _, urls := searched(t, e, inbox.SearchRequest{Query: "公告", ByDate: true}); urls != "www.ntu.edu.cn/1 www.ntu.edu.cn/2 www.ntu.edu.cn/3" {
		t.Errorf("by date: %q", urls)
	}
	if in := list(t, e, inbox.Request{Query: "空调"}); !in.Ranked || in.Rows[0].Match <= 0 {
		t.Errorf("the inbox has no relevance: %+v", in.Rows)
	}
}

// TestSearchByTerm repeats the experiment of P2 3.5 (figures 6 and 7): without domain
// terms a search finds any word of the query, with them an accepted term is one word.
func TestSearchByTerm(t *testing.T) {
	dir := lettered(t, append(letters(),
		store.Notice{URL: "http://x.edu.cn/1", Title: "通知", Text: "世界各地的石油装备商在大会上交流，石油，大会，世界。"},
		store.Notice{URL: "http://x.edu.cn/2", Title: "通知", Text: "石油学院的世界史大会。"})...)
	e := openLetters(t, dir, "wang")
	must(t, e.Terms.AcceptTerms([]string{"世界石油大会"}))
	must(t, e.Close())
	e = searching(t, dir, "wang")
	if got, urls := searched(t, e, inbox.SearchRequest{Query: "世界石油大会", Plain: true}); got.Total != 3 || !slices.Equal(got.Words, []string{"世界", "石油", "大会"}) || !strings.Contains(urls, "x.edu.cn/2") {
		t.Errorf("without the dictionary %q is found", urls)
	}
	if _, urls := searched(t, e, inbox.SearchRequest{Query: "世界石油大会"}); urls != "www.hainu.edu.cn/1" {
		t.Errorf("with it %q", urls)
	}
	// Just after another term was accepted the index is still cut by the old dictionary.
	must(t, e.Terms.AcceptTerms([]string{"石油装备商"}))
	const right = "x.edu.cn/1"
	without, _ := searched(t, e, inbox.SearchRequest{Query: "石油装备商", Plain: true})
	if with, urls := searched(t, e, inbox.SearchRequest{Query: "石油装备商"}); urls != right || without.Total <= with.Total {
		t.Errorf("of a term that was just accepted %q is found, without it %d notices", urls, without.Total)
	}
	t.Logf("世界石油大会: precision 1/3 without the term, 1 with it; 石油装备商: 1/%d, 1", without.Total)
}

// TestUnanswered: a query without results is kept; while it is typed, only its end.
func TestUnanswered(t *testing.T) {
	e := openLetters(t, lettered(t, letters()...), "wang")
	asked := func() (out []string) {
		list, err := e.Inbox.Unanswered(t.Context())
		must(t, err)
		for _, q := range list {
			out = append(out, q.Query)
		}
		slices.Sort(out)
		return out
	}
	for _, typed := range []string{"显", "显微", "显微镜", "显微镜", "", "空", "空调", "深海x", "深海", "深海钻井", "空调", "site:nowhere", ""} {
		list(t, e, inbox.Request{Query: typed})
	}
	if got := asked(); !slices.Equal(got, []string{"显微镜", "深海钻井"}) {
		t.Errorf("remembered are %q", got)
	}
	snaps, end := e.Subscribe()
	defer end()
	for late := time.After(10 * time.Minute); ; {
		select {
		case s := <-snaps:
			if len(s.Unanswered) != 2 {
				continue
			}
		case <-late:
			t.Error("no snapshot tells what was looked for in vain")
		}
		break
	}
	searched(t, e, inbox.SearchRequest{Query: "离心机"})
	if got := asked(); !slices.Contains(got, "离心机") {
		t.Errorf("a search is not remembered: %q", got)
	}
	if list, err := e.Inbox.Unanswered(t.Context()); err != nil || list[0].By != "wang" || list[0].Times != 1 || list[0].Now != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestSearchBeside: a second process searches what a first one has open, by the index of
// the first, and finds what that does not hold yet.
func TestSearchBeside(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := lettered(t, letters()...)
	searching(t, dir, "wang").Close()
	held := openLetters(t, dir, "wang")
	if p := held.SearchReady(t.Context()); !p.Ready {
		t.Fatal(p.Why)
	}
	w := held.Workspace()
	must(t, errOf(w.Seed([]string{"http://new.edu.cn/1"})))
	id, _ := w.Lookup("http://new.edu.cn/1")
	if _, err := w.Commit(nil, []*store.Capture{{ID: id, State: store.Complete, Page: &store.Page{URL: "http://new.edu.cn/1", Status: 200},
		Notice: &store.Notice{ID: id, URL: "http://new.edu.cn/1", Title: "空调清洗", Text: "空调清洗服务"}}}); err != nil {
		t.Fatal(err)
	}
	e := searching(t, dir, "li")
	if store.Beside(e.Workspace()).IsZero() {
		t.Error("the workspace was not opened beside")
	}
	if _, urls := searched(t, e, inbox.SearchRequest{Query: "空调"}); !strings.Contains(urls, "new.edu.cn/1") || !strings.Contains(urls, "www.hainu.edu.cn/1") {
		t.Errorf("beside %q is found", urls)
	}
	if got, _ := searched(t, e, inbox.SearchRequest{Query: "显微镜"}); got.Total != 0 {
		t.Errorf("%+v", got)
	}
	must(t, e.Close())
	if left, err := filepath.Glob(filepath.Join(temp, "angler-search-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
	// Where the index cannot be read, the stored notices are looked at.
	must(t, os.RemoveAll(filepath.Join(dir, search.Folder)))
	e = opened(t, dir, crawl.Options{By: "li", Reading: true, Search: true})
	if p := e.SearchReady(t.Context()); p.Ready || p.Why == "" {
		t.Errorf("without an index: %+v", p)
	}
	if got, _ := searched(t, e, inbox.SearchRequest{Query: "空调"}); got.Total != 3 {
		t.Errorf("without an index %d are found", got.Total)
	}
	e.Close()
	if left, err := filepath.Glob(filepath.Join(temp, "angler-search-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}
