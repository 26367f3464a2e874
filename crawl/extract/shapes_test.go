package extract

import (
	"os"
	"testing"
	"time"

	"angler/crawl/fields"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFieldsOfShapes reads our own notices in the forms that portals use: standard forms of 2020, tables without
// cells, joined lines, sentences, corrections, lots, English notices, and invalid values. No wrong value is allowed,
// because it costs more than a missing one.
func TestFieldsOfShapes(t *testing.T) {
	f, err := os.Open("testdata/shapes.jsonl")
	must(t, err)
	defer f.Close()
	x, err := New("", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), os.ReadFile)
	must(t, err)
	if x.Fields, err = fields.Preset(fields.Tenders); err != nil {
		t.Fatal(err)
	}
	r, err := x.MeasureFields(f, ".", nil)
	must(t, err)
	if r.Notices < 50 {
		t.Errorf("%d notices were read", r.Notices)
	}
	for _, s := range r.Scores {
		if s.Wrong > 0 || s.Right*100 < s.Stated*95 {
			t.Errorf("%+v", s)
		}
	}
}
