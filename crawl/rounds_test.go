package crawl_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"angler/crawl"
	"angler/store"
)

// TestRounds runs two rounds by a clock of the test's, with a run that a person
// started in between.
func TestRounds(t *testing.T) {
	b := openDemo(t, filepath.Join(t.TempDir(), "ws"), crawl.Options{Override: func(s *store.Settings) { s.Crawl.Depth = 1 }})
	for _, u := range b.TenderLists(3) {
		if _, err := b.AddSample(context.Background(), u, ""); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	clock, asked, told := make(chan time.Time), make(chan time.Duration, 8), make(chan crawl.Summary, 8)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.As("schedule").Rounds(ctx, 24*time.Hour, func(s crawl.Summary, err error) {
			if err != nil {
				t.Error(err)
			}
			told <- s
		}, func(d time.Duration) <-chan time.Time { asked <- d; return clock })
	}()
	for round := range 2 {
		if d := <-asked; d != 24*time.Hour {
			t.Errorf("the clock is asked for %v", d)
		}
		for _, task := range []string{crawl.Discovery, crawl.Harvest} {
			if s := <-told; s.Task != task || s.Stopped || round == 0 && s.Fetched == 0 {
				t.Errorf("round %d: %+v, want a %s", round, s, task)
			}
		}
		if round == 0 {
			if err := b.As("wang").StartHarvest(); err != nil {
				t.Fatal(err)
			}
			clock <- time.Time{}
		}
	}
	cancel()
	<-ended
	by := map[string]bool{}
	for _, ev := range b.Snapshot().Events {
		by[ev.By] = true
	}
	if !by["schedule"] || !by["wang"] {
		t.Errorf("the events do not tell who started what: %v", by)
	}
}
