package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/store/config"
)

// This file holds the messages between owner and worker, except jobs and results.

// onMessage handles a message of the owner.
func (w *pageWorker) onMessage(key string, value []byte) error {
	switch key {
	case orderKey(w.Name):
		return w.onOrder(value)
	case settingsKey:
		var s workerSettings
		if err := json.Unmarshal(value, &s); err != nil {
			return fmt.Errorf("%w: the owner's settings cannot be read: %v", ErrRefused, err)
		}
		if s.Protocol != wireProtocol {
			return fmt.Errorf(
				"%w: the owner is angler %s with protocol %d, this worker is angler %s with protocol %d; use the same version at both ends",
				ErrRefused, s.Version, s.Protocol, config.Version, wireProtocol)
		}
		f, err := fetch.New(fetch.Config{UserAgent: s.UserAgent, Proxy: w.Proxy, Timeout: s.Timeout,
			MaxBody: s.MaxBody, Dial: w.Dial,
			AllowPrivate: s.AllowPrivate, IgnoreRobots: s.IgnoreRobots, SeedHosts: s.SeedHosts,
			Challenge: page.IsChallenge})
		if err != nil {
			return fmt.Errorf("%w: the owner's settings: %v", ErrRefused, err)
		}
		if before := w.gear.Swap(&gear{s, f}); before != nil {
			before.fetcher.Close()
		}
	case wordsKey:
		var s sharedWords
		if err := json.Unmarshal(value, &s); err != nil {
			return fmt.Errorf("%w: the owner's dictionary cannot be read: %v", ErrRefused, err)
		}
		if w.opened != nil && *w.opened == s { // sent again after a reconnect
			return nil
		}
		w.opened = &s
		words := reader.Vocabulary(s).Open()
		w.mu.Lock()
		w.words = words // the owner reads pages whose job names another dictionary
		w.mu.Unlock()
	}
	return nil
}

// onOrder handles an order of the owner.
func (w *pageWorker) onOrder(value []byte) error {
	var order workerOrder
	if json.Unmarshal(value, &order) != nil {
		return nil
	}
	switch {
	case order.Kind == orderBan:
		return fmt.Errorf("%w: the owner has banned the worker %s", ErrRefused, w.Name)
	case order.Kind == orderEnd && order.Since.Equal(w.since):
		w.note("ends: the owner has stopped it")
		return errEnd
	}
	return nil
}

// sendGoodbye deletes the worker's heartbeat, so that its jobs go to others at once.
func (w *pageWorker) sendGoodbye() {
	ctx, cancel := context.WithTimeout(context.Background(), workerBeat)
	defer cancel()
	_ = w.present.Delete(ctx, w.Name)
}

// sendHello sends the worker's heartbeat and deletes old results and leases.
func (w *pageWorker) sendHello(ctx context.Context, epoch string) error {
	w.mu.Lock()
	failed, at := w.lastError, w.errorAt
	for lease, j := range w.jobs {
		if j.result != nil && time.Since(j.since) > keepResult {
			w.kept -= len(j.result)
			j.result = nil
		}
		if time.Since(j.since) > keepLease {
			delete(w.jobs, lease)
		}
	}
	w.mu.Unlock()
	w.helloAt.Store(int64(time.Since(w.since)))
	return putJSON(ctx, w.present, w.Name, workerHello{Name: w.Name, Protocol: wireProtocol, Version: config.Version,
		Epoch: epoch, Slots: w.Slots, Tags: w.Tags,
		Since: w.since, CPU: w.usage.cores(), Memory: resident(), Error: htmldoc.Clip(failed, 200), Erred: at})
}

// keepResult is how long a worker keeps a sent result for redelivery; keepLease, how long it remembers the lease.
const (
	keepResult = 2 * Lease
	keepLease  = 20 * Lease
)
