package alerts

import "time"

// This file delays messages until the fields of notices are read. Kind, winner and deadline are
// extracted after the commit of a notice. No notice is sent twice, so a message without them would
// stay wrong.

// patience is the longest delay.
const patience = 10 * time.Minute

// awaitFacts returns when to check again while fields are being extracted; zero = do not wait. The
// caller holds mu.
func (n *Notifier) awaitFacts(name string, now time.Time) time.Time {
	if !n.Facts.Busy() {
		delete(n.waitingSince, name)
		return time.Time{}
	}
	since, waits := n.waitingSince[name]
	if !waits || since.After(now) { // the clock was set back
		n.waitingSince[name], since = now, now
	}
	if now.Sub(since) >= patience {
		return time.Time{}
	}
	return now.Add(quietTime)
}
