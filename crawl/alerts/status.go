package alerts

import (
	"slices"
	"time"

	"angler/store/config"
	"angler/store/records"
)

// forgetSent keeps as many messages in memory as on the disk.
func (n *Notifier) forgetSent() {
	sent := 0
	for _, d := range n.box.Deliveries {
		if !d.Sent.IsZero() {
			sent++
		}
	}
	n.box.Deliveries = slices.DeleteFunc(n.box.Deliveries, func(d *records.Delivery) bool {
		if d.Sent.IsZero() || sent <= records.MaxSent {
			return false
		}
		sent--
		return true
	})
}

// Drop gives up the messages of a setting that wait; what they were to tell is
// told with the next one.
func (n *Notifier) Drop(name string) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.load(); err != nil {
		return 0, err
	}
	ids := n.waiting(name)
	return len(ids), n.drop(ids)
}

// AlertRow is how one setting stands.
type AlertRow struct {
	Name    string    `json:"name"`
	Where   string    `json:"where"` // without secrets
	Rhythm  string    `json:"rhythm"`
	Filter  string    `json:"filter,omitempty"`
	Off     bool      `json:"off,omitempty"`
	Next    time.Time `json:"next,omitzero"`   // of the next digest
	Sent    time.Time `json:"sent,omitzero"`   // of the last message that arrived
	Title   string    `json:"title,omitempty"` // of it
	Told    int       `json:"told"`            // messages that arrived, of those remembered
	Waiting int       `json:"waiting"`         // messages on their way
	Rows    int       `json:"rows"`            // that they tell of
	Tries   int       `json:"tries,omitempty"` // attempts in a row that failed
	Failed  time.Time `json:"failed,omitzero"` // since when
	Again   time.Time `json:"again,omitzero"`  // the next attempt
	Why     string    `json:"why,omitempty"`   // the last failure
}

// Status says how every setting stands. It reads the queue when nothing has done
// so before.
func (n *Notifier) Status() ([]AlertRow, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.load(); err != nil {
		return nil, err
	}
	n.tell()
	return *n.status.Load(), nil
}

// Known is Status as it was last, without waiting; nil before the first.
func (n *Notifier) Known() []AlertRow {
	if s := n.status.Load(); s != nil {
		return *s
	}
	return nil
}

// tell publishes the status; mu is held.
func (n *Notifier) tell() {
	var rows []AlertRow
	now := n.Now()
	for _, x := range n.Settings().Notify {
		r := AlertRow{Name: x.Name, Where: wayShown(&x), Rhythm: x.RhythmOf(), Filter: x.Filter, Off: x.Off, Why: n.said[x.Name]}
		if x.RhythmOf() != config.AtOnce && !x.Off {
			r.Next = x.Next(now)
		}
		if n.box != nil {
			r.count(n.box.Deliveries)
		}
		rows = append(rows, r)
	}
	n.status.Store(&rows)
}

func (r *AlertRow) count(list []*records.Delivery) {
	for _, d := range list {
		switch {
		case d.Notify != r.Name:
		case !d.Sent.IsZero():
			r.Told++
			if !d.Sent.Before(r.Sent) {
				r.Sent, r.Title = d.Sent, d.Title
			}
		default:
			r.Waiting++
			r.Rows += d.N
			if d.Tries > r.Tries {
				r.Tries, r.Failed, r.Again, r.Why = d.Tries, d.Failed, d.Next, d.Why
			}
		}
	}
}
