package alerts

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"angler/store/config"
	"angler/store/records"
)

// send starts an attempt in the background. The caller holds mu.
func (n *Notifier) send(ctx context.Context, x *config.Notify, d *records.Delivery) {
	n.busy[x.Name] = true
	set := *x
	n.inFlight.Go(func() {
		err := n.attempt(ctx, &set, d)
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.busy, set.Name)
		n.recordResult(ctx, &set, d, err)
		n.publishStatus()
		n.Wake.Ring()
	})
}

// attempt sends one message.
func (n *Notifier) attempt(ctx context.Context, x *config.Notify, d *records.Delivery) error {
	m := &outgoing{Ref: d.Ref, Digest: new(Digest)}
	if err := json.Unmarshal(d.Body, m.Digest); err != nil {
		return fmt.Errorf("the stored message does not decode: %w", err)
	}
	m.Digest.Language = n.language(x)
	return newWay(x, n.Env).send(ctx, m)
}

func (n *Notifier) language(x *config.Notify) string {
	if x.Language != "" {
		return x.Language
	}
	return n.Language
}
func newRef() string { return rand.Text() }

// recordResult stores the result of an attempt. The caller holds mu.
func (n *Notifier) recordResult(ctx context.Context, x *config.Notify, d *records.Delivery, err error) {
	now := n.Now()
	if err == nil {
		if err = records.Delivered(n.Store, d, now); err == nil {
			n.report(x.Name, "")
			n.forgetSent()
			return
		}
	} else if ctx.Err() != nil {
		return // shutdown: the next process retries
	}
	d.Tries++
	if d.Failed.IsZero() {
		d.Failed = now
	}
	wait := maxWait
	if d.Tries < 12 {
		wait = min(maxWait, firstWait<<(d.Tries-1))
	}
	var later *retryLater
	if errors.As(err, &later) {
		wait = min(maxWait, max(wait, later.After))
	}
	d.Next, d.Why = now.Add(wait), err.Error()
	n.report(x.Name, d.Why)
	if err := records.PutDelivery(n.Store, d); err != nil {
		n.report("", err.Error())
	}
}
