package schedule

import (
	"math/rand/v2"
	"time"
)

// A failed run is retried after a minute. The delay doubles with every consecutive failure, up to
// an hour or the schedule's interval. A random part of up to half the delay is added, so that
// servers that lost the same network do not return at the same moment. Retries do not shift the
// next round.
const (
	minRetry = time.Minute
	maxRetry = time.Hour
)

// Retry is the next retry of the schedule.
type Retry struct {
	Task  string
	At    time.Time
	Fails int       // consecutive failures, at least 1
	Since time.Time // time of the first of them
}

// planRetry plans the retry of failed tasks, at the latest with the next round. It returns nil if
// none failed. It updates viewers, log and metrics.
func (s *Schedule) planRetry(end roundEnd, next time.Time, every time.Duration) *Retry {
	was := s.retry.Load()
	if len(end.failed) == 0 {
		if was != nil {
			s.retry.Store(nil)
			s.Events.Show()
		}
		return nil
	}
	now := s.Now()
	r := &Retry{Task: end.failed[0].name, Fails: 1, Since: now}
	if was != nil {
		r.Fails, r.Since = was.Fails+1, was.Since
	}
	wait := min(minRetry<<min(r.Fails-1, 10), maxRetry, every)
	r.At = now.Add(wait + time.Duration(rand.Int64N(int64(wait/2)+1)))
	if r.At.After(next) {
		r.At = next
	}
	s.retry.Store(r)
	s.Events.Note("warn", "%s failed %d times in a row; the schedule tries again at %s", r.Task, r.Fails,
		r.At.Format(time.TimeOnly))
	s.Events.Show()
	return r
}
