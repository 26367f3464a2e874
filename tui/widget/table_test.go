package widget

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

type item struct {
	id   uint64
	name string
}

func items(names ...string) []item {
	var out []item
	for _, n := range names {
		out = append(out, item{hashOf(n), n})
	}
	return out
}

func hashOf(s string) (h uint64) {
	for _, r := range s {
		h = h*31 + uint64(r)
	}
	return h
}

func newItems() *Table[item] {
	t := NewTable(func(i *item) uint64 { return i.id }, func(i *item) string { return i.name },
		Column[item]{Title: "name", Width: 6, Flex: 1, Text: func(r *item) string { return r.name }},
	)
	t.SetHeight(3)
	t.Live = true
	return t
}

func TestCursorFollowsTheRow(t *testing.T) {
	base := []string{"a", "b", "c", "d", "e"}
	for name, c := range map[string]struct {
		move  int
		after []string
		want  string
	}{
		"rows arrive above":     {2, []string{"x", "y", "a", "b", "c", "d", "e"}, "c"},
		"rows arrive below":     {2, []string{"a", "b", "c", "x", "y"}, "c"},
		"order turned":          {1, []string{"e", "d", "c", "b", "a"}, "b"},
		"its row vanished":      {1, []string{"a", "c", "d"}, "c"},
		"all vanished":          {3, nil, ""},
		"first row held":        {0, []string{"x", "a", "b"}, "a"},
		"untouched follows top": {-1, []string{"x", "a", "b"}, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newItems()
			tb.SetRows(items(base...))
			if c.move >= 0 {
				tb.To(c.move)
			}
			tb.SetRows(items(c.after...))
			got := ""
			if r := tb.Selected(); r != nil {
				got = r.name
			}
			if got != c.want {
				t.Errorf("cursor on %q, want %q", got, c.want)
			}
		})
	}
}

func TestNewRowsAreAnnouncedUntilSeen(t *testing.T) {
	tb := newItems()
	tb.SetRows(items("a", "b", "c", "d"))
	tb.To(1)
	tb.SetRows(items("x", "y", "a", "b", "c", "d", "z"))
	if above, below := tb.Fresh(); above != 2 || below != 1 {
		t.Fatalf("announced %d above and %d below, want 2 and 1", above, below)
	}
	tb.End()
	tb.Draw(NewCanvas(mono(t), 20, 4), true, "")
	if above, below := tb.Fresh(); above != 2 || below != 0 {
		t.Errorf("after looking at the end: %d above, %d below", above, below)
	}
	tb.Home()
	tb.Draw(NewCanvas(mono(t), 20, 4), true, "")
	if above, below := tb.Fresh(); above+below != 0 {
		t.Errorf("seen rows are still announced: %d, %d", above, below)
	}
}

func TestFilterAndSort(t *testing.T) {
	tb := newItems()
	tb.SetRows(items("南通 招标公告", "海南 中标公示", "南通 新闻", "Tender NOTICE"))
	for filter, want := range map[string]string{
		"":       "南通 招标公告,海南 中标公示,南通 新闻,Tender NOTICE",
		"招标":     "南通 招标公告",
		"公告 南通":  "南通 招标公告",
		"!南通":    "海南 中标公示,Tender NOTICE",
		"notice": "Tender NOTICE",
		"没有":     "",
	} {
		tb.SetFilter(NewFilter(filter))
		var got []string
		for i := 0; i < tb.Len(); i++ {
			tb.To(i)
			got = append(got, tb.Selected().name)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("filter %q shows %q", filter, got)
		}
	}
	tb.SetFilter(Filter{})
	tb.To(3)
	tb.SortBy(0)
	if tb.Selected().name != "Tender NOTICE" {
		t.Errorf("sorting moved the cursor to %q", tb.Selected().name)
	}
	tb.Home()
	if tb.Selected().name != "Tender NOTICE" {
		t.Errorf("sorted first row is %q", tb.Selected().name)
	}
	tb.Reverse()
	tb.SortBy(0)
}

func many(n int) []item {
	out := make([]item, n)
	for i := range out {
		out[i] = item{uint64(i), fmt.Sprintf("行%05d", i)}
	}
	return out
}

func TestBigArrangementsRunInBackgroundAndStaleOnesAreDropped(t *testing.T) {
	tb := newItems()
	tb.SetRows(many(20000))
	first := tb.SetFilter(NewFilter("行00001"))
	second := tb.SetFilter(NewFilter("行1999"))
	if first == nil || second == nil {
		t.Fatal("20 000 rows were filtered inside Update")
	}
	late := first().(Arranged)
	second().(Arranged).Show()
	late.Show()
	if tb.Len() != 10 {
		t.Errorf("%d rows shown, want the 10 of the newest filter", tb.Len())
	}
	// Rows that arrive while a filter is running are not lost.
	tb.SetRows(many(30000))
	cmd := tb.SetFilter(NewFilter("行2999"))
	cmd().(Arranged).Show()
	if tb.Total() != 30000 || tb.Len() != 10 {
		t.Errorf("total %d shown %d", tb.Total(), tb.Len())
	}
}

func TestEmptyTableSaysWhy(t *testing.T) {
	tb := newItems()
	c := NewCanvas(mono(t), 60, 6)
	tb.Draw(c, true, "No pages yet. Press S.")
	if !strings.Contains(ansi.Strip(c.String()), "Press S") {
		t.Errorf("empty table:\n%s", c.String())
	}
	tb.SetRows(items("a"))
	tb.SetFilter(NewFilter("zzz"))
	c.Clear()
	tb.Draw(c, true, "No pages yet.")
	if s := ansi.Strip(c.String()); !strings.Contains(s, "{clear_filter} to") {
		t.Errorf("filtered table:\n%s", s)
	}
}

func BenchmarkTable100k(b *testing.B) {
	tb := newItems()
	tb.SetRows(many(100000))
	c := NewCanvas(mono(b), 80, 40)
	for b.Loop() {
		tb.Move(1)
		tb.Draw(c, true, "")
	}
}

// Rows of another filter do not count as fresh.
func TestAnewAnnouncesNothing(t *testing.T) {
	table := NewTable(func(r *int) uint64 { return uint64(*r) }, func(r *int) string { return "" }, Column[int]{Title: "n", Width: 3, Cell: func(*int) (string, Style) { return "", Plain }})
	table.Live = true
	table.SetRows([]int{1, 2})
	Anew(table)
	table.SetRows([]int{1, 2, 3, 4})
	if len(table.fresh) != 0 {
		t.Errorf("%d rows of another question are announced", len(table.fresh))
	}
	table.SetRows([]int{1, 2, 3, 4, 5})
	if len(table.fresh) != 1 {
		t.Errorf("%d rows are announced, one has come", len(table.fresh))
	}
}

// A spare column is dropped for a column with a wish, unless the rows are sorted by it; other
// columns stay.
func TestTableWishes(t *testing.T) {
	column := func(title string, drop int, spare bool) Column[item] {
		return Column[item]{Title: title, Width: 10, Drop: drop, Spare: spare, Text: func(i *item) string { return i.name }}
	}
	title := column("title", 0, false)
	title.Flex, title.Wish = 1, 30
	table := func() *Table[item] {
		return NewTable(func(i *item) uint64 { return i.id }, func(i *item) string { return i.name }, title, column("buyer", 1, false), column("quality", 2, true), column("files", 3, true))
	}
	for _, c := range []struct {
		w    int
		sort string
		want string // the visible titles
	}{
		{80, "", "title buyer quality files"},
		{60, "", "title buyer quality"},
		{46, "", "title buyer"},
		{46, "quality", "title buyer quality"},
		{36, "", "title buyer"},
		{20, "", "title"},
	} {
		tb := table()
		tb.OrderBy(c.sort, false)
		var got []string
		for i, r := range tb.layout(c.w) {
			if r.W > 0 {
				got = append(got, tb.Cols[i].Title)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%d cells, sorted by %q: %s; want %s", c.w, c.sort, text, c.want)
		}
	}
}

// A row with a head is directly after it in every order.
func TestRowsFollowTheirHead(t *testing.T) {
	type entry struct {
		id, under uint64
		name      string
		n         float64
	}
	rows := []entry{{2, 1, "a", 9}, {5, 0, "b", 5}, {1, 0, "c", 1}, {3, 1, "d", 7}, {7, 6, "e", 2}, {4, 0, "f", 3}}
	cell := func(*entry) (string, Style) { return "", Plain }
	tb := NewTable(func(e *entry) uint64 { return e.id }, func(e *entry) string { return e.name },
		Column[entry]{Title: "text", Cell: cell, Text: func(e *entry) string { return e.name }},
		Column[entry]{Title: "number", Cell: cell, Number: func(e *entry) float64 { return e.n }},
		Column[entry]{Title: "less", Cell: cell, Less: func(a, b *entry) bool { return a.name < b.name }})
	tb.Under = func(e *entry) uint64 { return e.under }
	shown := func() string {
		out := ""
		for i := range tb.view {
			out += tb.rows[tb.view[i]].name
		}
		return out
	}
	tb.SetRows(rows)
	if got := shown(); got != "bcadfe" {
		t.Errorf("as given: %s", got)
	}
	for col, want := range [][2]string{{"bcadfe", "fcdabe"}, {"cdafbe", "bfcade"}, {"bcadfe", "fcdabe"}} {
		for dir, desc := range []bool{false, true} {
			tb.sort, tb.desc = col, desc
			tb.arrange(tb.given)
			if got := shown(); got != want[dir] {
				t.Errorf("by %s, descending %v: %s, want %s", tb.Cols[col].Title, desc, got, want[dir])
			}
		}
	}
	tb.SetOnly(func(e *entry) bool { return e.id != 1 })
	if got := shown(); got != "fbeda" {
		t.Errorf("without the head: %s", got)
	}
}

func TestFiltersFoldCaseInEveryScript(t *testing.T) {
	for _, c := range []struct {
		filter, text string
		want         bool
	}{
		{"招标", "某大学招标公告", true}, {"ABC", "xabcx", true}, {"abc", "某ABC", true}, {"ä", "Ä", true}, {"ａ", "Ａ", true},
		{"d", "中D", true}, {"!招标", "招标", false}, {"标招", "招标", false}, {"é", "É 招", true},
	} {
		if got := NewFilter(c.filter).Match(c.text); got != c.want {
			t.Errorf("%q finds %q: %v, want %v", c.filter, c.text, got, c.want)
		}
	}
}

// Cells that one column does not need go to another with longer texts.
func TestSharesFollowTheTexts(t *testing.T) {
	long := "www.qingya.test/zbgg/2026/1123/c4021a110987/page.htm"
	for _, c := range []struct {
		name, title, address string
		want                 []int // widths of the two columns, which share 96
	}{
		{"the address is long", "招标公告", long, []int{29, 67}},
		{"the title is long", long + long, "a.test", []int{88, 8}},
		{"both are long", long + long, long + long, []int{53, 43}},
		{"both are short", "招标公告", "a.test", []int{56, 40}},
	} {
		tb := NewTable(func(*item) uint64 { return 1 }, func(*item) string { return "" },
			Column[item]{Title: "title", Width: 20, Flex: 3, Cell: func(*item) (string, Style) { return c.title, Plain }},
			Column[item]{Title: "address", Width: 20, Flex: 2, Cell: func(*item) (string, Style) { return c.address, Plain }},
		)
		tb.SetRows(items("a"))
		tb.Draw(NewCanvas(mono(t), 100, 4), true, "")
		places := tb.layout(100)
		if got := []int{places[0].W, places[1].W}; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v cells, want %v", c.name, got, c.want)
		}
	}
}

// The sign of the order takes its own cell: it touches neither neighbouring head.
func TestTheSignOfTheOrderTouchesNoOtherHead(t *testing.T) {
	count := func(title string) Column[item] {
		return Column[item]{Title: title, Width: 4, Right: true, Cell: func(*item) (string, Style) { return "1", Plain }, Text: func(r *item) string { return r.name }}
	}
	tb := NewTable(func(r *item) uint64 { return r.id }, func(r *item) string { return r.name }, count("rate"), count("home"), count("next"))
	tb.SetRows(items("a", "b"))
	for w, want := range map[int]string{18: "rate home▼ next", 17: "rate ho…▼ next"} { // 17 leaves no cell for it
		tb.sort, tb.desc = -1, false
		tb.SortBy(1)
		c := NewCanvas(mono(t), w, 3)
		tb.Draw(c, true, "")
		if head, _, _ := strings.Cut(ansi.Strip(c.String()), "\n"); strings.TrimSpace(head) != want {
			t.Errorf("at %d cells the heads are %q, want %q", w, head, want)
		}
	}
}
