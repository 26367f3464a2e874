package crawl

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"angler/store"
)

// kindSteer are the analyst's rules over the frontier; the key is the pattern.
const kindSteer = "steer"

// What a rule does with the waiting URLs that match it.
const (
	SteerDrop  = "drop"  // they are not fetched; they keep waiting, for an undo
	SteerBoost = "boost" // they go before all others
	SteerBury  = "bury"  // they go after all others
)

// steerStep lifts a URL over, or lowers it under, every value of every
// strategy: the largest is a number of URLs. Pages to be visited again stand
// between what is buried and what nobody steered.
const (
	steerStep    = 1e9
	revisitValue = -steerStep / 2
)

// level undoes steering for people: the strategy's own value, and what was done
// to it in a word.
func level(priority float64) (value float64, how string) {
	switch {
	case priority > steerStep/2:
		return priority - steerStep, "boosted"
	case priority < revisitValue-steerStep/4:
		return priority + steerStep, "buried"
	case priority < revisitValue/2:
		return priority - revisitValue, "revisit"
	}
	return priority, ""
}

// SteerRule is one rule over the frontier.
type SteerRule struct {
	Pattern string    `json:"pattern"` // regular expression over canonical URLs
	Action  string    `json:"action"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`

	re *regexp.Regexp
}

// ErrSteer means a rule that cannot be applied.
var ErrSteer = errors.New("the rule cannot be applied")

// steerRule compiles a rule. A pattern that matches the empty string matches
// everything and is taken for a slip.
func steerRule(pattern, action string) (SteerRule, error) {
	r := SteerRule{Pattern: pattern, Action: action}
	if !slices.Contains([]string{SteerDrop, SteerBoost, SteerBury}, action) {
		return r, fmt.Errorf("%w: %q is none of drop, boost, bury", ErrSteer, action)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return r, fmt.Errorf("%w: %v", ErrSteer, err)
	}
	if re.MatchString("") {
		return r, fmt.Errorf("%w: %q matches every address; name a part of it, for example /news/", ErrSteer, pattern)
	}
	r.re = re
	return r, nil
}

// steered is the priority of a URL after the rules; false when it is to leave
// the frontier: dropped, or no longer in scope. Of several matching rules drop
// counts before boost, and boost before bury.
func (e *Engine) steered(url string, value float64) (float64, bool) {
	if !e.scope.Load().Contains(url) {
		return value, false
	}
	rules := e.steer.Load()
	if rules == nil {
		return value, true
	}
	boost, bury := false, false
	for i := range *rules {
		r := &(*rules)[i]
		if !r.re.MatchString(url) {
			continue
		}
		switch r.Action {
		case SteerDrop:
			return value, false
		case SteerBoost:
			boost = true
		case SteerBury:
			bury = true
		}
	}
	switch {
	case boost:
		value += steerStep
	case bury:
		value -= steerStep
	}
	return value, true
}

// SteerCount counts the waiting URLs that match a pattern and shows the first
// few, so that a rule can be looked at before it is set.
func (e *Engine) SteerCount(pattern string) (n int, examples []string, err error) {
	r, err := steerRule(pattern, SteerDrop)
	if err != nil {
		return 0, nil, err
	}
	for u, err := range e.ws.URLs() {
		if err != nil {
			return n, examples, err
		}
		if u.State == store.Waiting && r.re.MatchString(u.URL) {
			if n++; len(examples) < 5 {
				examples = append(examples, u.URL)
			}
		}
	}
	return n, examples, nil
}

// Steer drops, boosts or buries the waiting URLs that match a pattern, now and
// from now on; an empty action takes the pattern's rule away. It is one step of
// the undo stack and acts on a running discovery at once.
func (e *Engine) Steer(pattern, action string) error {
	var value any
	what := "no rule for " + pattern
	if action != "" {
		r, err := steerRule(pattern, action)
		if err != nil {
			return err
		}
		r.By, r.At = e.by, e.now()
		value, what = r, action+" "+pattern
	}
	_, err := e.act(func() (*store.Event, error) { return e.do(kindSteer, pattern, what, value) })
	return err
}

// SteerRules returns the rules in force, by pattern.
func (e *Engine) SteerRules() []SteerRule {
	if r := e.steer.Load(); r != nil {
		return slices.Clone(*r)
	}
	return nil
}

// readSteering reads the rules from the desk. e.desk is held.
func (e *Engine) readSteering() error {
	values, err := e.ws.Decisions.Values(store.FirstTopic, kindSteer)
	if err != nil {
		return err
	}
	rules := make([]SteerRule, 0, len(values))
	for _, pattern := range slices.Sorted(maps.Keys(values)) {
		var stored SteerRule
		if err := json.Unmarshal(values[pattern], &stored); err != nil {
			return fmt.Errorf("stored rule %q: %w", pattern, err)
		}
		r, err := steerRule(pattern, stored.Action)
		if err != nil {
			return fmt.Errorf("stored rule %q: %w", pattern, err)
		}
		r.By, r.At = stored.By, stored.At
		rules = append(rules, r)
	}
	e.steer.Store(&rules)
	return nil
}
