//go:build unix && heavy

package tuitest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"sync"
	"testing"
	"time"

	"angler/crawl/webtest"
	"angler/store"
)

// failingTenth is a web in which one address in ten fails at the first request: one in two hundred
// with status 503, which slows the crawl of its host for seconds, the others with 500. It logs the
// times of page requests by host.
type failingTenth struct {
	mu    sync.Mutex
	asked map[string]bool        // addresses that have failed
	log   map[string][]time.Time // by host, without robots.txt
	fails int
	busy  int // failures with 503
}

func (f *failingTenth) fault(req *http.Request, _ int) webtest.Fault {
	now := time.Now()
	if req.URL.Path == "/robots.txt" {
		return webtest.Fault{}
	}
	h := fnv.New32a()
	h.Write([]byte(req.URL.String()))
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log[req.Host] = append(f.log[req.Host], now)
	if key := req.Host + req.URL.RequestURI(); h.Sum32()%10 == 0 && !f.asked[key] {
		f.asked[key] = true
		f.fails++
		if h.Sum32()%200 == 0 {
			f.busy++
			return webtest.Fault{Status: http.StatusServiceUnavailable}
		}
		return webtest.Fault{Status: http.StatusInternalServerError}
	}
	return webtest.Fault{}
}

// TestTwentyKills kills a crawl of about 2 500 pages, a tenth of which fail at first, at twenty
// random moments. The result must equal that of an undisturbed crawl, without a page twice or a URL
// left in processing. No host may have been requested more often than its delay allows.
func TestTwentyKills(t *testing.T) {
	const (
		pages = 2500
		delay = 10 * time.Millisecond
	)
	flags := []string{"--delay", delay.String(), "--depth", "20"}
	begin := func(t *testing.T, faults *failingTenth) *crawled {
		x := newCrawl(t, webtest.Options{Pages: pages})
		x.server.Fail(faults.fault)
		giveUpSooner(t, x.dir)
		return x
	}
	calmFaults := &failingTenth{asked: map[string]bool{}, log: map[string][]time.Time{}}
	faults := &failingTenth{asked: map[string]bool{}, log: map[string][]time.Time{}}
	var want, got []string
	rnd := dice(t)
	// Both mainly wait for hosts, so they run in parallel.
	crawls := t.Run("crawls", func(t *testing.T) {
		t.Run("undisturbed", func(t *testing.T) {
			t.Parallel()
			calm := begin(t, calmFaults)
			drain(calm, flags)
			want = Addresses(t, calm.dir, "pages")
		})
		t.Run("killed", func(t *testing.T) {
			t.Parallel()
			killed := begin(t, faults)
			for range 20 {
				_ = killed.killAfter("crawl", rnd.IntN(2*pages/20), flags...) // it may have ended
				ws, err := store.Open(killed.dir)
				if err != nil {
					t.Fatalf("after a kill: %v", err)
				}
				problems, err := store.CheckQuickly(ws)
				counts := ws.Counts()
				if err := errors.Join(err, ws.Close()); err != nil || len(problems) > 0 {
					t.Fatalf("after a kill: %v %q", err, problems)
				}
				if counts.Processing > 0 {
					t.Errorf("%d URLs stranded in processing", counts.Processing)
				}
			}
			drain(killed, flags)
			got = Addresses(t, killed.dir, "pages")
		})
	})
	if !crawls {
		return
	}
	samePages(t, got, want)
	requests, closest := 0, time.Hour
	for host, times := range faults.log {
		requests += len(times)
		for i := 1; i < len(times); i++ {
			gap := times[i].Sub(times[i-1])
			closest = min(closest, gap)
			if gap < delay {
				t.Errorf("%s was asked twice within %v, its delay is %v", host, gap, delay)
			}
		}
	}
	if faults.fails < len(want)/20 || faults.busy < len(want)/400 {
		t.Errorf("%d requests failed, %d of them as 503: too few to test anything", faults.fails, faults.busy)
	}
	t.Logf("%d pages undisturbed, %d after 20 kills; %d requests to %d hosts, %d of them failed, closest pair %v", len(want), len(got), requests, len(faults.log), faults.fails, closest)
}

// giveUpSooner gives up a URL after three failures instead of four: one page of the web always
// fails, and would wait about twenty seconds after the third.
func giveUpSooner(t *testing.T, dir string) {
	t.Helper()
	Set(t, dir, "retries = 3", "retries = 2")
}

// drain crawls until no URL waits: a failed URL may be left to a later run.
func drain(x *crawled, flags []string) {
	t, dir := x.t, x.dir
	t.Helper()
	var waiting []string
	for begun := time.Now(); time.Since(begun) < 15*time.Minute; {
		x.run("crawl", flags...)
		ws, err := store.Open(dir)
		must(t, err)
		left := ws.Counts().Waiting
		waiting = waiting[:0]
		for u, err := range ws.URLs() {
			must(t, err)
			if u.State == store.Waiting {
				waiting = append(waiting, fmt.Sprintf("%s at depth %d, %d fails (%s), in %v", u.URL, u.Depth, u.Fails, u.Failure, time.Until(u.Retry)))
			}
		}
		must(t, ws.Close())
		if left == 0 && len(waiting) == 0 {
			return
		}
	}
	t.Fatalf("%d URLs still wait, such as %q", len(waiting), waiting[:min(3, len(waiting))])
}
