package schedule

import (
	"math/rand/v2"
	"time"
)

// What the schedule could not do is tried again: after a minute, which doubles
// with every failure in a row up to an hour or the schedule's own interval, and
// up to half as much later, so that servers which lost the same network do not
// come back in one moment. The next round begins when it is due, whatever was
// tried.
const (
	retryFirst = time.Minute
	retryMost  = time.Hour
)

// Retry is what the schedule is going to try again.
type Retry struct {
	Task  string
	At    time.Time
	Fails int       // in a row, at least 1
	Since time.Time // of the first of those
}

// tryAgain plans the retry of what has failed, at the latest with the next round;
// nil when nothing has. Viewers, log and metrics are told.
func (s *Schedule) tryAgain(end roundEnd, next time.Time, every time.Duration) *Retry {
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
	wait := min(retryFirst<<min(r.Fails-1, 10), retryMost, every)
	r.At = now.Add(wait + time.Duration(rand.Int64N(int64(wait/2)+1)))
	if r.At.After(next) {
		r.At = next
	}
	s.retry.Store(r)
	s.Events.Note("warn", "%s failed %d times in a row; the schedule tries again at %s", r.Task, r.Fails, r.At.Format(time.TimeOnly))
	s.Events.Show()
	return r
}
