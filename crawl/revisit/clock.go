package revisit

import (
	"time"

	"angler/store/config"
)

// A clock may be years ahead or behind for a while: a machine without a battery
// starts in 1970, a wrong time server sets 2036. What was stored then must not
// keep a page from ever being visited again. Nothing here changes what is stored,
// because the clock that is wrong may be the one of now; stored times are judged
// where they are used.

// slack is how far in the future a stored time may lie: clocks are corrected by
// seconds every day.
const slack = time.Minute

// maxRetry is the longest time for which a failed URL is left alone, what Retry adds
// by chance included; a retry farther away was planned by a clock that was ahead.
const maxRetry = 90 * day * 3 / 2

// ahead reports whether a stored time lies in the future, so that the clock was
// ahead when it was stored, or is behind now.
func ahead(stored, now time.Time) bool { return stored.After(now.Add(slack)) }

// Behind reports whether a clock shows a time before this program was made.
func Behind(now time.Time) bool { return now.Before(config.ReleasedAfter()) }

// Lied reports whether a page was fetched under a wrong clock. Its dates were then
// read against the wrong day, so it is worth reading again, though it be the same.
func Lied(fetched, now time.Time) bool {
	return !fetched.IsZero() && (ahead(fetched, now) || Behind(fetched) && !Behind(now))
}

// Until is how long a URL is still to be left alone, 0 when it may be asked for
// now. A retry farther away than maxRetry is a lie and due now.
func Until(retry, now time.Time) (wait time.Duration, lie bool) {
	if retry.IsZero() {
		return 0, false
	}
	if wait = retry.Sub(now); wait > maxRetry {
		return 0, true
	}
	return max(wait, 0), false
}

// Believed reads stored times in order of ids, which is the order in which pages
// became known. A time in the future is replaced by the latest believable one
// before it, so that what was stored under a wrong clock does not count as the
// newest for years. The zero value with Now is ready.
type Believed struct {
	Now    time.Time
	Lies   int // times that were replaced
	latest time.Time
}

// Time is a stored time, or what takes its place: at the earliest the day on which
// this program was made.
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

// NotBehind is a clock that never shows a time before this program was made. The
// dates of pages are read against it: a machine that starts in 1970 would take
// every date for one in the future.
func NotBehind(now func() time.Time) func() time.Time {
	return func() time.Time {
		if t := now(); !Behind(t) {
			return t
		}
		return config.ReleasedAfter()
	}
}
