package crawl

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// publishEvery is how often viewers get a new snapshot while something moves.
const publishEvery = 200 * time.Millisecond

// Sizes of what a snapshot shows.
const (
	shownFrontier = 100
	shownHarvest  = 200
	shownHosts    = 200
	shownCurve    = 500
	shownFlights  = 256
)

// shown is what the publisher keeps from one snapshot to the next.
type shown struct {
	mu      sync.Mutex
	seq     uint64
	rev     uint64 // of the scores that rows were made from
	desk    uint64
	visits  int64 // that were stored when rows were made
	found   int
	rows    []view.HarvestRow
	notices []view.NoticeRow
	rate    rateMeter
}

// rateMeter measures pages a second over the last two seconds.
type rateMeter struct {
	at [11]time.Time
	n  [11]int64
	i  int
}

func (m *rateMeter) add(now time.Time, n int64) float64 {
	if n < m.n[m.i] {
		*m = rateMeter{} // another run
	}
	m.i = (m.i + 1) % len(m.at)
	oldest := (m.i + 1) % len(m.at)
	m.at[m.i], m.n[m.i] = now, n
	for m.at[oldest].IsZero() && oldest != m.i {
		oldest = (oldest + 1) % len(m.at)
	}
	d := now.Sub(m.at[oldest]).Seconds()
	if d <= 0 {
		return 0
	}
	return float64(n-m.n[oldest]) / d
}

// publishLoop publishes until the engine closes. It also settles samples that
// waited for the dictionary, and rebuilds the model when the crawl has outgrown
// the background it was built with.
func (e *Engine) publishLoop() {
	if err := e.loadNotices(); err != nil {
		e.note("error", "%v", err)
	}
	e.publish()
	tick := time.NewTicker(publishEvery)
	defer tick.Stop()
	words := e.dict.Load()
	ready := words.Ready()
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-ready:
			ready = nil
			if err := words.Err(); err != nil {
				e.note("error", "dictionary: %v", err)
			}
			for _, p := range words.Problems() {
				e.note("warn", "dictionary: %v", p)
			}
			e.settleSoft()
			e.bg.Go(func() {
				if err := e.Recount(e.ctx); err != nil && e.ctx.Err() == nil {
					e.note("error", "counting words again: %v", err)
				}
			})
		case <-tick.C:
			if e.outgrown() {
				e.settleSoft()
			}
		}
		e.publish()
	}
}

func (e *Engine) settleSoft() {
	if err := e.settle(); err != nil {
		e.note("error", "%v", err)
	}
}

// outgrown reports whether a tenth more pages are known than the model's word
// gains were computed from.
func (e *Engine) outgrown() bool {
	j := e.judge.Load()
	if j == nil || j.model == nil {
		return false
	}
	n := j.model.Background().N
	return e.index.Len() >= n+n/10+10
}

// publish sends a snapshot to every viewer. It does not wait for them.
func (e *Engine) publish() {
	s := e.snap()
	begun := time.Now()
	e.hub.Publish(s)
	e.meters.published(time.Since(begun))
}

// snap builds a snapshot. Its cost does not grow with the crawl but for one
// pass over the scores when they changed.
func (e *Engine) snap() *view.Snapshot {
	e.shown.mu.Lock()
	defer e.shown.mu.Unlock()
	e.shown.seq++
	c := e.ws.Counts()
	s := &view.Snapshot{At: e.now(), Seq: e.shown.seq, Workspace: filepath.Base(e.ws.Dir()), State: view.Idle,
		Counts: view.Counts{Waiting: c.Waiting, Processing: c.Processing, Exception: c.Exception, Complete: c.Complete,
			Pages: c.Pages, Notices: c.Notices}, Events: e.log.Tail(), Viewers: e.present.List()}
	e.snapHarvest(s, e.snapTopic(s))
	for _, f := range e.filter.Load().Counts() {
		if f.Reason != urls.Accepted && f.N > 0 {
			s.Filtered = append(s.Filtered, view.FilterCount{Reason: f.Reason.String(), N: int(f.N)})
		}
	}
	s.Job = e.job.now()
	e.runMu.Lock()
	r := e.run
	s.Err = e.lastEr
	lastEnd := e.lastEnd
	e.runMu.Unlock()
	if r != nil {
		r.snap(s, &e.shown.rate)
	} else {
		s.Why = idleWhy(s, lastEnd)
		if again := e.retry.Load(); again != nil {
			s.Why = again.Task + " failed; tried again at " + again.At.Format(time.TimeOnly)
		}
	}
	return s
}

// snapTopic fills what comes from the desk and returns the desk's revision.
func (e *Engine) snapTopic(s *view.Snapshot) (desk uint64) {
	e.desk.Lock()
	desk = e.deskRev
	s.Topic, s.Strategy, s.Workers = e.set.Name, e.set.Crawl.Strategy, e.set.Crawl.Workers
	s.Delay, s.Depth = time.Duration(e.set.Crawl.Delay), e.set.Crawl.Depth
	s.Scheme, s.Norm, s.ThetaAuto = string(e.cfg.Scheme), string(e.cfg.Norm), e.cfg.Theta == 0
	s.Counts.Samples, s.Counts.Negative, s.Counts.Labels = len(e.samples), len(e.anti), len(e.labels)
	if l := e.learned; l != nil {
		s.Learner = view.LearnerInfo{Ready: l.Ready(), Yes: l.Yes, No: l.No, F1: l.F1}
	}
	e.desk.Unlock()
	select {
	case <-e.dict.Load().Ready():
		s.DictReady = true
		if err := e.dict.Load().Err(); err != nil {
			s.DictErr = err.Error()
		}
	default:
	}
	if err := e.TopicErr(); err != nil {
		s.TopicErr = err.Error()
	}
	if j := e.judge.Load(); j != nil && j.model != nil {
		s.ModelRev, s.Theta, s.Learner.InUse = j.model.Rev, j.model.Theta(), j.learner != nil
	}
	return desk
}

// snapHarvest fills the harvest panes; the rows are read again only when a
// score or the desk changed.
func (e *Engine) snapHarvest(s *view.Snapshot, desk uint64) {
	h := &e.shown
	scores := e.index.Scores()
	s.ScoresRev = scores.Rev
	if s.ModelRev != 0 {
		s.Theta = scores.Theta
	}
	if visits := e.visits.Load(); scores.Rev != h.rev || desk != h.desk || visits != h.visits || h.rows == nil {
		h.visits = visits
		set := e.Settings()
		plan, err := schedule(&set.Revisit)
		if err != nil {
			plan = revisit.Default() // it was checked when it was read
		}
		ids := e.Aggregations()
		labels := e.labelsNow()
		h.rev, h.desk, h.found = scores.Rev, desk, len(ids)
		h.rows = make([]view.HarvestRow, 0, min(len(ids), shownHarvest))
		h.notices = append(h.notices[:0:0], h.notices...)
		for i := range h.notices {
			h.notices[i].Label = labels[h.notices[i].ID]
		}
		err = e.ws.EachPage(e.captured.newest(ids, shownHarvest), func(p *store.Page) {
			score, _ := scores.Of(p.ID)
			row := view.HarvestRow{ID: p.ID, URL: p.URL, Host: urls.HostOf(p.URL), Title: firstOf(p.Head, p.Title),
				Score: score, Records: p.Records, Label: labels[p.ID], At: p.Fetched}
			seen, read := historyOf(p)
			row.Visits, row.Rate = int(seen.Visits), seen.Rate()
			if read { // else the next harvest takes it at once
				row.Next = seen.Next(s.At, revisit.Aggregation, plan)
			}
			h.rows = append(h.rows, row)
		})
		if err != nil {
			e.note("error", "%v", err)
		}
	}
	s.Harvest, s.Counts.Aggregations = h.rows, h.found
	s.Notices = h.notices[max(0, len(h.notices)-shownHarvest):len(h.notices):len(h.notices)]
	if s.Counts.Pages > 0 {
		s.HarvestRate = float64(h.found) / float64(s.Counts.Pages)
	}
}

// loadNotices fills the notice pane with the newest stored ones.
func (e *Engine) loadNotices() error {
	var rows []view.NoticeRow
	for n, err := range e.ws.Notices() {
		if err != nil {
			return err
		}
		rows = append(rows, view.NoticeRowOf(n))
	}
	slices.SortFunc(rows, func(a, b view.NoticeRow) int { return a.At.Compare(b.At) })
	rows = rows[max(0, len(rows)-shownHarvest):]
	e.shown.mu.Lock()
	defer e.shown.mu.Unlock()
	e.shown.notices = append(rows, e.shown.notices...)
	return nil
}

func (e *Engine) noticeAdded(n *store.Notice) {
	e.shown.mu.Lock()
	defer e.shown.mu.Unlock()
	h := &e.shown
	if len(h.notices) >= 2*shownHarvest {
		h.notices = append(h.notices[:0:0], h.notices[len(h.notices)-shownHarvest:]...)
	}
	h.notices = append(h.notices, view.NoticeRowOf(n))
}

// idleWhy says why no run is under way and what to do about it.
func idleWhy(s *view.Snapshot, lastEnd string) string {
	switch {
	case !s.DictReady:
		return "loading the dictionary"
	case lastEnd != "":
		return lastEnd
	case s.Counts.Pages == 0:
		return "nothing crawled yet"
	case s.Counts.Samples == 0:
		return "no samples yet"
	}
	return "no run"
}
