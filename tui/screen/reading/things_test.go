package reading

import (
	"fmt"
	"testing"

	"angler/crawl/page/fields"
	"angler/crawl/view"
)

// A notice of many prices shows the first of each field, and how many are left out: its
// text stands below them.
func TestManyThingsLeaveRoomForTheText(t *testing.T) {
	set, err := fields.Preset(fields.Prices)
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{{"品名", "单价"}}
	for i := range 30 {
		rows = append(rows, []string{fmt.Sprintf("货%d号", i+1), "3"})
	}
	r := set.Extract(fields.Notice{Title: "价格", Tables: []fields.Table{fields.NewTable(rows)}})
	var x values
	x.take(&view.Said{Set: set, Result: r}, false)
	if len(x.all) != 2*mostOfField || x.all[mostOfField-1].more != 24 || x.all[mostOfField].f.Name != "price" {
		t.Errorf("%d values are shown: %+v", len(x.all), x.all)
	}
}
