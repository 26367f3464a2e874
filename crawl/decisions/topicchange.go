package decisions

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"angler/crawl/auth"
	"angler/message"
	"angler/store"
	"angler/topic"
)

// ErrUnknownWord means that a word cannot be switched or weighted, because no sample holds it.
var ErrUnknownWord = errors.New("no sample holds the word")

// TopicChange changes several settings of a topic at once. Nil and empty fields change nothing.
type TopicChange struct {
	Scheme     *topic.Scheme
	Norm       *topic.Norm
	Similarity *topic.Similarity
	M          *int               // 1 … topic.MaxFeatures
	MinWeight  *float64           // 0 … 1, see topic.Config
	Gamma      *float64           // 0 … topic.MaxGamma
	Theta      *float64           // 0 … 1; 0: automatic
	Expert     []string           // words that count whatever the samples hold
	Stop       []string           // words that count on no page; stored pages are counted again
	On, Off    []string           // switches of words
	Weights    map[string]float64 // 0 … maxTimes; multiple of a word's own weight
}

// maxTimes bounds the multiplier of a word's weight.
const maxTimes = 10

// Empty reports whether the change changes nothing.
func (c *TopicChange) Empty() bool {
	return c.Scheme == nil && c.Norm == nil && c.Similarity == nil && c.M == nil && c.MinWeight == nil &&
		c.Gamma == nil && c.Theta == nil &&
		len(c.Expert)+len(c.Stop)+len(c.On)+len(c.Off)+len(c.Weights) == 0
}

// Check reports faults of the change that do not depend on a topic.
func (c *TopicChange) Check() error {
	switch {
	case c.Scheme != nil && !slices.Contains(topic.Schemes, *c.Scheme):
		return fmt.Errorf("no scheme %q; choose from %s", *c.Scheme, listed(topic.Schemes))
	case c.Norm != nil && !slices.Contains(topic.Norms, *c.Norm):
		return fmt.Errorf("no norm %q; choose from %s", *c.Norm, listed(topic.Norms))
	case c.Similarity != nil && !slices.Contains(topic.Similarities, *c.Similarity):
		return fmt.Errorf("no similarity %q; choose from %s", *c.Similarity, listed(topic.Similarities))
	case c.M != nil && (*c.M < 1 || *c.M > topic.MaxFeatures):
		return fmt.Errorf("m is %d; it must be a number from 1 to %d", *c.M, topic.MaxFeatures)
	case !within(c.MinWeight, 1):
		return fmt.Errorf("the minimal weight is %g; it must be a number from 0 to 1, the share of the heaviest word's weight", *c.MinWeight)
	case !within(c.Gamma, topic.MaxGamma):
		return fmt.Errorf("γ is %g; it must be a number from 0 to %d", *c.Gamma, topic.MaxGamma)
	case !within(c.Theta, 1):
		return fmt.Errorf("θ is %g; it must be auto, or a number above 0, at most 1", *c.Theta)
	}
	for word, x := range c.Weights {
		if !within(&x, maxTimes) {
			return fmt.Errorf("the weight of %s is %g; it must be a number from 0 to %d, and 1 is its own weight", word,
				x, maxTimes)
		}
	}
	return c.checkWords()
}

// within reports whether *x is in 0 … most or nil.
func within(x *float64, most float64) bool { return x == nil || *x >= 0 && *x <= most } // NaN does not

func listed[T ~string](names []T) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return strings.Join(out, ", ")
}

// checkWords reports invalid words, and words with contradictory changes.
func (c *TopicChange) checkWords() error {
	for _, w := range slices.Concat(c.Expert, c.Stop, c.On, c.Off, slices.Sorted(maps.Keys(c.Weights))) {
		if n := utf8.RuneCountInString(w); n < 1 || n > 32 || strings.ContainsFunc(w, isBlank) {
			return fmt.Errorf("%q is no word of 1 to 32 characters", w)
		}
	}
	for _, w := range c.Off {
		if slices.Contains(c.On, w) || slices.Contains(c.Expert, w) {
			return fmt.Errorf("%s cannot be switched off and on in one step", w)
		}
	}
	for _, w := range c.Stop {
		if _, weighed := c.Weights[w]; weighed || slices.Contains(c.On, w) || slices.Contains(c.Expert, w) {
			return fmt.Errorf("%s cannot become a stop word and count in one step", w)
		}
	}
	return nil
}

func isBlank(r rune) bool { return strings.ContainsRune(" \t\r\n\u00a0\u3000", r) }

// Change makes the whole change in one step, which one undo takes back, and returns its line of the
// log; "" if it changes nothing. A change that Check refuses, or with a word in no sample
// (ErrUnknownWord), changes nothing. The words must be loaded (Decisions.Words).
func (t *Topic) Change(c *TopicChange) (message.Text, error) {
	if err := t.May(auth.Configure); err != nil {
		return "", err
	}
	if err := c.Check(); err != nil {
		return "", err
	}
	return t.d.acted(func(s *State, log *store.Decisions) (*store.Event, error) {
		cfg := s.Config.Clone()
		did := c.apply(&cfg)
		if err := c.known(s, cfg); err != nil {
			return nil, err
		}
		changes := []store.Change{t.d.set(kindTopic, keyConfig, cfg)}
		for _, w := range c.Stop {
			if slices.Contains(s.Stopped, w) {
				continue
			}
			changes = append(changes, t.d.set(kindStop, w, wordValue{By: t.Name, At: t.d.Now()}))
			did = append(did, message.Of("stop word %s", w))
		}
		if len(did) == 0 {
			return nil, nil
		}
		line := message.Join(did, "; ")
		if len(did) > 1 {
			line = message.Of("topic: %s", line)
		} else {
			line = did[0]
		}
		return log.Do(t.Name, line, changes...)
	})
}

// apply changes cfg and returns descriptions of the changes, as the screens log them.
func (c *TopicChange) apply(cfg *topic.Config) (did []message.Text) {
	say := func(changed bool, line message.Text) {
		if changed {
			did = append(did, line)
		}
	}
	slices.Sort(cfg.Expert)
	slices.Sort(cfg.Off)
	say(replace(&cfg.Scheme, c.Scheme), message.Of("scheme %s", cfg.Scheme))
	say(replace(&cfg.Norm, c.Norm), message.Of("norm %s", cfg.Norm))
	cfg.Similarity = cmp.Or(cfg.Similarity, topic.SimilarityCentroid)
	say(replace(&cfg.Similarity, c.Similarity), message.Of("similarity %s", cfg.Similarity))
	say(replace(&cfg.M, c.M), message.Of("m %d", cfg.M))
	say(replace(&cfg.MinWeight, c.MinWeight), message.Of("minimal weight %g", cfg.MinWeight))
	say(replace(&cfg.Gamma, c.Gamma), message.Of("γ %g", cfg.Gamma))
	if replace(&cfg.Theta, c.Theta) {
		if cfg.Theta == 0 {
			say(true, "θ automatic")
		} else {
			say(true, message.Of("θ %g", cfg.Theta))
		}
	}
	for _, w := range c.Expert {
		added, on := include(&cfg.Expert, w), exclude(&cfg.Off, w)
		say(added || on, message.Of("expert word %s", w))
	}
	for _, w := range c.On {
		say(exclude(&cfg.Off, w), message.Of("word %s on", w))
	}
	for _, w := range c.Off {
		say(include(&cfg.Off, w), message.Of("word %s off", w))
	}
	for _, w := range slices.Sorted(maps.Keys(c.Weights)) {
		was, set := cfg.Weights[w]
		switch x := c.Weights[w]; {
		case x == 1 && set:
			delete(cfg.Weights, w)
			say(true, message.Of("weight of %s ×1", w))
		case x != 1 && (!set || was != x):
			if cfg.Weights == nil {
				cfg.Weights = map[string]float64{}
			}
			cfg.Weights[w] = x
			say(true, message.Of("weight of %s ×%g", w, x))
		}
	}
	return did
}

// replace sets *at to *by unless by is nil, and reports whether it was different.
func replace[T comparable](at, by *T) bool {
	if by == nil || *at == *by {
		return false
	}
	*at = *by
	return true
}

// include adds a word to a sorted list and reports whether it was missing.
func include(list *[]string, w string) bool {
	i, found := slices.BinarySearch(*list, w)
	if !found {
		*list = slices.Insert(*list, i, w)
	}
	return !found
}

// exclude removes a word from a sorted list and reports whether it was there.
func exclude(list *[]string, w string) bool {
	i, found := slices.BinarySearch(*list, w)
	if found {
		*list = slices.Delete(*list, i, i+1)
	}
	return found
}

// known reports unknown words of switches and weights: those that are neither in the samples under
// the new configuration, nor expert words, nor in the old configuration.
func (c *TopicChange) known(s *State, cfg topic.Config) error {
	asked := slices.Concat(c.On, c.Off, slices.Sorted(maps.Keys(c.Weights)))
	if len(asked) == 0 {
		return nil
	}
	words := map[string]bool{}
	for _, list := range [][]string{cfg.Expert, s.Config.Off, slices.Collect(maps.Keys(s.Config.Weights))} {
		for _, w := range list {
			words[w] = true
		}
	}
	if s.Model != nil {
		for _, f := range s.Model.WithConfig(cfg).Features(0) {
			words[f.Word] = true
		}
	}
	for _, w := range asked {
		switch {
		case words[w]:
		case s.Model == nil:
			return fmt.Errorf("%w %s: there are no samples yet; angler samples add DIR URL… adds some", ErrUnknownWord,
				w)
		default:
			return fmt.Errorf("%w %s; angler topic words DIR --top 0 lists those there are, --expert %s adds it",
				ErrUnknownWord, w, w)
		}
	}
	return nil
}

// Row returns the current topic.
func (t *Topic) Row() TopicRow {
	s, scores := t.d.State(), t.d.Scores()
	c := s.Config
	r := TopicRow{Scheme: string(c.Scheme), Norm: string(c.Norm),
		Similarity: string(cmp.Or(c.Similarity, topic.SimilarityCentroid)), M: c.M, MinWeight: c.MinWeight, Gamma: c.Gamma,
		Theta: c.Theta, ThetaAuto: c.Theta == 0,
		ThetaWhy: "automatic, as soon as there are samples", Judge: JudgeRule, Samples: len(s.Samples),
		Negative: len(s.Negative), Labels: len(s.Labels),
		Expert: append([]string{}, c.Expert...), Off: append([]string{}, c.Off...), Weights: map[string]float64{},
		Stop: append([]string{}, s.Stopped...)}
	maps.Copy(r.Weights, c.Weights)
	if c.Theta > 0 {
		r.ThetaWhy = string(topic.RuleSet)
	}
	if s.Learner != nil {
		r.Judge = JudgeLearner
	}
	if m := s.Model; m != nil {
		r.Theta, r.ThetaWhy = scores.Theta, string(m.ThetaRule())
		for _, f := range m.Features(0) {
			if f.Weight > 0 {
				r.Features++
			}
		}
		if err := m.Err(); err != nil {
			r.Problem = err.Error()
		}
	}
	return r
}
