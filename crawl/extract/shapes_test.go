package extract

import (
	"os"
	"testing"
	"time"

	"angler/crawl/fields"
)

// TestFieldsOfShapes reads notices of our own that are written as portals write them:
// standard forms of 2020, tables that lost their cells, lines glued together, sentences,
// corrections, lots, English ones, and values that are none. A wrong value costs more
// than none, so there is none.
func TestFieldsOfShapes(t *testing.T) {
	f, err := os.Open("testdata/shapes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := New("", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	if x.Fields, err = fields.Preset(fields.Tenders); err != nil {
		t.Fatal(err)
	}
	r, err := x.MeasureFields(f, ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Notices < 50 {
		t.Errorf("%d notices were read", r.Notices)
	}
	for _, s := range r.Scores {
		if s.Wrong > 0 || s.Right*100 < s.Stated*95 {
			t.Errorf("%+v", s)
		}
	}
}
