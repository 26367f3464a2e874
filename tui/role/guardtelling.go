package role

import (
	"context"

	"angler/crawl/alerts"
	"angler/crawl/view"
	"angler/tui/parts"
)

// tellings lets everyone see who is told; where, and why something failed, is for
// those who may see the settings.
type tellings struct {
	b parts.Alerts
	r Role
}

func (g tellings) TellRows() []alerts.AlertRow {
	rows := g.b.TellRows()
	if g.r.check(Settings) == nil {
		return rows
	}
	out := make([]alerts.AlertRow, len(rows))
	for i, row := range rows {
		row.Where = ""
		if row.Why != "" {
			row.Why = "it failed"
		}
		out[i] = row
	}
	return out
}

func (g tellings) TestTelling(ctx context.Context, name string) error {
	if err := g.r.check(TestTelling); err != nil {
		return err
	}
	return g.b.TestTelling(ctx, name)
}

func (g tellings) MuteList(a view.ListAlarm, on bool) error {
	if err := g.r.check(MuteList); err != nil {
		return err
	}
	return g.b.MuteList(a, on)
}
