package inbox

import (
	"fmt"
	"slices"
	"testing"

	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/tui/screen"
)

// A notice of many prices shows the first of each field, and how many are left out: its
// text stands below them.
func TestManyThingsLeaveRoomForTheText(t *testing.T) {
	set, err := fields.Preset(fields.Prices)
	if err != nil {
		t.Fatal(err)
	}
	r := set.Extract(fields.Notice{Title: "价格", Text: priceTable(slices.Repeat([]string{"3"}, 30))})
	var x values
	x.take(&facts.NoticeFacts{Set: set, Result: r}, false)
	if len(x.all) != 2*mostOfField || x.all[mostOfField-1].more != 24 || x.all[mostOfField].f.Name != "price" {
		t.Errorf("%d values are shown: %+v", len(x.all), x.all)
	}
}

// A column of prices shows from which to which a notice has them: a filter asks for any.
func TestColumnsShowAllPrices(t *testing.T) {
	set, err := fields.Preset(fields.Prices)
	if err != nil {
		t.Fatal(err)
	}
	words := facts.NewWords()
	of := func(id uint64, prices ...string) *inbox.ListedNotice {
		r := set.Extract(fields.Notice{Title: "价格", Text: priceTable(prices)})
		return &inbox.ListedNotice{NoticeHead: &inbox.NoticeHead{ID: id, Title: "价格", Facts: words.Pack(&facts.NoticeFacts{Set: set, Result: r}, "价格")}}
	}
	look := &harvest{Shared: &screen.Shared{Snap: &view.Snapshot{}}}
	for _, c := range look.fieldColumns(set.Fields(), nil) {
		if c.Title != fieldTitle(set.Named("price")) {
			continue
		}
		for i, want := range []string{"1.20–452", "4.50", "1", ""} {
			r := of(uint64(i+1), [][]string{{"7.2", "1.2", "452"}, {"4.5", "4.5"}, {"0.996"}, nil}[i]...)
			if got, _ := c.Cell(r); got != want {
				t.Errorf("the column shows %q, want %q", got, want)
			}
		}
		if got := c.Number(of(9, "7.2", "1.2")); got != 1.2 {
			t.Errorf("it is sorted by %v, want the lowest price", got)
		}
		return
	}
	t.Error("there is no column of prices")
}

// priceTable returns a table of goods with these prices as lines of cells.
func priceTable(prices []string) string {
	text := "品名\t单价"
	for i, p := range prices {
		text += fmt.Sprintf("\n货%d号\t%s", i+1, p)
	}
	return text
}
