// Package benchtest is an engine in memory for tests of the workbench: a few
// invented universities with lists, notices and other pages, judged by a real
// topic.Model over a real topic.Index, so that a word switched off or a moved
// threshold has its true effect. Nothing is fetched and no time passes by
// itself: Publish and Crawl move it. All text is our own invention.
package benchtest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
	"angler/tui/parts"
)

// Start is the moment at which every Bench begins.
var Start = time.Date(2026, 11, 20, 14, 2, 11, 0, time.FixedZone("CST", 8*3600))

// Bench is the engine; Parts are its parts.
type Bench struct {
	mu    sync.Mutex
	snap  *view.Snapshot
	subs  map[chan *view.Snapshot]struct{}
	pages []pageData
	byID  map[uint64]int

	words  []string
	wordID map[string]uint32
	index  *topic.Index
	model  *topic.Model
	conf   topic.Config

	sample   map[uint64]bool
	negative map[uint64]bool
	label    map[uint64]topic.Label
	// learned is the judge the labels taught, nil without a yes; uses says
	// that it decides. accepted are words taken into the dictionary.
	learned  *topic.Learner
	uses     bool
	accepted map[string]bool
	endJob   context.CancelFunc

	undo, redo []change

	rules   []decisions.Rule
	set     store.Settings
	stopped []string
	ranked  bool // by RankNotices
	// Written is what ExportFile was asked to write last.
	Written string

	// Calls counts what was asked, by method name.
	Calls map[string]int
	// Fail makes the named method return the error.
	Fail map[string]error
	// Hold, when set, is waited on by Preview: the test decides when a page
	// opens.
	Hold func(ctx context.Context, id uint64) error
	// HoldLab, when set, is waited on by Lab before it compares.
	HoldLab func(ctx context.Context) error
	// HoldTerms, when set, is waited on by Terms halfway through the pages.
	HoldTerms func(ctx context.Context) error
}

type change struct {
	what     string
	conf     topic.Config
	sample   map[uint64]bool
	negative map[uint64]bool
	label    map[uint64]topic.Label
	accepted map[string]bool
	uses     bool
	rules    []decisions.Rule
}

type pageData struct {
	row  view.CandidateRow
	show view.Preview
	doc  topic.Doc
}

// Strategies of the fake.
var strategies = []string{"learned", "bfs", "shark", "best-first"}

// New returns a bench with n other pages beside 6 universities' lists; n 0 is
// an empty workspace before its first crawl.
func New(n int) *Bench {
	b := &Bench{
		subs: map[chan *view.Snapshot]struct{}{}, byID: map[uint64]int{}, wordID: map[string]uint32{},
		index: topic.NewIndex(), conf: topic.Default(), sample: map[uint64]bool{}, negative: map[uint64]bool{}, label: map[uint64]topic.Label{},
		set: settings(), accepted: map[string]bool{}, Calls: map[string]int{}, Fail: map[string]error{},
	}
	if n > 0 {
		b.fill(n)
	}
	b.rebuild()
	b.snap = b.snapshot()
	return b
}

// Word implements topic.Names.
func (b *Bench) Word(id uint32) string {
	if int(id) < len(b.words) {
		return b.words[id]
	}
	return ""
}

// Lookup implements topic.Names.
func (b *Bench) Lookup(word string) (uint32, bool) { id, ok := b.wordID[word]; return id, ok }

// rebuild needs mu, or a Bench nobody shares yet.
func (b *Bench) rebuild() {
	var docs, negative []topic.Doc
	for i := range b.pages {
		switch id := b.pages[i].row.ID; {
		case b.sample[id]:
			docs = append(docs, b.pages[i].doc)
		case b.negative[id]:
			negative = append(negative, b.pages[i].doc)
		}
	}
	b.model = nil
	if len(docs) > 0 {
		b.model = topic.BuildAgainst(b.conf, docs, negative, b, b.index.Background())
		b.index.Apply(b.model)
	}
	b.learned, _ = b.index.Learn(b.confirmed()) // no yes: nothing learned
}

func (b *Bench) snapshot() *view.Snapshot {
	s := &view.Snapshot{
		At: Start, Seq: 1, Workspace: "tenders", Topic: "招标公告", State: view.Idle, Why: "no run: S starts discovery",
		Strategy: "learned", Workers: 16, Delay: time.Second, Depth: 5, DictReady: true, Scheme: string(b.conf.Scheme), Norm: string(b.conf.Norm),
		Theta: .3, ThetaAuto: b.conf.Theta == 0, ScoresRev: 1,
	}
	if b.snap != nil {
		c := *b.snap
		s = &c
		s.Seq++
		s.ScoresRev++
	}
	s.Scheme, s.Norm, s.ThetaAuto = string(b.conf.Scheme), string(b.conf.Norm), b.conf.Theta == 0
	s.Counts.Pages, s.Counts.Complete = len(b.pages), len(b.pages)
	s.Counts.Samples, s.Counts.Negative, s.Counts.Labels = len(b.sample), len(b.negative), len(b.label)
	s.Harvest, s.Counts.Aggregations = nil, 0
	s.Learner, s.TopicErr = view.LearnerInfo{}, ""
	if l := b.learned; l != nil {
		s.Learner = view.LearnerInfo{Ready: l.Ready(), InUse: b.uses && l.Ready(), Yes: l.Yes, No: l.No, F1: l.F1}
	}
	if b.model == nil {
		return s
	}
	if err := b.model.Err(); err != nil {
		s.TopicErr = err.Error()
	}
	sc := b.index.Scores()
	s.ModelRev, s.Theta = b.model.Rev, sc.Theta
	if s.Learner.InUse {
		sc = b.index.Probabilities(b.learned)
	}
	s.Counts.Aggregations = sc.Above(sc.Theta)
	for _, id := range sc.Between(sc.Theta, 2, 200) {
		r := b.row(id)
		s.Harvest = append(s.Harvest, view.HarvestRow{ID: id, URL: r.URL, Host: r.Host, Title: r.Title, Score: r.Score, Records: r.Records, Label: r.Label, At: Start,
			Next: Start.Add(time.Duration(id%5) * 37 * time.Minute), Rate: float64(id%4) * 1.5, Visits: int(id%9) + 1})
	}
	if s.Counts.Pages > 0 {
		s.HarvestRate = float64(s.Counts.Aggregations) / float64(s.Counts.Pages)
	}
	return s
}

func (b *Bench) row(id uint64) view.CandidateRow {
	i, ok := b.byID[id]
	if !ok {
		return view.CandidateRow{ID: id}
	}
	r := b.pages[i].row
	r.Sample, r.Negative, r.Label = b.sample[id], b.negative[id], b.label[id]
	if b.model != nil {
		r.Score, _ = b.index.Scores().Of(id)
	}
	return r
}

// Publish changes the snapshot and sends it to the viewers.
func (b *Bench) Publish(f func(*view.Snapshot)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.publish(f)
}

func (b *Bench) publish(f func(*view.Snapshot)) {
	s := b.snapshot()
	if f != nil {
		f(s)
	}
	b.snap = s
	for c := range b.subs {
		select {
		case <-c:
		default:
		}
		c <- s
	}
}

// Called returns how often a method was called, while others may be calling.
func (b *Bench) Called(name string) int { b.mu.Lock(); defer b.mu.Unlock(); return b.Calls[name] }

func (b *Bench) called(name string) error {
	b.Calls[name]++
	return b.Fail[name]
}

// Subscribe implements parts.Live.
func (b *Bench) Subscribe() (<-chan *view.Snapshot, func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := make(chan *view.Snapshot, 1)
	b.subs[c] = struct{}{}
	return c, func() { b.mu.Lock(); delete(b.subs, c); b.mu.Unlock() }
}

// Parts returns the bench as the workbench sees it.
func (b *Bench) Parts() parts.All {
	return parts.All{Live: b, Runs: b, Settings: b, Topic: b, Labels: b, Pages: b, Notices: b, Lab: b}
}

// Viewers returns how many subscriptions are open.
func (b *Bench) Viewers() int { b.mu.Lock(); defer b.mu.Unlock(); return len(b.subs) }

// Snapshot implements parts.Live.
func (b *Bench) Snapshot() *view.Snapshot { b.mu.Lock(); defer b.mu.Unlock(); return b.snap }

func (b *Bench) run(name string, f func(*view.Snapshot)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called(name); err != nil {
		return err
	}
	b.publish(f)
	return nil
}

// StartDiscovery implements parts.Runs.
func (b *Bench) StartDiscovery() error {
	return b.run("StartDiscovery", func(s *view.Snapshot) { s.State, s.Task, s.Why = view.Running, "discovery", "" })
}

// StartHarvest implements parts.Runs.
func (b *Bench) StartHarvest() error {
	return b.run("StartHarvest", func(s *view.Snapshot) { s.State, s.Task, s.Why = view.Running, "harvest", "" })
}

// Pause, Resume, Step and Stop are those of the parts.
func (b *Bench) Pause() {
	b.run("Pause", func(s *view.Snapshot) { s.State, s.Rate = view.Paused, 0 })
}

// Resume lets a paused run go on.
func (b *Bench) Resume() { b.run("Resume", func(s *view.Snapshot) { s.State = view.Running }) }

// Step fetches one page.
func (b *Bench) Step() { b.run("Step", func(s *view.Snapshot) { s.Fetched++ }) }

// Stop ends the run.
func (b *Bench) Stop() {
	b.run("Stop", func(s *view.Snapshot) { s.State, s.Task, s.Rate = view.Idle, "", 0 })
}

// SetStrategy implements parts.Settings.
func (b *Bench) SetStrategy(name string) error {
	return b.run("SetStrategy", func(s *view.Snapshot) { s.Strategy = name })
}

// Strategies implements parts.Settings.
func (b *Bench) Strategies() []string { return strategies }

// SetWorkers implements parts.Settings.
func (b *Bench) SetWorkers(n int) error {
	return b.run("SetWorkers", func(s *view.Snapshot) { s.Workers = n })
}

// SetDelay, SetDepth and SetBudget are those of the parts.
func (b *Bench) SetDelay(d time.Duration) error {
	return b.run("SetDelay", func(s *view.Snapshot) { s.Delay = d })
}

// SetDepth changes the depth that the snapshot shows.
func (b *Bench) SetDepth(n int) error {
	return b.run("SetDepth", func(s *view.Snapshot) { s.Depth = n })
}

// SetBudget changes the bound that the snapshot shows.
func (b *Bench) SetBudget(pages int) error {
	return b.run("SetBudget", func(s *view.Snapshot) { s.Bound = pages })
}

// AddSeeds implements parts.Settings.
func (b *Bench) AddSeeds(urls []string) (int, error) {
	err := b.run("AddSeeds", func(s *view.Snapshot) { s.Counts.Waiting += len(urls) })
	return len(urls), err
}

// Candidates implements parts.Pages.
func (b *Bench) Candidates(context.Context) ([]view.CandidateRow, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Candidates"); err != nil {
		return nil, err
	}
	out := make([]view.CandidateRow, len(b.pages))
	for i := range b.pages {
		out[i] = b.row(b.pages[i].row.ID)
	}
	slices.SortStableFunc(out, func(x, y view.CandidateRow) int { return y.Dated - x.Dated })
	return out, nil
}

// Pages implements parts.Pages.
func (b *Bench) Pages(_ context.Context, ids []uint64) ([]view.CandidateRow, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Pages"); err != nil {
		return nil, err
	}
	out := make([]view.CandidateRow, len(ids))
	for i, id := range ids {
		out[i] = b.row(id)
	}
	return out, nil
}

var errGone = errors.New("no such page in this workspace")

// Preview implements parts.Pages.
func (b *Bench) Preview(ctx context.Context, id uint64) (*view.Preview, error) {
	if b.Hold != nil {
		if err := b.Hold(ctx, id); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Preview"); err != nil {
		return nil, err
	}
	i, ok := b.byID[id]
	if !ok {
		return nil, errGone
	}
	p := b.pages[i].show
	if b.model != nil {
		p.HasModel = true
		p.Explain = b.model.Explain(&b.pages[i].doc)
	}
	return &p, nil
}

// Crawl puts the bench into the middle of a discovery.
func (b *Bench) Crawl() {
	b.Publish(func(s *view.Snapshot) {
		s.State, s.Task, s.Why = view.Running, "discovery", ""
		s.Rate, s.ErrorRate, s.Busy, s.Fetched, s.Started = 812, .003, 16, 18204, Start.Add(-time.Minute)
		s.Counts.Waiting, s.Counts.Processing, s.Counts.Exception, s.Counts.Complete = 90412, 16, 61, 18204
		s.Counts.Beyond, s.Counts.Notices = 1208, 3102
		s.NumHosts, s.OnDisk = 312, 20412
		s.InFlight = requests()
		s.Frontier, s.Hosts, s.Notices, s.Events = frontier(), hosts(), notices(), events()
		s.Curve = curve()
		s.Filtered = []view.FilterCount{{Reason: "out of scope", N: 40231}, {Reason: "duplicate", N: 310442}, {Reason: "image", N: 9120}, {Reason: "trap", N: 88}}
	})
}
