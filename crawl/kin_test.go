package crawl_test

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/inbox"
	"angler/crawl/run"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
	"angler/store/sealed"
)

// noticesSite is a site of lists that never change and of notices that a test edits. It
// counts what it is asked.
type noticesSite struct {
	mu             sync.Mutex
	lists, notices int
	robots         string
	texts          map[int]string
	hits           int // that every page shows
	asked          map[string]int
}

func (s *noticesSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	var b strings.Builder
	n := 0
	switch {
	case r.URL.Path == "/robots.txt" && s.robots != "":
		fmt.Fprint(w, s.robots)
		return
	case r.URL.Path == "/":
		b.WriteString("<html><head><title>东湖大学</title></head><body><div>")
		for i := range (s.lists + 31) / 32 {
			fmt.Fprintf(&b, `<a href="/s/%d.htm">栏目%d</a> `, i, i)
		}
	case scan(r.URL.Path, "/s/%d.htm", &n):
		b.WriteString("<html><head><title>东湖大学</title></head><body><div>")
		for i := n * 32; i < min(s.lists, n*32+32); i++ {
			fmt.Fprintf(&b, `<a href="/l/%d.htm">采购公告%d</a> `, i, i)
		}
	case scan(r.URL.Path, "/l/%d.htm", &n):
		fmt.Fprintf(&b, "<html><head><title>采购公告%d-东湖大学</title></head><body><ul>", n)
		for k := range s.notices / s.lists {
			i := n*(s.notices/s.lists) + k
			fmt.Fprintf(&b, `<li><a href="/n/%d.htm">%s采购项目公开招标公告</a><span>2026-06-%02d</span></li>`, i, thing(i), 1+i%28)
		}
		b.WriteString("</ul>")
	case scan(r.URL.Path, "/n/%d.htm", &n):
		fmt.Fprintf(&b, "<html><head><title>%s采购项目公开招标公告</title></head><body><div><h1>%s采购项目公开招标公告</h1><p>发布时间：2026-06-%02d　浏览次数：%d</p>%s", thing(n), thing(n), 1+n%28, s.hits, s.texts[n])
	default:
		http.NotFound(w, r)
		return
	}
	b.WriteString("</div></body></html>")
	h := fnv.New64a()
	h.Write([]byte(b.String()))
	tag := fmt.Sprintf("%q", fmt.Sprintf("%x", h.Sum64()))
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write([]byte(b.String()))
}

// change edits the site; requests counts and forgets those whose paths begin so.
func (s *noticesSite) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *noticesSite) requests(prefix string) (n, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, k := range s.asked {
		if strings.HasPrefix(path, prefix) {
			n += k
			most = max(most, k)
			delete(s.asked, path)
		}
	}
	return n, most
}

func newNoticesSite(lists, notices int) *noticesSite {
	s := &noticesSite{lists: lists, notices: notices, texts: map[int]string{}, asked: map[string]int{}, hits: 1}
	for i := range notices {
		s.texts[i] = fmt.Sprintf("<p>项目编号：DHU-2026-%05d</p><p>采购人：东湖大学</p><p>预算金额：%d万元</p><p>东湖大学第%d实验室拟采购显微镜%d台，欢迎符合条件的供应商参加投标。</p><p>投标截止时间：2026年7月%d日9时30分</p><p>联系人：王老师，联系电话：027-876%05d</p>", i, 10+i%90, i, 1+i%9, 10+i%18, i)
	}
	return s
}

// serveNotices opens a workspace on such a site that a discovery and a harvest have gone
// through; the returned clock is the engine's.
func serveNotices(t *testing.T, lists, notices int, change ...func(*config.Settings)) (*noticesSite, *crawl.Engine, *clock) {
	t.Helper()
	s := newNoticesSite(lists, notices)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.PerHost, set.Store.ExpectedURLs = []string{"http://dhu.test/"}, 0, 8, 10_000
		for _, f := range change {
			f(set)
		}
	})
	now := clockAt(time.Date(2026, 6, 30, 8, 0, 0, 0, time.Local))
	e := opened(t, dir, crawl.Options{By: "wang", Now: now.Now, Dial: dialling(server)})
	for i := range 3 {
		addSample(t, e.Topic, fmt.Sprintf("http://dhu.test/l/%d.htm", i))
	}
	discover(t, e.Runs)
	harvest(t, e.Runs)
	return s, e, now
}

// rowsOf are the rows of every bucket: how many, their bytes, and a number of their
// content.
func rowsOf(t *testing.T, w *store.Workspace) map[string][3]int {
	t.Helper()
	out := map[string][3]int{}
	err := w.View(func(tx sealed.Tx) error {
		c := tx.Raw().Cursor()
		for name, _ := c.First(); name != nil; name, _ = c.Next() {
			h := fnv.New64a()
			n, size := 0, 0
			rows := tx.Raw().Bucket(name).Cursor()
			for k, v := rows.First(); k != nil; k, v = rows.Next() {
				n, size = n+1, size+len(k)+len(v)
				h.Write(k)
				h.Write(v)
			}
			out[string(name)] = [3]int{n, size, int(h.Sum64() >> 1)}
		}
		return nil
	})
	must(t, err)
	return out
}

// What did not change costs one conditional request a list, and leaves nothing behind
// but when it was visited.
func TestASecondHarvestOfAThousandUnchangedListsStoresNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	const lists = 1000
	site, e, now := serveNotices(t, lists, 4*lists)
	if n := e.Workspace().Counts().Notices; n != 4*lists {
		t.Fatalf("%d notices came home, want %d", n, 4*lists)
	}
	must(t, e.Facts.Idle(t.Context()))
	site.requests("/")
	before := rowsOf(t, e.Workspace())
	now.jump(2 * time.Hour)
	s := harvest(t, e.Runs)
	must(t, e.Facts.Idle(t.Context()))
	after := rowsOf(t, e.Workspace())
	asked, most := site.requests("/l/")
	others, _ := site.requests("/")
	if asked != lists || most != 1 || others > 1 { // robots.txt
		t.Errorf("%d requests for %d lists, at most %d for one, %d for other pages", asked, lists, most, others)
	}
	if s.Notices != 0 || s.Changed != 0 || s.Tally.Unchanged != lists {
		t.Errorf("the harvest tells of %d new and %d changed notices, %d lists unchanged", s.Notices, s.Changed, s.Tally.Unchanged)
	}
	var grew int
	for _, name := range slices.Sorted(mapKeys(after)) {
		was, is := before[name], after[name]
		if was == is {
			continue
		}
		t.Logf("%s: %d rows of %d bytes, then %d of %d", name, was[0], was[1], is[0], is[1])
		switch name {
		case "runs", "state", "meta": // what became of the run itself
		case "pages": // when it was visited, in the row that is there
			if was[0] != is[0] {
				t.Errorf("pages has %d rows, had %d", is[0], was[0])
			}
			grew = is[1] - was[1]
		default:
			t.Errorf("rows of %s are others now", name)
		}
	}
	if grew > 32*lists || grew < -32*lists {
		t.Errorf("the rows of visits grew by %d bytes", grew)
	}
	// Once more: nothing grows any longer.
	before = after
	now.jump(2 * time.Hour)
	harvest(t, e.Runs)
	if is, was := rowsOf(t, e.Workspace())["pages"], before["pages"]; is[0] != was[0] || is[1]-was[1] > 4*lists {
		t.Errorf("pages: %d rows of %d bytes, then %d of %d", was[0], was[1], is[0], is[1])
	}
}

func mapKeys[K cmp.Ordered, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// A notice that robots.txt forbids does not keep its list unfinished.
func TestAForbiddenNoticeFinishesItsList(t *testing.T) {
	site, e, now := serveNotices(t, 3, 3)
	site.change(func() {
		site.notices, site.texts[4], site.robots = 6, "<p>采购人：东湖大学</p>", "User-agent: *\nDisallow: /n/5.htm\n"
	})
	for round := range 2 { // the second knows it from what is stored
		now.jump(48 * time.Hour)
		done := harvest(t, e.Runs)
		if len(done.Lists) > 0 {
			t.Errorf("round %d: notices of %d lists are left", round, len(done.Lists))
		}
		id, _ := e.Workspace().Lookup("http://dhu.test/n/5.htm")
		u, err := e.Workspace().URL(id)
		if err != nil || u == nil || u.Failure.Kind != store.FailedRobots {
			t.Fatalf("the forbidden notice: %+v, %v", u, err)
		}
	}
}

func TestAChangedNoticeKeepsItsVersionsAndIsUnreadAgain(t *testing.T) {
	site, e, now := serveNotices(t, 3, 12)
	id := func(n int) uint64 {
		id, ok := e.Workspace().Lookup(fmt.Sprintf("http://dhu.test/n/%d.htm", n))
		if !ok {
			t.Fatalf("notice %d is not known", n)
		}
		return id
	}
	list := func(hand interface {
		List(context.Context, inbox.Request) (*inbox.Listing, error)
	}, query string) []uint64 {
		t.Helper()
		b, err := hand.List(t.Context(), inbox.Request{Query: query})
		must(t, err)
		var out []uint64
		for _, r := range b.Rows {
			out = append(out, r.ID)
		}
		slices.Sort(out)
		return out
	}
	all := list(e.Inbox, "")
	if len(all) != 12 {
		t.Fatalf("%d notices", len(all))
	}
	must(t, e.Inbox.SetRead(all, true))
	li := e.As(auth.Actor{Name: "li", Role: auth.Owner})
	must(t, li.Inbox.SetRead(all[:6], true))

	site.change(func() {
		site.hits = 4711 // on every page
		site.texts[3] = strings.Replace(site.texts[3], "7月13日", "7月25日", 1)
	})
	harvest := func(after time.Duration) run.Summary {
		t.Helper()
		now.jump(after)
		s := harvest(t, e.Runs)
		return s
	}
	site.requests("/")
	if s := harvest(time.Hour); s.Changed != 0 {
		t.Errorf("after an hour no notice is visited, %d changed", s.Changed)
	}
	if n, _ := site.requests("/n/"); n != 0 {
		t.Errorf("%d requests for notices after an hour", n)
	}
	if s := harvest(24 * time.Hour); s.Changed != 1 || s.Notices != 0 {
		t.Errorf("%d changed, %d new; want 1 and none", s.Changed, s.Notices)
	}
	if n, most := site.requests("/n/"); n != 12 || most != 1 {
		t.Errorf("%d requests for notices, %d for one", n, most)
	}
	for who, hand := range map[string]*crawl.Engine{"wang": e, "li": li} {
		if got := list(hand.Inbox, "is:changed"); !slices.Equal(got, []uint64{id(3)}) {
			t.Errorf("%s: changed are %v", who, got)
		}
	}
	if got := list(e.Inbox, "is:unread"); !slices.Equal(got, []uint64{id(3)}) {
		t.Errorf("unread again are %v, want %d", got, id(3))
	}
	must(t, e.Inbox.SetRead([]uint64{id(3)}, true))
	if got := list(e.Inbox, "is:unread"); len(got) > 0 {
		t.Errorf("unread are %v", got)
	}
	if got := list(li.Inbox, "is:unread"); !slices.Contains(got, id(3)) {
		t.Errorf("for the other it is unread still: %v", got)
	}

	x, err := e.Inbox.Kindred(t.Context(), id(3))
	if err != nil || len(x.Versions) != 1 {
		t.Fatalf("versions: %+v, %v", x, err)
	}
	var diff strings.Builder
	for _, l := range x.Versions[0].Lines {
		if l.Text != "" && l.Kind.Sign() != " " {
			diff.WriteString(l.Kind.Sign() + l.Text + "\n")
		}
	}
	if want := "-投标截止时间：2026年7月13日9时30分\n+投标截止时间：2026年7月25日9时30分\n"; diff.String() != want {
		t.Errorf("what changed is\n%swant\n%s", diff.String(), want)
	}
	n, err := e.Workspace().Notice(id(3))
	if err != nil || !strings.Contains(n.Text, "7月25日") || n.Changed.IsZero() || !n.FirstSeen.Before(n.Changed) {
		t.Errorf("the notice is %+v, %v", n, err)
	}

	// Kept are as many as the settings say, and none is made of what did not change.
	for i := range 4 {
		site.change(func() { site.texts[3] += fmt.Sprintf("<p>补充说明%d：详见附件。</p>", i) })
		if s := harvest(60 * time.Hour); s.Changed != 1 {
			t.Errorf("round %d: %d changed", i, s.Changed)
		}
		if i == 0 {
			must(t, errOf(e.Settings.ChangeSetting("harvest.versions", "3")))
		}
	}
	kept, err := records.VersionsOf(e.Workspace(), id(3))
	if err != nil || len(kept) != 3 || kept[2].Number != 5 {
		t.Errorf("kept are %+v, %v", kept, err)
	}
	if n := versionRows(t, e.Workspace()); n != len(kept) {
		t.Errorf("%d versions are kept of all notices", n)
	}

	// A page without a text, and one that is gone, change nothing.
	site.change(func() { site.texts[5] = "" })
	harvest(120 * time.Hour)
	if n, err := e.Workspace().Notice(id(5)); err != nil || !strings.Contains(n.Text, "DHU-2026-00005") {
		t.Errorf("the notice is %q, %v", n.Text, err)
	}
}
