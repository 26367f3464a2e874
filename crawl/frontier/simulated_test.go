package frontier

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// simulated plays URLs and returns what came out by "assignment/polite".
func simulated(t *testing.T, queues int, o Simulation, add func(*Simulator)) map[string]Simulated {
	t.Helper()
	s, err := NewSimulator(queues)
	must(t, err)
	add(s)
	out := map[string]Simulated{}
	for _, r := range s.Run(o) {
		if len(r.Points) != SimulatedPoints || r.Points[SimulatedPoints-1].Seconds != o.For.Seconds() {
			t.Errorf("%s/%s has %d points, the last at %v", r.Assignment, r.Polite, len(r.Points), r.Points[len(r.Points)-1].Seconds)
		}
		before := SimulatedPoint{}
		for _, p := range r.Points {
			if p.Fetched > p.Assigned || p.Fetched < before.Fetched || p.Assigned < before.Assigned || p.Filled < before.Filled || p.Seconds <= before.Seconds {
				t.Errorf("%s/%s: %+v after %+v", r.Assignment, r.Polite, p, before)
			}
			before = p
		}
		out[r.Assignment+"/"+r.Polite] = r
	}
	if len(out) != 5 {
		t.Errorf("played %d times: %v", len(out), out)
	}
	return out
}

// One host whose seed links to all else, by hand: a queue fetches one URL at a time, so one
// queue takes latency and delay for each; parallel queues begin a fetch each delay, or all at
// once where every queue keeps the delay for itself.
func TestSimulateOneHost(t *testing.T) {
	const pages, queues = 400, 5
	star := func(s *Simulator) {
		s.Add(1, 0, "a.test", "http://a.test/")
		for i := range uint64(pages) {
			s.Add(i+2, 1, "a.test", fmt.Sprintf("http://a.test/info/%d.htm", 1000+i))
		}
	}
	got := simulated(t, queues, Simulation{For: 12 * time.Minute, Latency: time.Second, Delay: time.Second, Workers: 16}, star)
	one := got["host/host"]
	for i, p := range one.Points { // one every two seconds
		if want := min(pages+1, (i+1)*30); p.Fetched != want {
			t.Errorf("one queue has fetched %d after %v s, want %d", p.Fetched, p.Seconds, want)
		}
	}
	if one.Done != 0 || one.Queues != 1 || one.Points[0].Filled != 1 || one.Points[0].Variation != 0 {
		t.Errorf("one queue: done after %v s, %+v", one.Done, one.Points[0])
	}
	for _, name := range []string{"hflp", "elf"} {
		host, own := got[name+"/host"], got[name+"/queue"]
		if p := host.Points[0]; p.Fetched != 60 { // a start each second
			t.Errorf("%s with the host's delay has fetched %d in a minute", name, p.Fetched)
		}
		if host.Done == 0 || host.Done < pages || host.Done > pages+10 {
			t.Errorf("%s with the host's delay is done after %v s", name, host.Done)
		}
		if own.Done == 0 || own.Done >= host.Done || own.Done < 2*pages/queues {
			t.Errorf("%s with a delay a queue is done after %v s, with one a host after %v s", name, own.Done, host.Done)
		}
		if last := host.Points[SimulatedPoints-1]; last.Filled != queues || last.Fetched != pages+1 || last.Assigned != pages+1 {
			t.Errorf("%s ends with %+v", name, last)
		}
	}
}

// A page that is not fetched within the time leads to nothing, and few workers are busy with
// other hosts.
func TestSimulateChainsAndWorkers(t *testing.T) {
	chain := func(s *Simulator) {
		for i := range uint64(100) {
			s.Add(i+1, i, "a.test", fmt.Sprintf("http://a.test/%d.htm", i)) // each found on the one before
		}
	}
	got := simulated(t, 8, Simulation{For: time.Minute, Latency: time.Second, Workers: 4}, chain)
	for name, r := range got {
		if last := r.Points[SimulatedPoints-1]; last.Fetched != 60 || last.Assigned != 61 || r.Done != 0 {
			t.Errorf("%s: %+v, done after %v s; a chain knows one URL more than it has fetched", name, last, r.Done)
		}
	}
	hosts := func(s *Simulator) {
		for i := range uint64(1000) {
			s.Add(i+1, 0, fmt.Sprintf("h%d.test", i), fmt.Sprintf("http://h%d.test/", i))
		}
	}
	got = simulated(t, 8, Simulation{For: time.Minute, Latency: time.Second, Delay: time.Hour, Workers: 3}, hosts)
	for name, r := range got {
		if last := r.Points[SimulatedPoints-1]; last.Fetched != 180 || last.Assigned != 1000 || last.Filled != 1000 {
			t.Errorf("%s: %+v, want three fetches a second", name, last)
		}
	}
}

// The variation at the end is that of Balance over the same URLs, once all are assigned.
func TestSimulatedVariationIsTheBalance(t *testing.T) {
	urls := func(yield func(string, string) bool) {
		for i := range 300 {
			host := fmt.Sprintf("h%d", i%3)
			if !yield(host, fmt.Sprintf("http://%s/info/%d.htm", host, 1000+i/3)) {
				return
			}
		}
	}
	want, err := compareBalance(7, urls)
	must(t, err)
	got := simulated(t, 7, Simulation{For: time.Hour, Latency: 100 * time.Millisecond, Workers: 50}, func(s *Simulator) {
		id := uint64(0)
		for host, url := range urls {
			id++
			s.Add(id, 0, host, url)
		}
	})
	for _, b := range want {
		r := got[b.Assignment+"/"+PoliteHost]
		if p := r.Points[0]; math.Abs(p.Variation-b.InHost) > 1e-9 || p.Assigned != b.URLs || r.Done == 0 {
			t.Errorf("%s: %+v, want %+v", b.Assignment, p, b)
		}
	}
}
