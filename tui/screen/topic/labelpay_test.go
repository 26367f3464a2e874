package topic

import (
	"testing"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/screen"
)

// The title of the queue tells when more labels change little, and nothing before ten answers.
func TestTitleTellsWhetherLabelsPay(t *testing.T) {
	sh := &screen.Shared{Snap: &view.Snapshot{Counts: view.Counts{Labels: 12}}}
	s := &label{Shared: sh, queue: queueTable(sh, func() bool { return false })}
	for _, c := range []struct {
		pay  decisions.LabelsPay
		want string
	}{
		{decisions.LabelsPay{}, "0 to label · 12 labelled"},
		{decisions.LabelsPay{Newest: 10, Agree: 9, Moved: .01}, "0 to label · 12 labelled · more change little (9 of 10 known)"},
		{decisions.LabelsPay{Newest: 10, Agree: 8}, "0 to label · 12 labelled · labels still pay (8 of 10 known)"},
		{decisions.LabelsPay{Newest: 10, Agree: 10, Moved: .02}, "0 to label · 12 labelled · labels still pay (10 of 10 known)"},
	} {
		if s.pay = c.pay; s.title() != c.want {
			t.Errorf("%+v: %q, not %q", c.pay, s.title(), c.want)
		}
	}
}
