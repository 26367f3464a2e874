package crawl

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/article"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// publishEvery is the interval of snapshots during changes, stillEvery without changes, when only times age.
const (
	publishEvery = 200 * time.Millisecond
	stillEvery   = 10 * time.Second
)

// shownHarvest is the maximum number of aggregation pages and notices in a snapshot.
const shownHarvest = 200

// publisher makes snapshots for the viewers. It reads pointers and counters, and waits for no action, learning or
// viewer.
type publisher struct {
	*core

	hub     view.Hub
	visits  atomic.Int64 // revisits of known pages; changes their rows
	expired atomic.Int64 // ended delays of branches; changes the waiting URLs
	slowest maxDuration  // longest publication
	beat    heartbeat    // of loop

	loaded chan struct{} // closed after the newest notices were read
	grown  view.Signal   // rung after each snapshot with changes, for keepModel

	mu      sync.Mutex // guards the fields below
	seq     uint64
	from    sources // input of rows
	found   int
	rows    []view.HarvestRow
	best    view.BestJudge
	notices []view.NoticeRow
	today   today
	seeds   seedCount
	broken  broken
}

// sources identifies the input of harvest rows: equal sources give equal rows.
type sources struct {
	scores   uint64
	state    *decisions.State // the scores may still belong to the model of an older state
	visits   int64
	settings *config.Settings
}

// loop publishes until the engine closes: repeatedly during a run or job, else after events, such as a commit, a log
// line, a job or an action.
func (p *publisher) loop() {
	if err := p.loadNotices(); err != nil {
		p.events.Note("error", "%v", err)
	}
	close(p.loaded)
	moves := p.send(false)
	timer := time.NewTimer(publishEvery)
	defer timer.Stop()
	ready := p.reader.Dict().Ready()
	for {
		if moves {
			timer.Reset(publishEvery)
		} else {
			timer.Reset(stillEvery)
		}
		still := false
		select {
		case <-p.ctx.Done():
			return
		case <-ready:
			ready = nil
		case <-timer.C:
			still = !moves
		case <-p.changed:
			timer.Reset(publishEvery) // collect further changes
			select {
			case <-p.ctx.Done():
				return
			case <-timer.C:
			}
		}
		moves = p.send(still)
		p.beat.hit()
		if !still {
			p.grown.Ring()
		}
	}
}

// publish sends a snapshot to every viewer without waiting for them.
func (p *publisher) publish() { p.send(false) }

// send publishes a snapshot; still marks one without changes. It reports whether more changes are expected.
func (p *publisher) send(still bool) (moves bool) {
	s := p.snapshot()
	s.Still = still
	begun := time.Now()
	p.hub.Publish(s)
	p.slowest.add(time.Since(begun))
	return s.State != view.Idle || s.Job.Name != ""
}

// maxDuration holds the maximum of many durations.
type maxDuration struct{ ns atomic.Int64 }

func (l *maxDuration) add(d time.Duration) {
	for {
		if was := l.ns.Load(); int64(d) <= was || l.ns.CompareAndSwap(was, int64(d)) {
			return
		}
	}
}

func (l *maxDuration) get() time.Duration { return time.Duration(l.ns.Load()) }

// snapshot builds a snapshot. Its cost does not grow with the crawl, except for one pass over changed scores.
func (p *publisher) snapshot() *view.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seq++
	c := p.ws.Counts()
	s := &view.Snapshot{At: p.opt.Now(), Seq: p.seq, Workspace: filepath.Base(p.ws.Dir()), State: view.Idle,
		Counts: view.Counts{Waiting: c.Waiting, Processing: c.Processing, Exception: c.Exception, Complete: c.Complete,
			Pages: c.Pages, Notices: c.Notices}, Events: p.events.Tail(), Kinds: p.events.Kinds(),
		Viewers: p.present.List(), Seen: p.ws.Seen()}
	p.fillTopic(s)
	p.fillHarvest(s)
	p.fillStory(s)
	for _, f := range p.settings.Filter().Counts() {
		if f.Reason != urls.Accepted && f.N > 0 {
			s.Filtered = append(s.Filtered, view.FilterCount{Reason: f.Reason.String(), N: int(f.N)})
		}
	}
	s.Unanswered, s.Proposed, s.Recipes = p.inbox.TopUnanswered(), p.suggest.News(), p.recipes.News()
	s.Machines, s.Assistant = p.machines.seen(), p.assistant.Status()
	s.Job, s.FactsRev, s.Files = p.jobs.Now(), p.factsRev.Load(), p.files.Rev()
	p.fillRun(s)
	s.Counts.Copies = min(p.inbox.Copies(time.Time{}), s.Counts.Notices)
	s.Run.Copies = min(p.inbox.Copies(s.Run.Began), s.Run.Notices)
	return s
}

// fillRun fills the data of the active run, or of the last one.
func (p *publisher) fillRun(s *view.Snapshot) {
	last := p.runner.last.Load()
	if last == nil {
		last = &outcome{}
	}
	s.Err, s.Last, s.Look, s.Estimated = last.err, p.history.Last(), p.history.Look(), p.history.Estimated()
	open := p.schedule.Unfinished()
	if open != nil {
		s.Unfinished = open.Since
	}
	if r := p.runner.current(); r != nil {
		r.Fill(s)
		return
	}
	if last.run.Task == "" && s.Last != nil { // none since the opening
		s.Take(view.TallyOf(s.Last))
	} else {
		s.Take(last.run)
	}
	s.Why = idleWhy(s, last.end)
	if open != nil {
		s.Pressing = true
		s.Why = fmt.Sprintf("unfinished since %s: %d addresses wait; goes on at %s", open.Since.Format(time.TimeOnly),
			open.Waiting, open.At.Format(time.TimeOnly))
	}
	if again := p.schedule.Retry(); again != nil {
		s.Pressing = true
		s.Why = again.Task + " failed; tried again at " + again.At.Format(time.TimeOnly)
	}
}

// fillTopic fills the data of decisions and settings.
func (p *publisher) fillTopic(s *view.Snapshot) {
	set, state := p.settings.Now(), p.decisions.State()
	s.Keys = set.Keys
	s.Topic, s.Strategy, s.Workers = set.Name, set.Crawl.Strategy, set.Crawl.Workers
	s.Delay, s.Depth = time.Duration(set.Crawl.Delay), set.Crawl.Depth
	s.Assistants = len(state.Waiting)
	s.Decided, s.Lapsed = state.Rev, int(p.expired.Load())
	s.Scheme, s.Norm, s.ThetaAuto = string(state.Config.Scheme), string(state.Config.Norm), state.Config.Theta == 0
	if state.Config.ComparesEach() {
		s.Similarity = string(state.Config.Similarity)
	}
	s.Counts.Samples, s.Counts.Negative, s.Counts.Labels = len(state.Samples), len(state.Negative), len(state.Labels)
	if l := state.Learned; l != nil {
		s.Learner = view.LearnerInfo{Ready: l.Ready(), Yes: l.Yes, No: l.No, F1: l.F1, InUse: state.Learner != nil}
	}
	words := p.reader.Dict()
	select {
	case <-words.Ready():
		s.DictReady = true
		if err := words.Err(); err != nil {
			s.DictErr = err.Error()
		}
	default:
		if n, left := words.Loading(); n > 0 {
			s.DictWords, s.DictUntil = n, s.At.Add(left)
		}
	}
	if err := state.Err(); err != nil {
		s.TopicErr = err.Error()
	}
	s.Terms = p.terms.News()
	if m := state.Model; m != nil {
		s.ModelRev, s.Theta, s.ThetaRule = m.Rev, m.Theta(), string(m.ThetaRule())
		s.Advice = state.Advice
	}
}

// fillHarvest fills the harvest panes. It reads rows again only after changes.
func (p *publisher) fillHarvest(s *view.Snapshot) {
	scores := p.decisions.Scores()
	s.ScoresRev = scores.Rev
	if s.ModelRev != 0 {
		s.Theta = scores.Theta
		for _, x := range scores.Samples {
			if x < scores.Theta {
				s.Rejected++
			}
		}
	}
	state := p.decisions.State()
	from := sources{scores.Rev, state, p.visits.Load(), p.settings.Now()}
	if from != p.from || p.rows == nil {
		p.from, p.best = from, bestJudge(state, scores)
		plan, err := revisit.Plan(&from.settings.Revisit)
		if err != nil {
			plan = revisit.Default() // checked when it was read
		}
		ids := p.decisions.Aggregations()
		if p.found == 0 && len(ids) > 0 {
			p.core.lists.asked.Ring()
		}
		p.found = len(ids)
		p.rows = make([]view.HarvestRow, 0, min(len(ids), shownHarvest))
		p.notices = append(p.notices[:0:0], p.notices...)
		for i := range p.notices {
			p.notices[i].Label = state.Labels[p.notices[i].ID]
		}
		err = revisit.EachList(p.ws, p.captured.Newest(ids, shownHarvest), plan, s.At,
			func(row *store.Page, seen revisit.History, read bool, next time.Time) {
				score, _ := scores.Of(row.ID)
				h := view.HarvestRow{ID: row.ID, URL: row.URL, Host: urls.HostOf(row.URL),
					Title: cmp.Or(row.Head, row.Title),
					Score: score, Records: row.Records, Label: state.Labels[row.ID], At: row.Fetched}
				if state.Chooses(row.ID, row.URL) {
					h.Unmatched = revisit.Unmatched(row)
				}
				h.Visits, h.Rate = int(seen.Visits), seen.Rate()
				if read { // else the next harvest visits it at once
					h.Next = next
				}
				p.rows = append(p.rows, h)
			})
		if err != nil {
			p.events.Note("error", "%v", err)
		}
	}
	s.Harvest, s.Counts.Aggregations, s.Best = p.rows, p.found, p.best
	p.parts.lists.Store(int64(p.found))
	s.Notices = p.notices[max(0, len(p.notices)-shownHarvest):len(p.notices):len(p.notices)]
}

// minGain is the minimum gain of F1 for proposing another judge.
const minGain = .05

// bestJudge compares the present θ with the best θ and the learner, if there are enough labels for the learner.
func bestJudge(state *decisions.State, scores *topic.Scores) view.BestJudge {
	l := state.Learned
	if state.Model == nil || state.Learner != nil || l == nil || !l.Ready() || len(state.Labels) == 0 {
		return view.BestJudge{}
	}
	labels, negative := state.MeasuredLabels(), decisions.IDs(state.Negative)
	var b view.BestJudge
	b.Theta, b.F1 = scores.BestTheta(labels, negative)
	b.Now = scores.F1At(scores.Theta, labels, negative)
	if l.F1 > b.F1 {
		b.Learner, b.Theta, b.F1 = true, 0, l.F1
	}
	if b.F1 < b.Now+minGain {
		return view.BestJudge{}
	}
	return b
}

// loadNotices fills the notice pane with the newest stored notices.
func (p *publisher) loadNotices() error {
	all, err := store.FirstSeen(p.ws)
	if err != nil {
		return err
	}
	seen := revisit.Believed{Now: p.opt.Now()}
	for i := range all {
		all[i].At = seen.Time(all[i].At)
	}
	slices.SortStableFunc(all, func(a, b store.Seen) int { return a.At.Compare(b.At) })
	var rows []view.NoticeRow
	for _, x := range all[max(0, len(all)-shownHarvest):] {
		n, err := p.ws.Notice(x.ID)
		if err != nil {
			return err
		}
		if n != nil { // else damaged or withdrawn
			n.FirstSeen = x.At
			rows = append(rows, noticeRowOf(n))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.today = today{}
	for _, x := range all {
		p.today.add(x.At, p.opt.Now())
	}
	p.notices = rows
	return nil
}

// noticeAdded adds a notice just stored. A renewed one keeps its position.
func (p *publisher) noticeAdded(n *store.Notice, renewed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if renewed {
		if i := slices.IndexFunc(p.notices, func(row view.NoticeRow) bool { return row.ID == n.ID }); i >= 0 {
			p.notices = slices.Clone(p.notices) // viewers hold the old slice
			p.notices[i] = noticeRowOf(n)
		}
		return
	}
	if len(p.notices) >= 2*shownHarvest {
		p.notices = append(p.notices[:0:0], p.notices[len(p.notices)-shownHarvest:]...)
	}
	p.notices = append(p.notices, noticeRowOf(n))
	p.today.add(n.FirstSeen, p.opt.Now())
}

// runListener passes a run's pages and notices to the publisher, the services and the caller of Open.
type runListener struct{ *publisher }

// Page implements run.Listener.
func (l runListener) Page(id uint64, row view.PageRow) {
	l.captured.Add(id)
	l.successes.stored.Store(l.opt.Now().Unix())
	l.inbox.Linked()
	l.opt.Report.Page(row)
}

// Visited implements run.Listener.
func (l runListener) Visited() {
	l.visits.Add(1)
	l.successes.stored.Store(l.opt.Now().Unix())
}

// Notice implements run.Listener.
func (l runListener) Notice(n *store.Notice, renewed bool) {
	l.noticeAdded(n, renewed)
	l.search.Noticed(n)
	l.inbox.Noticed(n)
	l.facts.Noticed(n.ID)
	l.notify.Noticed()
	l.assistant.Wake.Ring()
	if !renewed {
		l.opt.Report.Notice(query.NoticeJSONOf(n))
	}
}

// TakenBack implements run.Listener.
func (l runListener) TakenBack() {
	l.search.TakenBack()
	l.inbox.TakenBack()
	l.facts.TakenBack()
	if err := l.loadNotices(); err != nil {
		l.events.Note("error", "%v", err)
	}
	l.publish()
}

// Changed implements run.Listener.
func (l runListener) Changed() { l.publish() }

// idleWhy returns why no run is active, and the remedy.
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

// noticeRowOf converts a stored notice to a row without its label.
func noticeRowOf(n *store.Notice) view.NoticeRow {
	return view.NoticeRow{ID: n.ID, URL: n.URL, Host: urls.HostOf(n.URL), Title: n.Title,
		Date: article.Date{Time: n.Date, Precision: article.DatePrecision(n.Precision)}, At: n.FirstSeen}
}
