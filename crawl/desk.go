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

	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// Kinds of values on the desk.
const (
	kindSample = "sample" // key: canonical URL
	kindAnti   = "anti"   // key: canonical URL; no page has both marks
	kindLabel  = "label"  // key: URL id
	kindTopic  = "topic"  // key: "config"
)

type labelValue struct {
	Label topic.Label `json:"label"`
	By    string      `json:"by"`
	At    time.Time   `json:"at"`
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
	values, err := e.ws.Decisions.Values(store.FirstTopic, kindTopic)
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
	if values, err = e.ws.Decisions.Values(store.FirstTopic, kindWord); err != nil {
		return err
	}
	stopped, err := e.ws.Decisions.Values(store.FirstTopic, kindStop)
	if err != nil {
		return err
	}
	if err := e.rewords(slices.Sorted(maps.Keys(values)), slices.Sorted(maps.Keys(stopped))); err != nil {
		return err
	}
	if values, err = e.ws.Decisions.Values(store.FirstTopic, kindLabel); err != nil {
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
	counted := map[string]sample{}
	for _, s := range slices.Concat(e.samples, e.anti) {
		counted[s.URL] = s
	}
	if e.samples, err = e.readSamples(kindSample, counted); err != nil {
		return err
	}
	if e.anti, err = e.readSamples(kindAnti, counted); err != nil {
		return err
	}
	return e.rejudge()
}

// rejudge builds the topic model from the samples and anti-samples, the
// configuration and the pages crawled so far, and rescores everything. Samples
// whose words were not counted yet wait for the dictionary; until then the old
// model stays.
// e.desk is held.
func (e *Engine) rejudge() error {
	patterns, err := compilePatterns(e.set.Harvest.Patterns)
	if err != nil {
		return err
	}
	j := &judge{patterns: patterns}
	docs, ready, err := e.count(e.samples)
	if err != nil {
		return err
	}
	anti, alsoReady, err := e.count(e.anti)
	if err != nil {
		return err
	}
	if !ready || !alsoReady {
		if old := e.judge.Load(); old != nil {
			j.model, j.urls = old.model, old.urls
		}
		e.judge.Store(j)
		return nil
	}
	sampleURLs := addresses(e.samples)
	if len(docs) > 0 {
		j.model = topic.BuildAgainst(e.cfg, docs, anti, e.lex, e.index.Background())
		j.urls = newURLJudge(sampleURLs)
	}
	e.index.Apply(j.model)
	e.topicPrint.Store(e.printTopic(sampleURLs, addresses(e.anti)))
	// Pages that nobody labelled yes leave nothing to learn from.
	e.learned, _ = e.index.Learn(e.confirmedLabels())
	if e.useLearner && e.learned != nil && e.learned.Ready() {
		j.learner = e.learned
	}
	e.judge.Store(j)
	return nil
}

// printTopic condenses what the verdicts on pages depend on: the configuration,
// the samples, the anti-samples, the labels and who judges. e.desk is held.
func (e *Engine) printTopic(samples, anti []string) uint64 {
	h := fnv.New64a()
	cfg, _ := json.Marshal(e.cfg)
	h.Write(cfg)
	for _, s := range samples {
		fmt.Fprintln(h, s)
	}
	for _, s := range anti {
		fmt.Fprintln(h, kindAnti, s)
	}
	for _, id := range slices.Sorted(maps.Keys(e.labels)) {
		fmt.Fprintln(h, id, e.labels[id])
	}
	fmt.Fprint(h, e.useLearner)
	return h.Sum64()
}

// confirmedLabels are the labels, the samples as yes and the anti-samples as no:
// an analyst has vouched for all of them. e.desk is held.
func (e *Engine) confirmedLabels() map[uint64]topic.Label {
	all := make(map[uint64]topic.Label, len(e.labels)+len(e.samples)+len(e.anti))
	for _, id := range crawled(e.samples) {
		if id != 0 {
			all[id] = topic.Yes
		}
	}
	maps.Copy(all, e.judgedLabels())
	return all
}

// judgedLabels are the labels, and the anti-samples as no where no label says
// otherwise: what a threshold or a scheme is measured on. e.desk is held.
func (e *Engine) judgedLabels() map[uint64]topic.Label {
	all := make(map[uint64]topic.Label, len(e.labels)+len(e.anti))
	for _, id := range crawled(e.anti) {
		if id != 0 {
			all[id] = topic.No
		}
	}
	maps.Copy(all, e.labels)
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
	if r == nil || r.task != view.Discovery {
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
	c, err := store.Set(store.FirstTopic, kind, key, value)
	if err != nil {
		return nil, err
	}
	return e.ws.Decisions.Do(e.by, what, c)
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
	return what(e.act(func() (*store.Event, error) { return e.ws.Decisions.Undo(e.by) }))
}

// Redo does the last undone action again and says which.
func (e *Engine) Redo() (string, error) {
	return what(e.act(func() (*store.Event, error) { return e.ws.Decisions.Redo(e.by) }))
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
// first: at or above the threshold; labels, samples and anti-samples override
// the judge.
func (e *Engine) Aggregations() []uint64 {
	e.desk.Lock()
	sure := make(map[uint64]bool, len(e.labels)+len(e.samples)+len(e.anti))
	for _, id := range crawled(e.anti) {
		sure[id] = false
	}
	for _, id := range crawled(e.samples) {
		sure[id] = true
	}
	delete(sure, 0) // not part of the crawl
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
