package crawl_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/lab"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// TestLabIsAJob compares link orders as the workbench asks for it: with its
// progress in the snapshots, one at a time, and cancellable.
func TestLabIsAJob(t *testing.T) {
	ctx := context.Background()
	b := crawled(t, 400)
	snaps, end := b.Subscribe()
	seen := make(chan map[string]bool)
	go func() {
		names := map[string]bool{}
		for s := range snaps {
			names[s.Job.Name] = true
			if s.Job.Done > s.Job.Total {
				t.Errorf("%s: %d of %d", s.Job.Name, s.Job.Done, s.Job.Total)
			}
		}
		seen <- names
	}()
	// So many draws that the job outlives several snapshots.
	const draws = 40
	got, err := b.Lab.Compare(ctx, lab.Comparison{Strategies: []string{"bfs", "learned", "oracle"}, Target: "lists", Draws: draws})
	must(t, err)
	end()
	names := <-seen
	if delete(names, ""); len(names) == 0 {
		t.Error("no snapshot told of the job")
	}
	if len(got.Rows) != 3 || got.Pages == 0 || got.Targets == 0 || math.Abs(got.Rows[0].Position.Mean) > 1e-9 || math.Abs(got.Rows[2].Position.Mean-1) > 1e-9 || len(got.Rows[1].Curves) != draws {
		t.Errorf("the lab found %+v", got)
	}
	snaps, end = b.Subscribe()
	for s := range snaps { // the publisher comes round
		if s.Job.Name == "" {
			break
		}
	}
	end()
	for name, plan := range map[string]lab.Comparison{
		"no order":      {Target: "lists", Draws: 1},
		"unknown order": {Strategies: []string{"best"}, Target: "lists", Draws: 1},
		"twice":         {Strategies: []string{"bfs", "bfs"}, Target: "lists", Draws: 1},
		"no draw":       {Strategies: []string{"bfs"}, Target: "lists"},
		"no target":     {Strategies: []string{"bfs"}, Target: "everything", Draws: 1},
		"empty target":  {Strategies: []string{"bfs"}, Target: "url:/nothing/like/it", Draws: 1},
	} {
		if _, err := b.Lab.Compare(ctx, plan); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := b.Lab.Compare(ctx, lab.Comparison{Strategies: []string{"bfs"}, Target: "lists", Draws: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled comparison answered %v", err)
	}
}

// TestRequestsInFlight: a request that takes long is seen with its address
// until it has ended.
func TestRequestsInFlight(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/slow.htm" {
			http.NotFound(w, r)
			return
		}
		close(asked)
		<-release
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>slow</title>"))
	}))
	t.Cleanup(srv.Close)
	dir := created(t, func(set *config.Settings) { set.Seeds = []string{"http://a.test/slow.htm"} })
	e := opened(t, dir, crawl.Options{Dial: dialling(srv)})
	snaps, end := e.Subscribe()
	defer end()
	begun := time.Now()
	must(t, e.Runs.StartDiscovery())
	<-asked
	var slow view.Request
	for s := range snaps {
		if len(s.InFlight) > 0 {
			slow = s.InFlight[0]
			break
		}
	}
	if slow.URL != "http://a.test/slow.htm" || slow.Host != "a.test" || slow.Since.Before(begun) {
		t.Errorf("in flight: %+v", slow)
	}
	close(release)
	for s := range snaps {
		if s.State == view.Idle {
			if len(s.InFlight) != 0 || s.Counts.Pages != 1 {
				t.Errorf("after the end %d requests are in slow, %d pages stored", len(s.InFlight), s.Counts.Pages)
			}
			return
		}
	}
}

// TestHarvestRowsTellTheNextVisit: a list that a harvest has read is due later,
// and a visit that finds it changed moves its rate.
func TestHarvestRowsTellTheNextVisit(t *testing.T) {
	alone(t)
	c := new(clock)
	b := crawledDemo(t, "", crawl.Options{Now: c.Now}, 3, run.Options{MaxPages: 100})
	for _, r := range b.Snapshot().Harvest {
		if !r.Next.IsZero() || r.Rate != 0 {
			t.Fatalf("%s was read by no harvest, but is due at %v, rate %v", r.URL, r.Next, r.Rate)
		}
	}
	if s := b.Snapshot(); s.Story.Unvisited != len(s.Harvest) {
		t.Errorf("%d of %d lists are not visited yet", s.Story.Unvisited, len(s.Harvest))
	}
	for round := range 3 {
		harvest(t, b.Runs)
		b.Web().Publish(2)
		if round < 2 {
			c.jump(24 * time.Hour)
		}
	}
	later, changing := 0, 0
	rows := b.Snapshot().Harvest
	if n := b.Snapshot().Story.Unvisited; n != 0 {
		t.Errorf("after three harvests %d lists are not visited yet", n)
	}
	for _, r := range rows {
		if r.Next.After(c.Now()) {
			later++
		}
		if r.Rate > 0 && r.Visits >= 3 {
			changing++
		}
	}
	if later < len(rows)/2 || changing == 0 {
		t.Errorf("of %d lists %d are due later, %d were found changing", len(rows), later, changing)
	}
}
