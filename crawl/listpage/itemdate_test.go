package listpage

import (
	"testing"
	"time"
)

// A relative date needs the time of the fetch.
func TestRelativeDateNeedsAClock(t *testing.T) {
	tree := newPage("http://a.test/", "<ul><li>3小时前</li></ul>")
	defer tree.Release()
	f := RecordFinder{tree: tree}
	if d, ok := f.relativeDate(0, time.Time{}); ok {
		t.Errorf("without a clock: %s", d)
	}
	if d, ok := f.relativeDate(0, time.Date(2025, 3, 12, 12, 0, 0, 0, time.UTC)); !ok || d.String() != "2025-03-12" {
		t.Errorf("with a clock: %s", d)
	}
}
