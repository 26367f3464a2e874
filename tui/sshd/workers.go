package sshd

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/report"
	"angler/tui/widget"
)

// orders are the orders of an admin to workers.
var orders = []string{"drain", "resume", "stop", "ban"}

// workers lists the workers, or sends an order.
func (x *session) workers(r request, out io.Writer) error {
	e := x.s.c.Engine.As(x.who)
	m := e.Snapshot().Machines
	if m == nil {
		return crawl.ErrNoWorkers
	}
	if r.order == "" {
		if r.json {
			return report.JSON(out, m)
		}
		writeWorkers(out, m, e.Snapshot().At)
		return nil
	}
	hand := e.Machines
	switch r.order {
	case "drain":
		return hand.OrderWorkers(r.names, decisions.WorkerDrained)
	case "ban":
		return hand.OrderWorkers(r.names, decisions.WorkerBanned)
	case "resume":
		return hand.OrderWorkers(r.names, "")
	}
	return hand.StopWorkers(r.names)
}

// writeWorkers lists the workers on other machines, one a line.
func writeWorkers(w io.Writer, m *view.Machines, now time.Time) {
	if len(m.Rows) == 0 {
		how := cmp.Or(m.Invite, "see docs/machines.md")
		fmt.Fprintln(w,
			"no worker takes part yet; angler workers invite DIR > FILE writes an invitation, and with it at "+
				"another machine:", how)
		return
	}
	t := report.Columns(w,
		"worker\tstate\ttags\thosts\tpages/s\tin flight\tresults\tfailed\tCPU\tmemory\tseen\tversion\terror", 0, 1, 2, 11, 12)
	for i := range m.Rows {
		r := &m.Rows[i]
		memory, wrong := widget.Either(r.Memory > 0, widget.Bytes(r.Memory), "–"), ""
		if len(r.Errors) > 0 {
			wrong = r.Errors[0].What
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.1f\t%d/%d\t%d\t%d\t%.0f%%\t%s\t%s\t%s\t%s\n", widget.Clean(r.Name), r.State,
			cmp.Or(widget.Clean(strings.Join(r.Tags, ",")), "–"), r.Hosts, r.Rate, r.Busy, r.Slots, r.Done, r.Wrong(),
			100*r.CPU, memory, ago(now.Sub(r.Seen)), cmp.Or(widget.Clean(r.Version), "–"), widget.Clean(wrong))
	}
	t.Flush()
	work := widget.Either(m.Workers == 1, "1 worker works", strconv.Itoa(m.Workers)+" workers work")
	fmt.Fprintf(w, "%s, %d of %d slots in use, %.1f pages/s\n", work, m.Busy, m.Slots, m.Rate)
}

// ago formats the time since an event.
func ago(d time.Duration) string {
	if d < 5*time.Second {
		return "now"
	}
	if d > 24*time.Hour {
		return strconv.Itoa(int(d.Hours()/24)) + " d"
	}
	return widget.Whole(d)
}
