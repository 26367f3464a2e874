// Package decisions keeps the decisions of analysts (samples, negative samples, words, weights,
// labels, the threshold, terms, rules over the frontier) and the topic model derived from them.
//
// All of it is one immutable State behind an atomic pointer. Readers (workers, the publisher,
// screens) load the pointer and never wait. An action goes through act, which logs it and updates
// dependent data under a lock with no other user. The log is the undo stack. Learning from 20 000
// labels takes some seconds, and only the next action waits for it. Code that needs one moment
// loads the pointer once: two loads may give two different States.
//
// P0 … P4: see docs/papers.md.
package decisions

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/jobs"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// pageFetcher fetches pages for new samples; *fetch.Fetcher is one.
type pageFetcher interface {
	Follow(ctx context.Context, r fetch.Request, most int) (*fetch.Response, error)
}

// Config holds the dependencies of Decisions.
type Config struct {
	Store    *store.Workspace
	Topic    store.TopicID
	Reader   *reader.Reader
	Index    *topic.Index // the stored pages' words, scored under the State's model
	Fetch    pageFetcher
	Jobs     *jobs.Jobs
	Events   *view.EventLog
	Settings func() *config.Settings // in force; read-only
	Now      func() time.Time

	// Site returns the host under which an address would be a proposed seed, and its canonical form.
	// The error says why it cannot be one.
	Site func(address string) (host, canonical string, err error)

	// Changed updates data that depend on an action. It is called after every action, without a lock.
	Changed func(*Effects) error
}

// Decisions holds one topic's State. It is safe for concurrent use.
type Decisions struct {
	Config
	state        atomic.Pointer[State]
	mu           sync.Mutex // one change of the State at a time
	recounting   sync.Mutex // one recount of words at a time
	fingerprints fingerprints
	dropSaid     string      // why the drop box was not taken in last time
	unfinished   atomic.Bool // a run of an earlier process was killed, and its learned data are lost
}

// New returns empty Decisions. Counted adds the stored pages; then Load reads the log.
func New(c Config) *Decisions {
	d := &Decisions{Config: c}
	d.state.Store(&State{Topic: c.Topic, Config: topic.Default(), Labels: map[uint64]topic.Label{}})
	return d
}

// Load reads the stored decisions and opens the dictionary, which continues to load in the
// background.
func (d *Decisions) Load() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	all, err := d.stored()
	if err != nil {
		return err
	}
	next, _, err := d.State().with(all)
	if err != nil {
		if next, _, err = d.State().with(d.readable(all)); err != nil {
			return err
		}
	}
	if next.Patterns, err = compilePatterns(d.Settings().Harvest.Patterns); err != nil {
		return err
	}
	switch task, known := d.Reader.Unfinished(); {
	case task != "":
		d.unfinished.Store(true)
		d.Events.Note("warn", "the last %s was interrupted: its learned values are computed again from the stored pages", task)
	case !known && d.Index.Len() > 0: // an older program stored it in another form
		d.unfinished.Store(true)
	}
	return d.renew(next, Effects{Model: true, Labels: true, Words: true})
}

// State returns the current State at once.
func (d *Decisions) State() *State { return d.state.Load() }

// apply performs one action of an analyst. It logs the changes in one step, which one undo takes
// back, and updates dependent data. Without a change it logs nothing.
func (d *Decisions) apply(by string, what message.Text, changes ...store.Change) error {
	return d.act(func(s *State, log *store.Decisions) (*store.Event, error) {
		return log.Do(by, what, s.answered(changes)...)
	})
}

// act is Apply for an action that depends on the State it changes; do logs it.
func (d *Decisions) act(do func(s *State, log *store.Decisions) (*store.Event, error)) error {
	_, err := d.acted(do)
	return err
}

// acted is act, and returns the line of the log; "" means that nothing changed.
func (d *Decisions) acted(do func(s *State, log *store.Decisions) (*store.Event, error)) (message.Text, error) {
	ev, t, err := d.take(do)
	if err != nil || ev == nil {
		return "", err
	}
	d.Events.Did(ev.By, ev.What)
	return ev.What, d.Changed(&t)
}

// take logs an action after preparing the State that follows from it, so that an error changes
// neither.
func (d *Decisions) take(do func(*State, *store.Decisions) (*store.Event, error)) (ev *store.Event, t Effects, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.State()
	var next *State
	var p prepared
	ev, err = do(was, d.Store.Decisions.If(func(ev *store.Event) (err error) {
		if next, t, err = was.with(ev.Changes); err == nil {
			p, err = d.prepare(next, t)
		}
		return err
	}))
	if err != nil || ev == nil {
		return nil, t, err
	}
	d.enforce(next, t, p)
	if a := next.Advice; a == AdviceKinds && a != was.Advice {
		d.Events.Note("warn", "%s", a)
	}
	return ev, t, nil
}

// set returns the change of one value; nil removes it.
func (d *Decisions) set(kind, key string, value any) store.Change {
	return store.Set(d.Topic, kind, key, value)
}

// Settle rebuilds the model over the pages crawled since. It does nothing while the engine is
// closing.
func (d *Decisions) Settle() error {
	if d.Jobs.Context.Err() != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	next := *d.State()
	return d.renew(&next, Effects{Model: true})
}

// SetPatterns applies changed notice patterns. No other data depend on them.
func (d *Decisions) SetPatterns(list []string) error {
	re, err := compilePatterns(list)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	next := *d.State()
	next.Patterns = re
	d.state.Store(&next)
	return nil
}

// Patterns select notices by their titles, see htmldoc.CleanTitle.
type Patterns struct{ re *regexp.Regexp }

func compilePatterns(list []string) (*Patterns, error) {
	if len(list) == 0 {
		return nil, nil
	}
	re, err := regexp.Compile("(?:" + strings.Join(list, ")|(?:") + ")")
	return &Patterns{re}, err
}

// Match reports whether a title matches.
func (p *Patterns) Match(title string) bool { return p.re.MatchString(htmldoc.CleanTitle(title)) }

// Find returns the matching part of a title, or "".
func (p *Patterns) Find(title string) string { return p.re.FindString(htmldoc.CleanTitle(title)) }

// renew completes a State by the data that depend on t, and puts it in force. The caller holds the
// lock.
func (d *Decisions) renew(next *State, t Effects) error {
	p, err := d.prepare(next, t)
	if err == nil {
		d.enforce(next, t, p)
	}
	return err
}

// prepared holds what a State needs before it is in force.
type prepared struct {
	words          *dict.Dict // another dictionary; nil: keep the current one
	docs, negative []topic.Doc
	waits          bool // samples wait for the dictionary; until then the old model stays
}

// prepare does the part of renew that can fail, and changes only next.
func (d *Decisions) prepare(next *State, t Effects) (p prepared, err error) {
	words := d.Reader.Dict()
	if t.Words {
		words, err = reader.OpenDict(filepath.Join(d.Store.Dir(), "dict"), d.Settings().Words.Segmenter, next.Accepted,
			next.Stopped)
		if err != nil {
			return p, err
		}
		p.words = words
	}
	if t.Model {
		var ready bool
		if p.docs, ready, err = d.count(words, &next.Samples); ready && err == nil {
			p.negative, ready, err = d.count(words, &next.Negative)
		}
		p.waits = !ready
	}
	return p, err
}

// enforce does the rest of renew. If the dictionary changed, stored pages are counted again in the
// background.
func (d *Decisions) enforce(next *State, t Effects, p prepared) {
	if p.words != nil && d.Reader.UseDict(p.words) != nil { // at opening, the counts follow when the words are loaded
		d.Jobs.Go(d.ReadSoon)
	}
	switch {
	case t.Model && !p.waits:
		d.remodel(next, p)
	case t.Labels && next.Model != nil:
		next.Model = next.Model.WithLabels(next.Labels)
		d.Index.Apply(next.Model)
	}
	if !p.waits && (t.Model || t.Labels) {
		next.Fingerprint = next.fingerprint()
		// Without a page labelled yes there is nothing to learn from.
		if next.Learned, _ = d.Index.Learn(next.confirmedLabels()); next.Learned != nil {
			next.Learned = next.Learned.MeasuredOn(next.MeasuredLabels())
		}
		if next.Learner = nil; next.useLearner && next.Learned != nil && next.Learned.Ready() {
			next.Learner = next.Learned
		}
	}
	d.Reader.UseSamples(addresses(next.Samples))
	d.state.Store(next)
}

// remodel builds the model from the samples, the negative samples, the configuration and the
// crawled pages, and rescores all pages.
func (d *Decisions) remodel(next *State, p prepared) {
	next.Model, next.Shares = nil, nil
	if len(p.docs) > 0 {
		next.Model = topic.BuildAgainst(next.Config, p.docs, p.negative, d.Reader.Lexicon,
			d.Index.Background()).WithLabels(next.Labels)
		next.Shares = urls.SharesOf(addresses(next.Samples))
	}
	next.advise()
	d.Index.Apply(next.Model)
}

// fingerprint hashes the inputs of verdicts: the configuration, the samples, the negative samples,
// the labels and the judge.
func (s *State) fingerprint() uint64 {
	h := fnv.New64a()
	cfg, _ := json.Marshal(s.Config)
	h.Write(cfg)
	for i := range s.Samples {
		fmt.Fprintln(h, s.Samples[i].URL)
	}
	for i := range s.Negative {
		fmt.Fprintln(h, kindNegative, s.Negative[i].URL)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Labels)) {
		fmt.Fprintln(h, id, s.Labels[id])
	}
	fmt.Fprint(h, s.useLearner)
	return h.Sum64()
}

// Outgrown reports whether there are a tenth more pages than when the word gains of the model were
// computed.
func (d *Decisions) Outgrown() bool {
	m := d.State().Model
	if m == nil {
		return false
	}
	n := m.Background().N
	return d.Index.Known() >= n+n/10+10
}

// Scores returns the scores of all pages under the State's model.
func (d *Decisions) Scores() *topic.Scores { return d.Index.Scores() }

// verdicts returns the scores that decide what an aggregation page is, and their threshold: the
// rule's, or the learner's probabilities if the analyst has switched it on.
func (d *Decisions) verdicts() *topic.Scores {
	if l := d.State().Learner; l != nil {
		return d.Index.Probabilities(l)
	}
	return d.Index.Scores()
}

// Counted adds the words of a newly stored page.
func (d *Decisions) Counted(id uint64, doc topic.Doc, fingerprint uint64) {
	d.Index.Add(id, doc)
	d.fingerprints.set(id, fingerprint)
}

// Uncounted adds a stored page without words: they are counted from its body, together with those
// counted by another dictionary.
func (d *Decisions) Uncounted(id uint64) { d.fingerprints.set(id, 0) }
