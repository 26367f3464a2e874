package crawl

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/page"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// Kinds of values on the desk.
const (
	kindSample = "sample" // key: canonical URL
	kindLabel  = "label"  // key: URL id
	kindTopic  = "topic"  // key: "config"
)

// sample is one sample page in use.
type sample struct {
	URL   string    `json:"url"`
	Title string    `json:"title"`
	By    string    `json:"by"`
	At    time.Time `json:"at"`

	id    uint64 // 0 when the page is not part of the crawl
	doc   *topic.Doc
	words *dict.Dict // that counted doc
}

type labelValue struct {
	Label topic.Label `json:"label"`
	By    string      `json:"by"`
	At    time.Time   `json:"at"`
}

// SampleRow is one sample as lists show it.
type SampleRow struct {
	URL   string    `json:"url"`
	Title string    `json:"title"`
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// loadDesk reads what the analysts have decided so far.
func (e *Engine) loadDesk() error {
	e.desk.Lock()
	defer e.desk.Unlock()
	return e.readDesk()
}

// readDesk reads the desk again after any change and builds the judge anew.
// The desk is small; reading it whole keeps undo free of special cases.
// e.desk is held.
func (e *Engine) readDesk() error {
	e.deskRev++
	e.cfg = topic.Default()
	values, err := e.ws.Desk(kindTopic)
	if err != nil {
		return err
	}
	if v, ok := values["config"]; ok {
		if err := json.Unmarshal(v, &e.cfg); err != nil {
			return fmt.Errorf("stored topic configuration: %w", err)
		}
	}
	e.useLearner = string(values["judge"]) == `"`+JudgeLearner+`"`
	if err := e.readSteering(); err != nil {
		return err
	}
	if values, err = e.ws.Desk(kindWord); err != nil {
		return err
	}
	stopped, err := e.ws.Desk(kindStop)
	if err != nil {
		return err
	}
	if err := e.rewords(slices.Sorted(maps.Keys(values)), slices.Sorted(maps.Keys(stopped))); err != nil {
		return err
	}
	if values, err = e.ws.Desk(kindLabel); err != nil {
		return err
	}
	e.labels = make(map[uint64]topic.Label, len(values))
	for k, v := range values {
		var l labelValue
		id, err := strconv.ParseUint(k, 10, 64)
		if err == nil {
			err = json.Unmarshal(v, &l)
		}
		if err != nil {
			return fmt.Errorf("stored label of %s: %w", k, err)
		}
		e.labels[id] = l.Label
	}
	if values, err = e.ws.Desk(kindSample); err != nil {
		return err
	}
	counted := map[string]sample{}
	for _, s := range e.samples {
		counted[s.URL] = s
	}
	e.samples = e.samples[:0:0]
	for u, v := range values {
		s := sample{doc: counted[u].doc, words: counted[u].words}
		if err := json.Unmarshal(v, &s); err != nil {
			return fmt.Errorf("stored sample %s: %w", u, err)
		}
		e.samples = append(e.samples, s)
	}
	slices.SortFunc(e.samples, func(a, b sample) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.URL, b.URL)
	})
	return e.rejudge()
}

// rejudge builds the topic model from the samples, the configuration and the
// pages crawled so far, and rescores everything. Samples whose words were not
// counted yet wait for the dictionary; until then the old model stays.
// e.desk is held.
func (e *Engine) rejudge() error {
	patterns, err := compilePatterns(e.set.Harvest.Patterns)
	if err != nil {
		return err
	}
	j := &judge{patterns: patterns}
	var sampleURLs []string
	var docs []topic.Doc
	words := e.dict.Load()
	for i := range e.samples {
		s := &e.samples[i]
		if s.id == 0 {
			s.id, _ = e.ws.Lookup(s.URL) // the crawl may have met it since
		}
		if s.words != words {
			select {
			case <-words.Ready():
			default:
				if old := e.judge.Load(); old != nil {
					j.model, j.urls = old.model, old.urls
				}
				e.judge.Store(j)
				return nil
			}
			if s.doc, err = e.sampleDoc(words, s.URL); err != nil {
				return err
			}
			s.words = words
		}
		docs = append(docs, *s.doc)
		sampleURLs = append(sampleURLs, s.URL)
	}
	if len(docs) > 0 {
		j.model = topic.Build(e.cfg, docs, e.lex, e.index.Background())
		j.urls = newURLJudge(sampleURLs)
	}
	e.index.Apply(j.model)
	e.topicPrint.Store(e.printTopic(sampleURLs))
	// Pages that nobody labelled yes leave nothing to learn from.
	e.learned, _ = e.index.Learn(e.confirmedLabels())
	if e.useLearner && e.learned != nil && e.learned.Ready() {
		j.learner = e.learned
	}
	e.judge.Store(j)
	return nil
}

// printTopic condenses what the verdicts on pages depend on: the configuration,
// the samples, the labels and who judges. e.desk is held.
func (e *Engine) printTopic(samples []string) uint64 {
	h := fnv.New64a()
	cfg, _ := json.Marshal(e.cfg)
	h.Write(cfg)
	for _, s := range samples {
		fmt.Fprintln(h, s)
	}
	for _, id := range slices.Sorted(maps.Keys(e.labels)) {
		fmt.Fprintln(h, id, e.labels[id])
	}
	fmt.Fprint(h, e.useLearner)
	return h.Sum64()
}

// confirmedLabels are the labels, and the samples as yes: an analyst has vouched
// for both. e.desk is held.
func (e *Engine) confirmedLabels() map[uint64]topic.Label {
	all := make(map[uint64]topic.Label, len(e.labels)+len(e.samples))
	for i := range e.samples {
		if id := e.samples[i].id; id != 0 {
			all[id] = topic.Yes
		}
	}
	for id, l := range e.labels {
		all[id] = l
	}
	return all
}

func compilePatterns(list []string) (*regexp.Regexp, error) {
	if len(list) == 0 {
		return nil, nil
	}
	return regexp.Compile("(?:" + strings.Join(list, ")|(?:") + ")")
}

// settle rebuilds the model over what has been crawled meanwhile.
func (e *Engine) settle() error {
	e.desk.Lock()
	defer e.desk.Unlock()
	return e.rejudge()
}

// sampleDoc counts the words of a sample from its stored material.
func (e *Engine) sampleDoc(words *dict.Dict, canonical string) (*topic.Doc, error) {
	s, err := e.ws.Sample(canonical)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("the page of sample %s is missing; remove the sample and add it again", canonical)
	}
	body, err := store.Decompress(s.Body, e.set.Crawl.MaxBodyMB<<20)
	if err != nil {
		return nil, fmt.Errorf("the page of sample %s: %w", canonical, err)
	}
	p, err := page.Parse(page.Source{URL: s.URL, ContentType: s.ContentType, Body: body}, page.Options{Now: e.now(), Resolver: e.resolver})
	if err != nil {
		return nil, fmt.Errorf("the page of sample %s: %w", canonical, err)
	}
	d := e.doc(words, p)
	return &d, nil
}

// act performs one analyst's action: f changes the desk, then everything that
// depends on it is brought up to date.
func (e *Engine) act(f func() (*store.Event, error)) (*store.Event, error) {
	e.desk.Lock()
	ev, err := f()
	if err == nil && ev != nil {
		err = e.readDesk()
	}
	e.desk.Unlock()
	if err == nil && ev != nil {
		e.did(ev.What)
		err = e.apply(ev)
	}
	e.publish()
	return ev, err
}

// apply lets a running discovery take up what an action changed: the rules over
// the frontier at once; the topic as soon as the link order has learned it.
func (e *Engine) apply(ev *store.Event) error {
	r := e.current()
	if r == nil || r.task != Discovery {
		return nil
	}
	if slices.ContainsFunc(ev.Changes, func(c store.Change) bool { return c.Kind == kindSteer }) {
		return r.reconsider()
	}
	r.order.retopic()
	return nil
}

// do sets one value of the desk.
func (e *Engine) do(kind, key, what string, value any) (*store.Event, error) {
	c, err := store.Set(kind, key, value)
	if err != nil {
		return nil, err
	}
	return e.ws.Do(e.by, what, c)
}

// Config returns the topic's configuration.
func (e *Engine) Config() topic.Config {
	e.desk.Lock()
	defer e.desk.Unlock()
	return e.cfg.Clone()
}

// ChangeConfig changes the topic's configuration in one step; change gets a
// copy of it and returns one line for the log.
func (e *Engine) ChangeConfig(change func(*topic.Config) (what string)) error {
	_, err := e.act(func() (*store.Event, error) {
		c := e.cfg.Clone()
		what := change(&c)
		return e.do(kindTopic, "config", what, c)
	})
	return err
}

// Undo takes back the last action and says which.
func (e *Engine) Undo() (string, error) {
	return what(e.act(func() (*store.Event, error) { return e.ws.Undo(e.by) }))
}

// Redo does the last undone action again and says which.
func (e *Engine) Redo() (string, error) {
	return what(e.act(func() (*store.Event, error) { return e.ws.Redo(e.by) }))
}

func what(ev *store.Event, err error) (string, error) {
	if err != nil || ev == nil {
		return "", err
	}
	return ev.What, nil
}

// Features returns the feature table, largest weight first; nil without
// samples.
func (e *Engine) Features() []topic.Feature {
	if j := e.judge.Load(); j != nil && j.model != nil {
		return j.model.Features(0)
	}
	return nil
}

// Scores returns the scores of all pages under the current model.
func (e *Engine) Scores() *topic.Scores { return e.index.Scores() }

// Verdicts returns the scores that decide what an aggregation page is, with
// their threshold: the rule's, or the learner's probabilities once the analyst
// has switched it on.
func (e *Engine) Verdicts() *topic.Scores {
	if j := e.judge.Load(); j != nil && j.learner != nil {
		return e.index.Judged(j.learner)
	}
	return e.index.Scores()
}

// Aggregations returns the ids of the aggregation pages, the most relevant
// first: at or above the threshold, labels and samples overriding the judge.
func (e *Engine) Aggregations() []uint64 {
	e.desk.Lock()
	sure := make(map[uint64]bool, len(e.labels)+len(e.samples))
	for i := range e.samples {
		if id := e.samples[i].id; id != 0 {
			sure[id] = true
		}
	}
	for id, l := range e.labels {
		if l == topic.Yes || l == topic.No {
			sure[id] = l == topic.Yes
		}
	}
	e.desk.Unlock()
	j := e.judge.Load()
	var ids []uint64
	if j != nil && j.model != nil {
		s := e.Verdicts()
		top, _ := s.Top(s.Above(s.Theta))
		for _, id := range top {
			if yes, known := sure[id]; !known || yes {
				ids = append(ids, id)
				delete(sure, id)
			}
		}
	}
	for id, yes := range sure {
		if yes && e.captured.has(id) {
			ids = append(ids, id)
		}
	}
	return ids
}
