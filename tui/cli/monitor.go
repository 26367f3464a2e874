package cli

import (
	"context"
	"fmt"
	"time"

	"angler/crawl/view"
	"angler/tui/report"
)

// reload answers hangups until ctx ends: the log is opened again under its name,
// and angler.toml is read again.
func (x *served) reload(ctx context.Context) {
	for {
		select {
		case <-x.reloads:
		case <-ctx.Done():
			return
		}
		x.manager.reloading()
		if err := x.file.reopen(); err != nil {
			x.log.Error("reload", "err", err)
		}
		// A mistake in the settings is an event, which the log gets as well.
		if keys, err := x.engine.Reload(); err == nil {
			x.log.Info("reload", "changed", keys)
		}
		x.manager.ready(statusLine(x.engine.Snapshot()))
	}
}

// statusEvery is the interval of status lines to a service manager.
const statusEvery = 10 * time.Second

// report tells the service manager until ctx ends what goes on and, as often as it
// wants to hear it, that the engine is alive: only while it is.
func (x *served) report(ctx context.Context) {
	alive := make(<-chan time.Time) // never
	if every := x.manager.alive; every > 0 {
		tick := time.NewTicker(every)
		defer tick.Stop()
		alive = tick.C
		x.pulse(x.engine.Alive())
	}
	tick := time.NewTicker(statusEvery)
	defer tick.Stop()
	last := ""
	for {
		select {
		case <-alive:
			x.pulse(x.engine.Alive())
		case <-tick.C:
			if line := statusLine(x.engine.Snapshot()); line != last {
				x.manager.status(line)
				last = line
			}
		case <-ctx.Done():
			return
		}
	}
}

// pulse tells the service manager that the program is alive, or the log why it is
// not told: then the manager starts the program again.
func (x *served) pulse(dead error) {
	if dead != nil {
		x.log.Error("the service manager is not told that the program is alive", "err", dead)
		return
	}
	x.manager.sayAlive()
}

// statusLine is the state of the engine in one line.
func statusLine(s *view.Snapshot) string {
	return fmt.Sprintf("%s; %d pages, %s, %d notices, %d wait; %d attached", report.Doing(s), s.Counts.Pages, s.Lists(),
		s.Counts.Notices, s.Counts.Waiting, len(s.Viewers))
}
