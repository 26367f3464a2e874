package crawl

import (
	"fmt"
	"time"

	"angler/store"
	"angler/store/modes"
)

// healthCheck is the result of one check.
type healthCheck struct {
	Name string // one word
	OK   bool
	Says string // one line, also if OK
}

// Limits of health.
const (
	maxBeat            = 30 * time.Second // maximum age of the publisher's last round; rounds are publishEvery apart
	maxScheduleFailure = 3 * time.Hour    // maximum time of failing scheduled runs
)

// LeastFree is the minimum free disk space in bytes; below it a commit may fail.
const LeastFree = 64 << 20

// Health returns checks of what the crawl needs. It does not block.
func (c *core) Health() []healthCheck {
	checks := []healthCheck{c.checkLoop(time.Now()), c.checkWriter()}
	if free, _, ok := modes.Disk(c.ws.Dir()); ok {
		checks = append(checks, healthCheck{"disk", free >= LeastFree,
			fmt.Sprintf("%d MB free; below %d MB there may be no room for a commit", free>>20, LeastFree>>20)})
	}
	return append(checks, c.checkSchedule())
}

// Alive returns an error if only a restart of the program helps. A full disk or an unreachable network is not such
// an error.
func (c *core) Alive() error {
	if check := c.checkLoop(time.Now()); !check.OK {
		return fmt.Errorf("%s", check.Says)
	}
	return nil
}

func (c *core) checkLoop(now time.Time) healthCheck {
	age := c.publisher.beat.age(now)
	if age > maxBeat {
		return healthCheck{"loop", false, fmt.Sprintf("no snapshot for %v; start the program again",
			age.Round(time.Second))}
	}
	return healthCheck{"loop", true, "snapshots are made"}
}

func (c *core) checkWriter() healthCheck {
	if r := c.runner.current(); r != nil && r.Stalled() {
		return healthCheck{"database", false, "the disk is full, commits wait; free some space in " + c.ws.Dir()}
	}
	if last := c.runner.last.Load(); last != nil && last.err != "" {
		return healthCheck{"database", false, "the last run failed: " + last.err}
	}
	size, _ := store.Sizes(c.ws)
	return healthCheck{"database", true, fmt.Sprintf("%d MB", size>>20)}
}

func (c *core) checkSchedule() healthCheck {
	again := c.schedule.Retry()
	if again == nil {
		return healthCheck{"schedule", true, "nothing failed"}
	}
	says := fmt.Sprintf("%s failed %d times in a row since %s; next try at %s", again.Task, again.Fails,
		again.Since.Format(time.DateTime), again.At.Format(time.DateTime))
	return healthCheck{"schedule", c.opt.Now().Sub(again.Since) < maxScheduleFailure, says}
}
