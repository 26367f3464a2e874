package uitest

import (
	"context"

	"angler/crawl/alerts"
	"angler/crawl/view"
	"angler/tui/parts"
)

// aroundTelling puts before around what tells people.
type aroundTelling struct {
	inner  parts.Alerts
	before Before
}

func (p aroundTelling) TellRows() []alerts.AlertRow {
	if p.inner == nil {
		return nil
	}
	return p.inner.TellRows()
}

func (p aroundTelling) TestTelling(ctx context.Context, name string) error {
	return act(p.before, "TestTelling", func() error { return p.inner.TestTelling(ctx, name) })
}

func (p aroundTelling) MuteList(a view.ListAlarm, on bool) error {
	return act(p.before, "MuteList", func() error { return p.inner.MuteList(a, on) })
}
