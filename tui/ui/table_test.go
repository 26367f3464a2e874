package ui

import (
	"fmt"
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
		Column[item]{Title: "name", Width: 6, Flex: 1, Cell: func(i *item) (string, Style) { return i.name, Plain }, Text: func(r *item) string { return r.name }},
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
	tb.Arranged(second().(Arranged))
	tb.Arranged(late)
	if tb.Len() != 10 {
		t.Errorf("%d rows shown, want the 10 of the newest filter", tb.Len())
	}
	// Rows that come while a filter is on its way are not lost.
	tb.SetRows(many(30000))
	cmd := tb.SetFilter(NewFilter("行2999"))
	tb.Arranged(cmd().(Arranged))
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
	if s := ansi.Strip(c.String()); !strings.Contains(s, "esc to clear") {
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
