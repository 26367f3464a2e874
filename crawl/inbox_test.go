package crawl_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/demo/demotest"
	"angler/crawl/filter"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// lettered is a workspace of notices alone, with what a test says of each; nobody
// crawled them.
func lettered(t testing.TB, notices ...store.Notice) (dir string) {
	t.Helper()
	dir = created(t, func(set *config.Settings) { set.Store.ExpectedURLs = 1000 })
	addLetters(t, dir, notices...)
	return dir
}

// addLetters adds notices to a workspace that nothing has open.
func addLetters(t testing.TB, dir string, notices ...store.Notice) {
	t.Helper()
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	var seeds []string
	for _, n := range notices {
		seeds = append(seeds, n.URL)
	}
	must(t, errOf(w.Seed(seeds)))
	var all []*store.Capture
	for _, n := range notices {
		id, _ := w.Lookup(n.URL)
		n.ID = id
		body := []byte("<p>" + n.URL)
		all = append(all, &store.Capture{ID: id, State: store.Complete, Body: store.Compress(body), Notice: &n,
			Page: &store.Page{URL: n.URL, Status: 200, Title: n.Title, Hash: store.KeyOf(body), Fetched: inboxStart}})
	}
	for chunk := range slices.Chunk(all, 512) {
		must(t, errOf(w.Commit(nil, chunk)))
	}
}

var inboxStart = time.Date(2026, 11, 20, 8, 0, 0, 0, time.Local)

// letters are notices of three sites: two that show the same, one with a short text,
// and titles that end in their site's name.
func letters() []store.Notice {
	day := func(n int) time.Time { return inboxStart.AddDate(0, 0, -n) }
	long := strings.Repeat("南通大学琴房楼空调采购项目公开招标，欢迎合格的供应商参加投标。", 4)
	n := func(url, title, text string, days int) store.Notice {
		return store.Notice{URL: url, Title: title, Text: text, Date: day(days), Precision: 3, FirstSeen: day(days), Source: "http://list.test/" + url[7:9], Score: .5}
	}
	return []store.Notice{
		n("http://www.ntu.edu.cn/1", "琴房楼空调招标公告-南通大学", long, 1),
		n("http://ztb.ntu.edu.cn/1", "琴房楼空调招标公告-南通大学", long, 3),
		n("http://www.ntu.edu.cn/2", "宿舍家具采购公告-南通大学", "见附件", 2),
		n("http://www.ntu.edu.cn/3", "更正公告：电梯维保-南通大学", "见附件", 40),
		n("http://www.hainu.edu.cn/1", "世界石油大会服务", "电话：空调 0898", 5),
		n("http://b.hainu.edu.cn/1", "会议室音响", "", 400),
	}
}

func openLetters(t testing.TB, dir, by string) *crawl.Engine {
	t.Helper()
	e := opened(t, dir, crawl.Options{By: by, Now: func() time.Time { return inboxStart }})
	if err := e.Facts.Idle(t.Context()); err != nil { // what is one notice at several addresses is told by values
		t.Fatal(err)
	}
	return e
}

func list(t testing.TB, e *crawl.Engine, ask inbox.Request) *inbox.Listing {
	t.Helper()
	in, err := e.Inbox.List(context.Background(), ask)
	must(t, err)
	return in
}

// urlsOf are the addresses without scheme, in order.
func urlsOf(in *inbox.Listing) string {
	var out []string
	for _, r := range in.Rows {
		out = append(out, strings.TrimPrefix(r.URL, "http://"))
	}
	return strings.Join(out, " ")
}

func noticeID(t testing.TB, e *crawl.Engine, url string) uint64 {
	t.Helper()
	id, ok := e.Workspace().Lookup(url)
	if !ok {
		t.Fatalf("%s is not known", url)
	}
	return id
}

func TestInboxFilters(t *testing.T) {
	e := openLetters(t, lettered(t, letters()...), "wang")
	for query, want := range map[string]string{
		"":                         "www.ntu.edu.cn/1 www.ntu.edu.cn/2 ztb.ntu.edu.cn/1 www.hainu.edu.cn/1 www.ntu.edu.cn/3 b.hainu.edu.cn/1",
		"空调":                       "www.ntu.edu.cn/1 ztb.ntu.edu.cn/1 www.hainu.edu.cn/1", // one has it in its text alone
		"空调 -title:空调":             "www.hainu.edu.cn/1",
		"site:hainu":               "www.hainu.edu.cn/1 b.hainu.edu.cn/1",
		"网站：ntu age<7d -更正":        "www.ntu.edu.cn/1 www.ntu.edu.cn/2 ztb.ntu.edu.cn/1",
		"date<2026":                "b.hainu.edu.cn/1",
		"has:text age<7d site:ztb": "ztb.ntu.edu.cn/1",
		"is:read":                  "",
	} {
		if got := urlsOf(list(t, e, inbox.Request{Query: query})); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
	in := list(t, e, inbox.Request{Query: "空调 site:nowhere", Counts: []string{"", "is:unread", "site:hainu", "byer:x"}})
	if want := []filter.TermMatches{{Term: "空调", Alone: 3, Without: 0}, {Term: "site:nowhere", Alone: 0, Without: 3}}; !slices.EqualFunc(in.Why, want, func(a, b filter.TermMatches) bool {
		return a.Term == b.Term && a.Alone == b.Alone && a.Without == b.Without
	}) || len(in.Why[1].Values) == 0 {
		t.Errorf("why nothing is there: %+v, want %+v", in.Why, want)
	}
	if want := []int{5, 5, 2, -1}; !slices.Equal(in.Counts, want) {
		t.Errorf("the views count %v, want %v", in.Counts, want)
	}
	var at *filter.Error
	if _, err := e.Inbox.List(t.Context(), inbox.Request{Query: "byer:x"}); !errors.As(err, &at) {
		t.Errorf("a field that is none is answered with %v", err)
	}
	if in := list(t, e, inbox.Request{Since: inboxStart.AddDate(0, 0, -2)}); in.New != 1 || !in.Rows[0].New || in.Rows[1].New {
		t.Errorf("%d are new since the second day", in.New)
	}
}

func TestInboxNamesAndFolds(t *testing.T) {
	e := openLetters(t, lettered(t, letters()...), "wang")
	rows := map[string]inbox.ListedNotice{}
	for _, r := range list(t, e, inbox.Request{}).Rows {
		rows[strings.TrimPrefix(r.URL, "http://")] = r
	}
	for url, want := range map[string]string{
		"www.ntu.edu.cn/1": "南通大学", // what it writes behind every title
		"ztb.ntu.edu.cn/1": "ntu",  // too few titles to tell; www.ntu has a name already
		"b.hainu.edu.cn/1": "b.hainu", "www.hainu.edu.cn/1": "hainu",
	} {
		if got := rows[url].Site; got != want {
			t.Errorf("%s is called %q, want %q", url, got, want)
		}
	}
	names := map[string]string{}
	for _, r := range rows {
		if host, taken := names[r.Site]; taken && host != r.Host || r.Site == "" {
			t.Errorf("%s and %s are both called %q", r.Host, host, r.Site)
		}
		names[r.Site] = r.Host
	}
	if r := rows["www.ntu.edu.cn/2"]; r.Title[r.Cut:] != "-南通大学" {
		t.Errorf("behind the title stands %q", r.Title[r.Cut:])
	}
	first, second := rows["www.ntu.edu.cn/1"], rows["ztb.ntu.edu.cn/1"]
	if first.Copies != 1 || second.Under != first.ID {
		t.Errorf("one text under two addresses is not folded: %+v %+v", first, second)
	}
	if a, b := rows["www.ntu.edu.cn/2"], rows["www.ntu.edu.cn/3"]; a.Copies+b.Copies != 0 {
		t.Error("two notices are folded because both say: see the attachment")
	}
	// A filter that lets only the copy pass shows it.
	if in := list(t, e, inbox.Request{Query: "site:ztb"}); len(in.Rows) != 1 || in.Rows[0].Under != 0 {
		t.Errorf("the copy alone: %+v", in.Rows)
	}
}

// What is read is each person's own; stars, done, notes and verdicts are the team's,
// with who and when, and undo takes them back.
func TestInboxStates(t *testing.T) {
	dir := lettered(t, letters()...)
	e := openLetters(t, dir, "wang")
	li := e.As(auth.Actor{Name: "li", Role: auth.Owner})
	a, b := noticeID(t, e, "http://www.ntu.edu.cn/1"), noticeID(t, e, "http://www.ntu.edu.cn/2")
	must(t, e.Inbox.SetRead([]uint64{a, b}, true), e.Inbox.SetRead([]uint64{b}, false), e.Inbox.Star([]uint64{a, b}, true),
		li.Inbox.Done([]uint64{a}, true), li.Inbox.Star([]uint64{a}, true), e.Inbox.Note(a, " 打电话 "), li.Inbox.Judge([]uint64{b}, topic.No),
		e.Inbox.SaveView("", "mine", "is:starred -is:done"), e.Inbox.SaveView("mine", "ours", "is:starred"))
	if got := urlsOf(list(t, e, inbox.Request{Query: "is:read"})); got != "www.ntu.edu.cn/1 ztb.ntu.edu.cn/1" { // the other is its copy
		t.Errorf("wang has read %q", got)
	}
	if got := urlsOf(list(t, li, inbox.Request{Query: "is:read"})); got != "" {
		t.Errorf("li has read %q", got)
	}
	row := list(t, li, inbox.Request{Query: "is:starred is:done note:打电话 by:li"}).Rows
	if len(row) != 1 || row[0].Marks.Star.By != "wang" || row[0].Marks.Done.By != "li" || row[0].Marks.Says() != "打电话" {
		t.Fatalf("of the first notice is known: %+v", row)
	}
	if got := urlsOf(list(t, e, inbox.Request{Query: "is:no"})); got != "www.ntu.edu.cn/2" {
		t.Errorf("judged no: %q", got)
	}
	if n := e.Snapshot().Counts.Labels; n != 0 {
		t.Errorf("a verdict on a notice is a label of %d pages: it would teach what a list is", n)
	}
	if v := e.Inbox.Views(); len(v) != 1 || v[0].Name != "ours" || v[0].Query != "is:starred" {
		t.Errorf("views %+v", v)
	}
	if err := e.Inbox.Star([]uint64{1 << 40}, true); err == nil {
		t.Error("a star for what is no notice")
	}
	// One undo takes back a rename, the next what was said before it.
	for _, want := range []string{"view ours", "view mine", "judge no "} {
		var q *decisions.UndoQuestion
		what, err := e.Topic.Undo()
		if errors.As(err, &q) {
			what, err = e.Topic.UndoAgreed(q.Seq)
		}
		if err != nil || !strings.HasPrefix(what.String(), "undo: "+want) {
			t.Fatalf("undone is %q, %v; want %q", what, err, want)
		}
	}
	if len(e.Inbox.Views()) != 0 || urlsOf(list(t, e, inbox.Request{Query: "is:no"})) != "" {
		t.Error("undo has left something")
	}
	if _, err := e.Topic.Redo(); err != nil || urlsOf(list(t, e, inbox.Request{Query: "is:no"})) != "www.ntu.edu.cn/2" {
		t.Errorf("redo: %v", err)
	}
	must(t, e.Inbox.SetPlace(json.RawMessage(`{"at":5}`)), e.Close())

	again := openLetters(t, dir, "wang")
	if got := urlsOf(list(t, again, inbox.Request{Query: "is:read is:starred is:done"})); got != "www.ntu.edu.cn/1" {
		t.Errorf("after a restart %q", got)
	}
	place, err := again.Inbox.Place()
	if other, oerr := again.As(auth.Actor{Name: "li", Role: auth.Owner}).Inbox.Place(); err != nil || oerr != nil || string(place) != `{"at":5}` || other != nil {
		t.Errorf("the screens were left as %s, those of li as %s", place, other)
	}
	must(t, again.Close())
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("the check finds %v, %v", problems, err)
	}
}

// A notice that comes while the list is in memory is in the next one, its words too.
func TestInboxTakesUpWhatComes(t *testing.T) {
	web := openDemo(t, t.TempDir(), crawl.Options{By: "wang"})
	if in := list(t, web.Engine, inbox.Request{Query: "公告"}); in.All != 0 {
		t.Fatalf("%d notices in an empty workspace", in.All)
	}
	must(t, web.Runs.StartProbe())
	runEnds(t, web.Engine)
	sampled(t, web, 3)
	must(t, web.Runs.StartHarvest())
	runEnds(t, web.Engine)
	in, held := list(t, web.Engine, inbox.Request{Query: "公告"}), 0
	for n, err := range web.Workspace().Notices() {
		if err == nil && strings.Contains(n.Title+n.URL+n.Text, "公告") {
			held++
		}
	}
	if held == 0 || len(in.Rows) != held || in.All != web.Workspace().Counts().Notices {
		t.Errorf("%d of %d notices are listed, %d hold the word of %d", len(in.Rows), in.All, held, web.Workspace().Counts().Notices)
	}
}

func TestExportOfSomeNotices(t *testing.T) {
	e := openLetters(t, lettered(t, letters()...), "wang")
	ids := []uint64{noticeID(t, e, "http://b.hainu.edu.cn/1"), noticeID(t, e, "http://www.ntu.edu.cn/2")}
	must(t, e.Inbox.SetRead(ids[:1], true))
	for name, c := range map[string]struct {
		plan query.ExportPlan
		want []string
	}{
		"the ids in their order": {query.ExportPlan{What: "notices", IDs: ids}, []string{"http://b.hainu.edu.cn/1", "http://www.ntu.edu.cn/2"}},
		"a filter":               {query.ExportPlan{What: "notices", Filter: "site:hainu", By: "li"}, []string{"http://www.hainu.edu.cn/1", "http://b.hainu.edu.cn/1"}},
		"what wang has read":     {query.ExportPlan{What: "notices", Filter: "is:read", By: "wang"}, []string{"http://b.hainu.edu.cn/1"}},
		"none":                   {query.ExportPlan{What: "notices", IDs: []uint64{}}, nil},
	} {
		path := filepath.Join(t.TempDir(), "out.jsonl")
		n, err := e.Pages.ExportFile(t.Context(), c.plan, path, false)
		if err != nil || n != len(c.want) {
			t.Errorf("%s: %d rows, %v", name, n, err)
			continue
		}
		b, err := os.ReadFile(path)
		must(t, err)
		var got []string
		for line := range strings.Lines(string(b)) {
			var row query.NoticeJSON
			must(t, json.Unmarshal([]byte(line), &row))
			got = append(got, row.URL)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if err := (query.ExportPlan{What: "pages", Filter: "is:read"}).Check(); err == nil {
		t.Error("a filter for pages is taken")
	}
}

// A reader beside a process that has the workspace open sees it as it is on the disk.
func TestReadingBeside(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := lettered(t, letters()...)
	e := openLetters(t, dir, "wang")
	must(t, e.Inbox.Star([]uint64{noticeID(t, e, "http://www.ntu.edu.cn/2")}, true))
	r := opened(t, dir, crawl.Options{By: "wang", Reading: true, Now: func() time.Time { return inboxStart }})
	if store.Beside(r.Workspace()).IsZero() || !store.ReadOnly(r.Workspace()) {
		t.Error("the workspace was not opened beside")
	}
	if got := urlsOf(list(t, r, inbox.Request{Query: "is:starred"})); got != "www.ntu.edu.cn/2" {
		t.Errorf("beside, %q has a star", got)
	}
	if err := r.Inbox.SetRead([]uint64{1}, true); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("writing beside is answered with %v", err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "angler-reading-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("copies are left: %q, %v", left, err)
	}
}

func BenchmarkInboxList(b *testing.B) {
	var all []store.Notice
	for i := range 100_000 {
		all = append(all, store.Notice{URL: fmt.Sprintf("http://h%d.edu.cn/%d", i%300, i), Title: fmt.Sprintf("采购项目 %d 公开招标公告", i), Text: strings.Repeat("空调采购", 100), FirstSeen: inboxStart})
	}
	e := openLetters(b, lettered(b, all...), "wang")
	ask := inbox.Request{Query: "is:unread 项目", Counts: []string{"", "is:unread", "is:starred"}}
	list(b, e, ask) // reads the heads, and the texts for the word
	for b.Loop() {
		list(b, e, ask)
	}
}

// A search returns what the list of the same filter holds, which makes every row whole: the same notices with the same
// parts, copies and relevance, ordered by a plain sort.
func TestSearchAgreesWithLists(t *testing.T) {
	const copies = 40
	var all []store.Notice
	for i := range 400 {
		n := demotest.Tender(i % (400 - copies)) // the last ones show the same as the first
		n.URL = fmt.Sprintf("http://h%d.edu.cn/%d", i%17, i)
		n.Text += strings.Repeat("\n"+demotest.Thing(i%(400-copies)*7)+"应满足采购需求。", 3)
		if i%5 == 0 {
			n.Date, n.Precision = time.Time{}, 0
		}
		if i%7 == 0 {
			n.Changed = n.FirstSeen.Add(time.Hour)
		}
		all = append(all, n)
	}
	e := opened(t, lettered(t, all...), crawl.Options{By: "wang", Now: func() time.Time { return inboxStart }})
	if p := e.SearchReady(t.Context()); !p.Ready {
		t.Fatal(p)
	}
	var ids []uint64
	for i := range all {
		ids = append(ids, noticeID(t, e, all[i].URL))
	}
	agree := func(when string) {
		t.Helper()
		for _, query := range []string{"", "公开招标", "显微镜", "物理 维修", "公开招标 -维修", "site:h3", "title:空调", "list:list", "note:call",
			"by:wang", "is:unread", "is:read", "is:starred", "is:copy", "is:yes", "is:done", "is:changed", "is:doubtful", "has:budget", "date>=2026-09",
			"seen:2026-11-20", "state:招标", "state:招标 is:unread", "thread:HZ", "changed:2026-11-20", "age<30d", "score<1", "quality>=0",
			"for-me>.5", "for-me<=.5 显微镜", "files>0", "due<15d", "还剩<9d 安装", "budget>30w", "buyer:海州 kind:招标", "number:HZ2026-0001",
			"显微镜 call", "kind:招标 budget>30w due<20d is:unread -is:copy"} {
			for _, byDate := range []bool{false, true} {
				for {
					whole := list(t, e, inbox.Request{Query: query}).Rows
					fault := searchDiffers(t, e, query, byDate, whole)
					if fault == "" {
						break
					}
					// The relevance changes once, when the index takes up the new notice.
					if reflect.DeepEqual(whole, list(t, e, inbox.Request{Query: query}).Rows) {
						t.Fatalf("%s, %s", when, fault)
					}
				}
			}
		}
	}
	say := func(err error) {
		t.Helper()
		must(t, err)
	}
	agree("at first")
	say(e.Inbox.SetRead(ids[:30], true))
	say(e.Inbox.Star([]uint64{ids[0], ids[2], ids[50]}, true))
	say(e.Inbox.Done([]uint64{ids[1], ids[3], ids[60]}, true))
	say(e.Inbox.Note(ids[9], "call them"))
	say(e.Inbox.Judge([]uint64{ids[11]}, topic.Yes))
	agree("after decisions")
	n := demotest.Tender(999)
	n.URL, n.FirstSeen = "http://new.edu.cn/1", inboxStart.Add(-time.Hour)
	w := e.Workspace()
	_, err := w.Seed([]string{n.URL})
	say(err)
	n.ID, _ = w.Lookup(n.URL)
	_, err = w.Commit(nil, []*store.Capture{{ID: n.ID, State: store.Complete, Notice: &n, Page: &store.Page{URL: n.URL, Status: 200}}})
	say(err)
	e.Inbox.Noticed(&n)
	e.Facts.Noticed(n.ID)
	say(e.Facts.Idle(t.Context()))
	agree("after a new notice")
}

// searchDiffers compares a search with the rows of the list of the same filter, and says what is not alike.
func searchDiffers(t *testing.T, e *crawl.Engine, query string, byDate bool, rows []inbox.ListedNotice) string {
	t.Helper()
	want := slices.DeleteFunc(slices.Clone(rows), func(r inbox.ListedNotice) bool { return r.Under != 0 })
	slices.SortFunc(want, func(a, b inbox.ListedNotice) int {
		if a.Match != b.Match && !byDate {
			return cmp.Compare(b.Match, a.Match)
		}
		return cmp.Or(b.Shown().Compare(a.Shown()), cmp.Compare(a.ID, b.ID))
	})
	for skip := 0; skip == 0 || skip < len(want); skip += 150 {
		got, err := e.Inbox.Search(t.Context(), inbox.SearchRequest{Query: query, ByDate: byDate, Skip: skip, Limit: 150,
			Unrecorded: true})
		must(t, err)
		if got.Loose && len(want) == 0 {
			continue
		}
		if got.Total != len(want) || len(got.Rows) != min(150, len(want)-skip) {
			return fmt.Sprintf("%q: %d of %d rows, want %d", query, len(got.Rows), got.Total, len(want))
		}
		for i, x := range got.Rows {
			x.ForMe = float64(float32(x.ForMe)) // as a list keeps it
			if !reflect.DeepEqual(x.ListedNotice, want[skip+i]) {
				return fmt.Sprintf("%q: row %d is %+v, want %+v", query, skip+i, x.ListedNotice, want[skip+i])
			}
		}
	}
	return ""
}

// Many notices are read for the inbox after opening; few wait for the first list, and none are read under an ended context.
func TestManyNoticesAreReadBeforehand(t *testing.T) {
	some := func(n int) (all []store.Notice) {
		for i := range n {
			all = append(all, store.Notice{URL: fmt.Sprintf("http://h%d.edu.cn/%d", i%17, i),
				Title: fmt.Sprintf("采购项目 %d 公开招标公告", i), FirstSeen: inboxStart})
		}
		return all
	}
	few := openLetters(t, lettered(t, some(20)...), "wang")
	if few.ReadNotices(); few.Inbox.Kin() != nil {
		t.Error("few notices were read beforehand")
	}
	many := openLetters(t, lettered(t, some(5000)...), "wang")
	ended, end := context.WithCancel(t.Context())
	end()
	if err := many.Inbox.Prepare(ended); !errors.Is(err, context.Canceled) || many.Inbox.Kin() != nil {
		t.Errorf("under an ended context: %v, read: %v", err, many.Inbox.Kin() != nil)
	}
	if many.ReadNotices(); many.Inbox.Kin() == nil {
		t.Error("many notices were not read beforehand")
	}
}

// Stars and dones of a person order the notices for that person, and undo takes back what they taught.
func TestForMeFollowsVerdicts(t *testing.T) {
	var all []store.Notice
	for i := range 20 {
		title := fmt.Sprintf("激光显微镜采购公告第%d号", i)
		if i%2 == 1 {
			title = fmt.Sprintf("食堂保洁服务结果公示第%d期", i)
		}
		all = append(all, store.Notice{URL: fmt.Sprintf("http://a.test/%d", i), Title: title, FirstSeen: inboxStart,
			Date: inboxStart, Precision: 3})
	}
	e := openLetters(t, lettered(t, all...), "wang")
	id := func(i int) uint64 { return noticeID(t, e, all[i].URL) }
	say := func(err error) {
		t.Helper()
		must(t, err)
	}
	say(e.Inbox.Star([]uint64{id(0), id(2), id(4)}, true))
	say(e.Inbox.Done([]uint64{id(1)}, true))
	if in := list(t, e, inbox.Request{Query: "for-me>0"}); in.ForMe.Ready || in.ForMe.Yes != 3 || in.ForMe.No != 1 || len(in.Rows) > 0 {
		t.Fatalf("after 4 verdicts: %+v, %d rows", in.ForMe, len(in.Rows))
	}
	say(e.Inbox.SetRead([]uint64{id(5)}, true))
	say(e.Inbox.Done([]uint64{id(5)}, true)) // opened before: no verdict
	say(e.Inbox.Done([]uint64{id(3)}, true))
	in := list(t, e, inbox.Request{Query: "for-me>0.5"})
	if !in.ForMe.Ready || in.ForMe.No != 2 || len(in.Rows) != 10 {
		t.Fatalf("after 5 verdicts: %+v, %d rows", in.ForMe, len(in.Rows))
	}
	if got := list(t, e.As(auth.Actor{Name: "li", Role: auth.Analyst}), inbox.Request{}); got.ForMe.Yes != 0 || got.Rows[0].ForMe != -1 {
		t.Errorf("a colleague has learned %+v", got.ForMe)
	}
	likely, err := e.Inbox.LikelyToday(t.Context())
	if err != nil || likely.Notices != 10 {
		t.Errorf("%d of today's are likely, %v", likely.Notices, err)
	}
	why, err := e.Inbox.WhyForMe(t.Context(), id(6))
	if err != nil || why == nil || !why.Yes || why.Alike != 3 || !strings.Contains(strings.Join(why.Words, " "), "显微镜") {
		t.Errorf("why: %+v, %v", why, err)
	}
	undo(t, e.Topic)
	if in := list(t, e, inbox.Request{}); in.ForMe.Ready || in.ForMe.No != 1 || in.Rows[0].ForMe != -1 {
		t.Errorf("after undo: %+v", in.ForMe)
	}
}
