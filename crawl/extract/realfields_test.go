package extract

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"angler/crawl/fields"
	"angler/crawl/webtest/realpages"
)

// TestFieldsOfRealNotices checks the scores reached on 40 real notices. Rare fields have no minimum.
func TestFieldsOfRealNotices(t *testing.T) {
	path := realpages.Path(t, "fields", "notices.jsonl")
	x, err := New("", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), os.ReadFile)
	must(t, err)
	if x.Fields, err = fields.Preset(fields.Tenders); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	r, err := x.MeasureFields(f, filepath.Dir(path), nil)
	must(t, err)
	bars := map[string][2]float64{"kind": {.95, .95}, "number": {.95, .9}, "buyer": {.95, .95}, "agent": {.95, .9}, "winner": {.95, .9}, "amount": {.95, .9}, "deadline": {.9, .9}}
	for _, s := range r.Scores {
		t.Logf("%-10s P %.3f R %.3f of %d", s.Field, s.P, s.R, s.Stated)
		if bar, ok := bars[s.Field]; ok && (s.P < bar[0] || s.R < bar[1]) {
			t.Errorf("%s: P %.3f, R %.3f; want %v", s.Field, s.P, s.R, bar)
		}
		delete(bars, s.Field)
	}
	if len(bars) > 0 {
		t.Errorf("not measured: %v", bars)
	}
}
