package alerts

import (
	"slices"
	"time"

	"angler/store/config"
	"angler/store/records"
)

// forgetSent limits the sent messages in memory to the number stored.
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

// Drop deletes the unsent messages of a setting and returns their number. Their rows are part of
// the next message.
func (n *Notifier) Drop(name string) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.load(); err != nil {
		return 0, err
	}
	ids := n.waiting(name)
	return len(ids), n.drop(ids)
}

// AlertRow is the status of one setting.
type AlertRow struct {
	Name    string    `json:"name"`
	Where   string    `json:"where"` // without secrets
	Rhythm  string    `json:"rhythm"`
	Filter  string    `json:"filter,omitempty"`
	Off     bool      `json:"off,omitempty"`
	Next    time.Time `json:"next,omitzero"`   // time of the next digest
	Sent    time.Time `json:"sent,omitzero"`   // time of the last delivered message
	Title   string    `json:"title,omitempty"` // title of that message
	Told    int       `json:"told"`            // delivered messages, as far as stored
	Waiting int       `json:"waiting"`         // unsent messages
	Rows    int       `json:"rows"`            // rows in unsent messages
	Tries   int       `json:"tries,omitempty"` // consecutive failed attempts
	Failed  time.Time `json:"failed,omitzero"` // time of the first of them
	Again   time.Time `json:"again,omitzero"`  // time of the next attempt
	Why     string    `json:"why,omitempty"`   // error of the last attempt
}

// Status returns the status of all settings. It reads the queue if it was not read yet.
func (n *Notifier) Status() ([]AlertRow, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.load(); err != nil {
		return nil, err
	}
	n.publishStatus()
	return *n.status.Load(), nil
}

// Known returns the last published status without blocking; nil before the first.
func (n *Notifier) Known() []AlertRow {
	if s := n.status.Load(); s != nil {
		return *s
	}
	return nil
}

// publishStatus publishes the status. The caller holds mu.
func (n *Notifier) publishStatus() {
	var rows []AlertRow
	now := n.Now()
	for _, x := range n.Settings().Notify {
		r := AlertRow{Name: x.Name, Where: wayShown(&x), Rhythm: x.RhythmOf(), Filter: x.Filter, Off: x.Off,
			Why: n.reported[x.Name]}
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
