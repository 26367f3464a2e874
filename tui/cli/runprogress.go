package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"angler/crawl/view"
	"angler/tui/widget"
)

// plainEvery is the interval of progress lines that cannot be rewritten.
const plainEvery = 5 * time.Second

// barWidth is the number of cells of the bar.
const barWidth = 20

// terminalWidth reports whether a file descriptor is a terminal and how many cells
// wide it is.
func terminalWidth(fd uintptr) (width int, ok bool) {
	if !term.IsTerminal(fd) {
		return 0, false
	}
	width, _, err := term.GetSize(fd)
	if err != nil || width <= 0 {
		width = 80
	}
	return width, true
}

// followRun shows the progress in snapshots until the channel is closed.
func followRun(tell *progressPrinter, snapshots <-chan *view.Snapshot) {
	var last time.Time
	paused := false
	for s := range snapshots {
		if s.Task == "" {
			continue
		}
		switch {
		case tell.terminal:
			tell.now("%s", progressLine(s, true))
		case s.At.Sub(last) >= plainEvery || paused != (s.State == view.Paused):
			tell.line("%s", progressLine(s, false))
			last = s.At
		}
		paused = s.State == view.Paused
	}
	tell.end()
}

// progressLine formats one snapshot in one line.
func progressLine(s *view.Snapshot, bar bool) string {
	var b strings.Builder
	t := &s.Run
	p, _ := s.Progress()
	if bar && p.Total > 0 {
		full := min(barWidth, barWidth*p.Done/p.Total)
		b.WriteString(strings.Repeat("█", full) + strings.Repeat("░", barWidth-full) + " ")
	}
	of := fmt.Sprintf("%d", p.Total)
	switch {
	case p.Open:
		of += " known"
	case p.Lists:
		of += " lists"
	}
	fmt.Fprintf(&b, "%s %d of %s · %.0f pages/s", s.Task, p.Done, of, t.Rate())
	if p.Left > 0 {
		least := widget.Either(p.Open, "at least ", "")
		fmt.Fprintf(&b, " · %s%s left", least, (p.Left + time.Second - 1).Truncate(time.Second))
	}
	fmt.Fprintf(&b, " · %s · %d addresses of new notices%s", s.Lists(), t.Notices,
		view.ChangedAndWithdrawn(t.Changed, t.Withdrawn))
	for _, e := range t.Errors {
		fmt.Fprintf(&b, " · %d %s", e.N, e.Reason)
	}
	if why := s.WhyIdle(); why != "" {
		fmt.Fprintf(&b, " · %s", why)
	}
	return b.String()
}
