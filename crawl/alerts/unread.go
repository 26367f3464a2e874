package alerts

import "time"

// This file is the waiting for what notices say: kind, winner and deadline are read
// after the commit that stored a notice, and a message without them, or with those of
// an earlier version, would be wrong for good, because no notice is sent twice.

// patience is how long messages wait for what is being read at most.
const patience = 10 * time.Minute

// unread is when a setting is to be looked at again because notices are being read;
// zero = it is not to wait. mu is held.
func (n *Notifier) unread(name string, now time.Time) time.Time {
	if !n.Facts.Busy() {
		delete(n.put, name)
		return time.Time{}
	}
	since, waits := n.put[name]
	if !waits || since.After(now) { // the clock was set back
		n.put[name], since = now, now
	}
	if now.Sub(since) >= patience {
		return time.Time{}
	}
	return now.Add(quiet)
}
