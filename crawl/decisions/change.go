package decisions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"angler/store"
	"angler/topic"
)

// This file applies the changes of the log to a State.

// Kinds of values in the log. The names are on disk and stay.
const (
	kindSample   = "sample" // key: canonical URL
	kindNegative = "anti"   // key: canonical URL; no page has both marks
	kindLabel    = "label"  // key: URL id
	kindTopic    = "topic"  // key: keyConfig or keyJudge
	kindRule     = "steer"  // key: pattern
	kindWord     = "word"   // key: an accepted word
	kindStop     = "stop"   // key: a stop word
	kindReject   = "reject" // key: a word rejected as a term
	kindSeed     = "seed"   // key: a host proposed as a seed
	kindRecipe   = "recipe" // key: the ID of a recipe
	kindWorker   = "worker" // key: the name of a remote worker

	kindProposal = "proposal" // key: see Proposal.Key
)

var kinds = []string{kindSample, kindNegative, kindLabel, kindTopic, kindRule, kindWord, kindStop, kindReject, kindSeed,
	kindRecipe, kindWorker,
	kindStar, kindDone, kindNote, kindVerdict, kindView, kindMute, kindValue, kindApart, kindAlone, kindJoined,
	kindProposal}

// Keys of kindTopic.
const (
	keyConfig = "config"
	keyJudge  = "judge"
)

// Effects says which parts of a State an action, its undo or its redo changed.
type Effects struct {
	Model   bool         // samples, negative samples or the configuration
	Labels  bool         // labels or the judge
	Words   bool         // words accepted as terms, or stop words
	Rules   bool         // rules over the frontier
	Seeds   bool         // verdicts on proposed seeds
	Workers bool         // orders to workers
	Kin     bool         // which notices are copies or of one project
	Mutes   bool         // muted alarms of lists
	Values  []uint64     // notices with a changed correction
	Recipes []RecipeTurn // recipes with a changed verdict
}

// with returns the State after changes, without derived parts (see renew), and the effects.
//
// It reads changes in the form of the log, including those of a new action. So an action, its undo
// and the next opening give the same State. Decoding one takes some microseconds, its commit
// milliseconds.
func (s *State) with(changes []store.Change) (*State, Effects, error) {
	next := *s
	next.Rev++
	var t Effects
	own := copies{}
	for i := range changes {
		c := &changes[i]
		if c.Topic != s.Topic {
			continue
		}
		var err error
		switch c.Kind {
		case kindTopic:
			err = next.setTopic(c, &t)
		case kindSample:
			t.Model = true
			next.Samples, err = withSample(next.Samples, c, s)
		case kindNegative:
			t.Model = true
			next.Negative, err = withSample(next.Negative, c, s)
		case kindLabel:
			t.Labels = true
			err = setLabel(copied(own, kindLabel, &next.Labels), c)
		case kindRule:
			t.Rules = true
			next.Rules, err = withRule(next.Rules, c)
		case kindWord:
			t.Words = true
			next.Accepted = withWord(next.Accepted, c)
		case kindStop:
			t.Words = true
			next.Stopped = withWord(next.Stopped, c)
		case kindReject:
			next.Rejected = withWord(next.Rejected, c)
		case kindSeed:
			t.Seeds = true
			err = setVerdict(copied(own, kindSeed, &next.Proposed), c)
		case kindRecipe:
			err = setVerdict(copied(own, kindRecipe, &next.Recipes), c)
			t.Recipes = append(t.Recipes, RecipeTurn{c.Key, s.Recipes[c.Key].State, next.Recipes[c.Key].State})
		case kindWorker:
			t.Workers = true
			err = setVerdict(copied(own, kindWorker, &next.Workers), c)
		case kindProposal:
			t.Seeds = t.Seeds || strings.HasPrefix(c.Key, kindSeed+"/")
			err = setVerdict(copied(own, kindProposal, &next.Waiting), c)
		case kindApart, kindAlone, kindJoined, kindMute, kindStar, kindDone, kindNote, kindVerdict:
			t.Kin = t.Kin || c.Kind == kindApart || c.Kind == kindAlone || c.Kind == kindJoined
			t.Mutes = t.Mutes || c.Kind == kindMute
			err = setMark(copied(own, "marks", &next.Remarks), c)
		case kindView:
			next.Views, err = withView(next.Views, c)
		case kindValue:
			var id uint64
			id, err = setValue(copied(own, kindValue, &next.Corrected), own, c)
			t.Values = append(t.Values, id)
		}
		if err != nil {
			return nil, t, err
		}
	}
	return &next, t, nil
}

// copies names the parts of a State that were copied for a change, so that the State before stays as it is.
type copies map[string]bool

// copied returns a map of the next State that may be changed: a copy, made once.
func copied[K comparable, V any](own copies, part string, of *map[K]V) map[K]V {
	if !own[part] {
		own[part] = true
		if *of = maps.Clone(*of); *of == nil {
			*of = map[K]V{}
		}
	}
	return *of
}

// setVerdict sets or removes the verdict under a name.
func setVerdict[V any](of map[string]V, c *store.Change) error {
	if c.After == nil {
		delete(of, c.Key)
		return nil
	}
	var v V
	if err := json.Unmarshal(c.After, &v); err != nil {
		return fmt.Errorf("stored verdict on the %s %s: %w", c.Kind, c.Key, err)
	}
	of[c.Key] = v
	return nil
}

func (s *State) setTopic(c *store.Change, t *Effects) error {
	switch c.Key {
	case keyConfig:
		t.Model = true
		s.Config = topic.Default()
		if c.After == nil {
			return nil
		}
		if err := json.Unmarshal(c.After, &s.Config); err != nil {
			return fmt.Errorf("stored topic configuration: %w", err)
		}
	case keyJudge:
		t.Labels = true
		s.useLearner = string(c.After) == `"`+JudgeLearner+`"`
	}
	return nil
}

// withSample returns list with or without one page. A page counted under the other mark keeps its
// words.
func withSample(list []Sample, c *store.Change, before *State) ([]Sample, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(s Sample) bool { return s.URL == c.Key })
	if c.After == nil {
		return list, nil
	}
	var s Sample
	for _, known := range [...][]Sample{before.Samples, before.Negative} {
		if i := slices.IndexFunc(known, func(s Sample) bool { return s.URL == c.Key }); i >= 0 {
			s = known[i]
		}
	}
	s.Title, s.By, s.Negative = "", "", false
	if err := json.Unmarshal(c.After, &s.SampleRow); err != nil {
		return nil, fmt.Errorf("stored sample %s: %w", c.Key, err)
	}
	list = append(list, s)
	slices.SortFunc(list, func(a, b Sample) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.URL, b.URL)) })
	return list, nil
}

func setLabel(labels map[uint64]topic.Label, c *store.Change) error {
	id, err := strconv.ParseUint(c.Key, 10, 64)
	if err == nil && c.After == nil {
		delete(labels, id)
		return nil
	}
	var l labelValue
	if err == nil {
		err = json.Unmarshal(c.After, &l)
	}
	if err != nil {
		return fmt.Errorf("stored label of %s: %w", c.Key, err)
	}
	labels[id] = l.Label
	return nil
}

// withWord returns the sorted list with or without a word.
func withWord(list []string, c *store.Change) []string {
	list = slices.Clone(list)
	i, found := slices.BinarySearch(list, c.Key)
	switch {
	case c.After == nil && found:
		return slices.Delete(list, i, i+1)
	case c.After != nil && !found:
		return slices.Insert(list, i, c.Key)
	}
	return list
}

// stored returns all decisions as one list of changes.
func (d *Decisions) stored() ([]store.Change, error) {
	var all []store.Change
	for _, kind := range kinds {
		values, err := d.Store.Decisions.Values(d.Topic, kind)
		if err != nil {
			return nil, err
		}
		for key, v := range values {
			all = append(all, store.Change{Topic: d.Topic, Kind: kind, Key: key, After: v})
		}
	}
	return all, nil
}

// readable returns the changes that can be decoded. Damaged ones are skipped with an event, so that
// the others can be used.
func (d *Decisions) readable(all []store.Change) []store.Change {
	empty := &State{Topic: d.Topic, Labels: map[uint64]topic.Label{}}
	return slices.DeleteFunc(all, func(c store.Change) bool {
		_, _, err := empty.with([]store.Change{c})
		if err != nil {
			d.Events.Note("error", "%v; it counts for nothing", err)
		}
		return err != nil
	})
}
