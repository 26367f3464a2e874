// Package soak tests that a crawl loses nothing while everything goes wrong.
//
// A parent serves the web on loopback and makes an undisturbed crawl: samples, a
// discovery, labels, settings, a harvest. Then it makes disturbed ones, one after
// the other, until its time is up. The crawls are processes of their own, so that a
// kill is a kill. Which events they meet, when, and how often follows from a seed;
// an event begins when so many requests have been served and pages stored, whatever
// the speed of the machine. When its events are over, a crawl goes on undisturbed until nothing new
// comes; then it must have what the undisturbed one has.
//
// A disturbed crawl of the demo web costs some ten seconds of a core and 50 MB of
// disk. A workspace that differs is kept. TestSoak runs it; see docs/reliability.md.
package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// Options say how to soak.
type Options struct {
	For    time.Duration // no disturbed crawl begins later; at least one is made
	Seed   uint64        // of the mix of events
	Pages  int           // of the web; 0 = the demo's size
	Dir    string        // an existing folder for the workspaces
	Keep   bool          // keep them all, not only those that differ
	Events []string      // kinds that may happen; nil = all of Kinds

	Log func(format string, args ...any) // progress, a line a call
}

// Row is what is told of one kind of event.
type Row struct {
	Event      string
	Times      int    // it happened
	Crawls     int    // that met it
	Differing  int    // of these, crawls with a difference
	Difference string // the first one; "" = none
}

// Report is the outcome of a soak.
type Report struct {
	Seed        uint64
	Crawls      int   // disturbed ones that were compared
	Processes   int   // that they took
	Rows        []Row // in the order of Kinds
	Calm        Sizes
	Differences []string // at most mostTold a crawl
	Kept        []string // workspaces
}

// mostTold differences of one crawl are told.
const mostTold = 10

// soak is a soak under way.
type soak struct {
	Options
	rnd     *rand.Rand
	web     *webtest.Web
	server  *faulty
	choices []choice // what an analyst decides in each crawl
	calm    *outcome
	report  Report
	rows    map[string]*Row
	bag     []string // kinds that the next crawls still have to meet
}

// Run soaks. When ctx ends early it returns what it has measured with the error of
// ctx. Its processes have ended when it returns.
func Run(ctx context.Context, material *webtest.Material, o Options) (*Report, error) {
	if len(o.Events) == 0 {
		o.Events = Kinds()
	}
	if err := CheckKinds(o.Events); err != nil {
		return &Report{}, err
	}
	begun := time.Now()
	s := &soak{Options: o, rnd: rand.New(rand.NewPCG(o.Seed, 0)), rows: map[string]*Row{}}
	s.report.Seed = o.Seed
	err := s.run(ctx, material, begun)
	for _, kind := range Kinds() {
		if r := s.rows[kind]; r != nil {
			s.report.Rows = append(s.report.Rows, *r)
		}
	}
	return &s.report, err
}

func (s *soak) run(ctx context.Context, material *webtest.Material, begun time.Time) (err error) {
	if s.web, err = webtest.New(material, webtest.Options{Pages: s.Pages}); err != nil {
		return err
	}
	if s.server, err = serve(s.web); err != nil {
		return err
	}
	defer s.server.close()
	if s.choices, err = choices(s.web); err != nil {
		return err
	}
	s.Log("the undisturbed crawl")
	calm := &trial{soak: s, dir: filepath.Join(s.Dir, "undisturbed")}
	defer func() {
		if err == nil || ctx.Err() != nil {
			err = errors.Join(err, s.drop(calm.dir))
		}
	}()
	if err := calm.crawl(ctx); err != nil {
		return fmt.Errorf("the undisturbed crawl: %w", err)
	}
	if len(calm.problems) > 0 {
		return fmt.Errorf("the undisturbed crawl: %s; workspace %s", calm.problems[0], calm.dir)
	}
	if s.calm, err = outcomeOf(ctx, calm.dir); err != nil {
		return fmt.Errorf("the undisturbed crawl: %w", err)
	}
	s.report.Calm = s.calm.sizes()
	if s.calm.sizes().Notices == 0 {
		return errors.New("the undisturbed crawl brought no notices; give more -pages")
	}
	s.Log("undisturbed: %v", s.report.Calm)
	for n := 1; n == 1 || time.Since(begun) < s.For; n++ {
		if err := s.disturbed(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// disturbed makes one disturbed crawl and compares it.
func (s *soak) disturbed(ctx context.Context, n int) error {
	t := &trial{soak: s, dir: filepath.Join(s.Dir, fmt.Sprintf("crawl-%d", n)), met: map[string]int{}}
	t.discovery, t.harvest = s.draw(mostDiscovery, reachDiscovery), s.draw(mostHarvest, reachHarvest)
	s.Log("crawl %d: %v, then %v", n, t.discovery, t.harvest)
	err := t.crawl(ctx)
	s.report.Processes += t.processes
	if err != nil {
		if ctx.Err() != nil { // it was not compared
			err = errors.Join(err, s.drop(t.dir))
		}
		return fmt.Errorf("crawl %d: %w", n, err)
	}
	got, err := outcomeOf(ctx, t.dir)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.problems = append(t.problems, err.Error()) // a workspace that cannot be read is the worst difference
	} else {
		t.problems = append(t.problems, got.differences(s.calm)...)
	}
	s.report.Crawls++
	for kind, times := range t.met {
		r := s.rows[kind]
		if r == nil {
			r = &Row{Event: kind}
			s.rows[kind] = r
		}
		r.Times += times
		r.Crawls++
		if len(t.problems) > 0 {
			r.Differing++
			if r.Difference == "" {
				r.Difference = t.problems[0]
			}
		}
	}
	for i, p := range t.problems {
		if i == mostTold {
			s.Log("crawl %d: %d more differences", n, len(t.problems)-i)
			break
		}
		s.Log("crawl %d: %s", n, p)
		s.report.Differences = append(s.report.Differences, fmt.Sprintf("crawl %d: %s", n, p))
	}
	if len(t.problems) > 0 {
		s.report.Kept = append(s.report.Kept, t.dir)
		return nil
	}
	s.Log("crawl %d: no difference after %d processes", n, t.processes)
	return s.drop(t.dir)
}

// drop removes a workspace unless it is to be kept.
func (s *soak) drop(dir string) error {
	if s.Keep || len(s.report.Kept) > 0 && filepath.Base(dir) == "undisturbed" {
		return nil // a difference can be understood only beside what should be
	}
	return os.RemoveAll(dir)
}

// create makes a workspace for the web.
func (s *soak) create(dir string) error {
	set := config.Default()
	set.Seeds = s.web.Seeds()
	set.Crawl.Delay = 0 // the server is ours
	set.Crawl.Retries = 1
	set.Store.ExpectedURLs = 50_000
	return store.Create(dir, set)
}

// draw plans events: kinds that have not been met lately go first.
func (s *soak) draw(most, reach int) (plan []event) {
	for range 1 + s.rnd.IntN(most) {
		if len(s.bag) == 0 {
			s.bag = slices.Clone(s.Events)
			s.rnd.Shuffle(len(s.bag), func(i, j int) { s.bag[i], s.bag[j] = s.bag[j], s.bag[i] })
		}
		kind := s.bag[0]
		s.bag = s.bag[1:]
		plan = append(plan, kindOf(kind).draw(reach, s.rnd))
	}
	return plan
}

// Most events of one run, and how far apart they are at most: a discovery of the
// demo web comes some 7,000 far, a harvest some 450.
const (
	mostDiscovery, reachDiscovery = 6, 1200
	mostHarvest, reachHarvest     = 3, 150
)
