package revisit

import (
	"time"

	"angler/store/config"
)

// A clock may be years ahead or behind for a while: a machine without a battery starts in 1970, a
// wrong time server sets 2036. Times stored then must not prevent later visits. Stored times are
// not changed, because the present clock may be the wrong one. They are checked where they are
// used.

// slack is how far in the future a stored time may lie: clocks are corrected by seconds every day.
const slack = time.Minute

// maxRetry is the longest delay of a retry, random part included. A later retry was planned by a
// clock that was ahead.
const maxRetry = 90 * day * 3 / 2

// ahead reports whether a stored time lies in the future: the clock was ahead then, or is behind
// now.
func ahead(stored, now time.Time) bool { return stored.After(now.Add(slack)) }

// Behind reports whether a clock shows a time before this program was built.
func Behind(now time.Time) bool { return now.Before(config.ReleasedAfter()) }

// Lied reports whether a page was fetched under a wrong clock. Its dates were then parsed against
// the wrong day, so it must be read again even if unchanged.
func Lied(fetched, now time.Time) bool {
	return !fetched.IsZero() && (ahead(fetched, now) || Behind(fetched) && !Behind(now))
}

// Until returns how long to wait before a retry, 0 = it is due. A retry beyond maxRetry is a lie
// and due now.
func Until(retry, now time.Time) (wait time.Duration, lie bool) {
	if retry.IsZero() {
		return 0, false
	}
	if wait = retry.Sub(now); wait > maxRetry {
		return 0, true
	}
	return max(wait, 0), false
}

// Believed corrects stored times, passed in the order of ids, in which pages became known. It
// replaces a time in the future by the latest plausible one before it, so that it does not count as
// the newest for years. Set Now before use.
type Believed struct {
	Now    time.Time
	Lies   int // replaced times
	latest time.Time
}

// Time returns a stored time or its replacement, which is not before the program was built.
func (b *Believed) Time(stored time.Time) time.Time {
	if ahead(stored, b.Now) {
		b.Lies++
		if b.latest.IsZero() {
			return config.ReleasedAfter()
		}
		return b.latest
	}
	if stored.After(b.latest) {
		b.latest = stored
	}
	return stored
}

// NotBehind returns a clock that never shows a time before this program was built. Dates of pages
// are parsed against it: a machine that starts in 1970 would take every date for one in the future.
func NotBehind(now func() time.Time) func() time.Time {
	return func() time.Time {
		if t := now(); !Behind(t) {
			return t
		}
		return config.ReleasedAfter()
	}
}
