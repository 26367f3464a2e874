//go:build heavy

package frontier_test

import (
	"context"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/frontier"
	"angler/crawl/run"
	"angler/crawl/urls"
)

// TestAnHourOfTheDemoWeb measures P2 3.1, figures 2 and 3: a simulated hour in which the
// URLs of the demo web come into 7 queues a host and are fetched. See docs/papers.md.
func TestAnHourOfTheDemoWeb(t *testing.T) {
	e := demotest.OpenFull(t, "", crawl.Options{})
	demotest.Sample(t, e, 3)
	if _, err := e.Runs.Discover(context.Background(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	s, err := frontier.NewSimulator(7)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for u, err := range e.Workspace().URLs() {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(u.ID, u.Source, urls.HostOf(u.URL), u.URL)
		known++
	}
	for _, o := range []frontier.Simulation{
		{For: time.Hour, Latency: 200 * time.Millisecond, Delay: 3 * time.Second, Workers: 16},
		{For: time.Hour, Latency: 200 * time.Millisecond, Workers: 50},
	} {
		done := map[string]float64{}
		for _, r := range s.Run(o) {
			done[r.Assignment+"/"+r.Polite] = r.Done
			t.Logf("%d URLs, delay %v of each %s, %s: all fetched after %.0f s, variation inside hosts %.2f",
				known, o.Delay, r.Polite, r.Assignment, r.Done, r.Points[len(r.Points)-1].Variation)
		}
		for _, name := range []string{"hflp", "elf"} {
			one, host, own := done["host/host"], done[name+"/host"], done[name+"/queue"]
			if own == 0 || own > one || host > one || o.Delay > 0 && own > one/3 {
				t.Errorf("%s, delay %v: one queue %.0f s, seven with the delay of the host %.0f s, of a queue %.0f s", name, o.Delay, one, host, own)
			}
		}
	}
}
