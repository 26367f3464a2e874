package decisions

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/urls"
	"angler/message"
	"angler/store"
)

// This file holds the analyst's rules over the frontier.

// Actions of a rule on matching waiting URLs.
const (
	Drop  = "drop"  // do not fetch them; they keep waiting for an undo
	Boost = "boost" // fetch them before all others
	Bury  = "bury"  // fetch them after all others
	Delay = "delay" // do not fetch them before a time
	Mute  = "mute"  // fetch them as usual, but do not report failures
)

// ruleLines are the log's lines of each action, for a pattern and for all below branches.
var ruleLines = map[string][2]string{
	Drop:  {"drop %s", "drop all below %s"},
	Boost: {"boost %s", "boost all below %s"},
	Bury:  {"bury %s", "bury all below %s"},
	Mute:  {"mute %s", "mute all below %s"},
	Delay: {"delay %s"}, // branches need a time
}

// Rule is one rule over the frontier.
type Rule struct {
	Pattern string    `json:"pattern"` // regular expression over canonical URLs
	Action  string    `json:"action"`
	Branch  string    `json:"branch,omitempty"` // the host or section it was made for; see belowPattern
	Until   time.Time `json:"until,omitzero"`   // of Delay
	By      string    `json:"by"`
	At      time.Time `json:"at"`

	re *regexp.Regexp
}

// ErrRule means that a rule cannot be applied.
var ErrRule = errors.New("the rule cannot be applied")

// newRule compiles a rule. It refuses a pattern that matches the empty string, and so everything,
// as a mistake.
func newRule(pattern, action string) (Rule, error) {
	r := Rule{Pattern: pattern, Action: action}
	if !slices.Contains([]string{Drop, Boost, Bury, Delay, Mute}, action) {
		return r, fmt.Errorf("%w: %q is none of drop, boost, bury, delay, mute", ErrRule, action)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return r, fmt.Errorf("%w: %v", ErrRule, err)
	}
	if re.MatchString("") {
		return r, fmt.Errorf("%w: %q matches every address; name a part of it, for example /news/", ErrRule, pattern)
	}
	r.re = re
	return r, nil
}

// SteerCount counts the waiting URLs that match a pattern and returns the first few, so that a rule
// can be previewed.
func (t *Topic) SteerCount(pattern string) (n int, examples []string, err error) {
	r, err := newRule(pattern, Drop)
	if err != nil {
		return 0, nil, err
	}
	for u, err := range t.d.Store.URLs() {
		if err != nil {
			return n, examples, err
		}
		if u.State == store.Waiting && r.re.MatchString(urls.Bare(u.URL)) {
			if n++; len(examples) < 5 {
				examples = append(examples, u.URL)
			}
		}
	}
	return n, examples, nil
}

// Steer drops, boosts or buries the waiting URLs that match a pattern, now and later; an empty
// action removes the rule. It is one step of the undo stack and affects a running discovery at
// once.
func (t *Topic) Steer(pattern, action string) error {
	if err := t.May(auth.Steer); err != nil {
		return err
	}
	change, err := t.ruleChange(pattern, action, "", time.Time{})
	if err != nil {
		return err
	}
	what := message.Of("no rule for %s", pattern)
	if action != "" {
		what = message.Of(ruleLines[action][0], pattern)
	}
	return t.d.apply(t.Name, what, change)
}

// ruleChange returns the change of one rule; an empty action removes it.
func (t *Topic) ruleChange(pattern, action, branch string, until time.Time) (store.Change, error) {
	if action == "" {
		return t.d.set(kindRule, pattern, nil), nil
	}
	r, err := newRule(pattern, action)
	r.Branch, r.Until, r.By, r.At = branch, until, t.Name, t.d.Now()
	return t.d.set(kindRule, pattern, r), err
}

// belowPattern returns the pattern of all URLs below a host or section, "host/" or "host/path/", for any
// scheme.
func belowPattern(branch string) string { return "^https?://" + regexp.QuoteMeta(branch) }

// SteerBranches is Steer for all URLs below hosts or sections, see belowPattern, in one step of the undo
// stack; until is for Delay.
func (t *Topic) SteerBranches(branches []string, action string, until time.Time) error {
	if err := t.May(auth.Steer); err != nil {
		return err
	}
	if action == Delay && !until.After(t.d.Now()) {
		return fmt.Errorf("%w: %s is no time to come", ErrRule, until.Format(time.DateTime))
	}
	if action != Delay {
		until = time.Time{}
	}
	var changes []store.Change
	for _, branch := range branches {
		change, err := t.ruleChange(belowPattern(branch), action, branch, until)
		if err != nil {
			return err
		}
		changes = append(changes, change)
	}
	if len(changes) == 0 {
		return nil
	}
	below := message.Plain(branches[0])
	if n := len(branches) - 1; n > 0 {
		below = message.Of("%s and %d more", below, n)
	}
	what := message.Of("no rule any more for all below %s", below)
	switch {
	case action == Delay:
		what = message.Of("delay all below %s until %s", below, until.Format("01-02 15:04"))
	case action != "":
		what = message.Of(ruleLines[action][1], below)
	}
	return t.d.apply(t.Name, what, changes...)
}

// Lapsed returns the delays that ended between after and now, and when the next one ends; zero:
// none.
func (s *State) Lapsed(after, now time.Time) (over []Rule, next time.Time) {
	for i := range s.Rules {
		switch r := &s.Rules[i]; {
		case r.Action != Delay:
		case r.Until.After(now):
			if next.IsZero() || r.Until.Before(next) {
				next = r.Until
			}
		case r.Until.After(after):
			over = append(over, *r)
		}
	}
	return over, next
}

// SteerRules returns the rules in force, by pattern.
func (t *Topic) SteerRules() []Rule { return slices.Clone(t.d.State().Rules) }

// Muted reports whether failures of a URL are muted.
func (s *State) Muted(url string) bool {
	url = urls.Bare(url)
	return slices.ContainsFunc(s.Rules, func(r Rule) bool { return r.Action == Mute && r.re.MatchString(url) })
}

// Action returns the action of the rules on a waiting URL at a time: Drop, also during a Delay,
// Boost, Bury, or "". Drop precedes Boost, and Boost precedes Bury.
func (s *State) Action(url string, now time.Time) string {
	action := ""
	if len(s.Rules) > 0 {
		url = urls.Bare(url)
	}
	for i := range s.Rules {
		r := &s.Rules[i]
		if !r.re.MatchString(url) {
			continue
		}
		switch r.Action {
		case Drop:
			return Drop
		case Delay:
			if now.Before(r.Until) {
				return Drop
			}
		case Boost:
			action = Boost
		case Bury:
			if action == "" {
				action = Bury
			}
		}
	}
	return action
}

// withRule returns rules, by pattern, with or without one.
func withRule(rules []Rule, c *store.Change) ([]Rule, error) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r.Pattern == c.Key })
	if c.After == nil {
		return rules, nil
	}
	var stored Rule
	if err := json.Unmarshal(c.After, &stored); err != nil {
		return nil, fmt.Errorf("stored rule %q: %w", c.Key, err)
	}
	r, err := newRule(c.Key, stored.Action)
	if err != nil {
		return nil, fmt.Errorf("stored rule %q: %w", c.Key, err)
	}
	r.By, r.At, r.Branch, r.Until = stored.By, stored.At, stored.Branch, stored.Until
	i, _ := slices.BinarySearchFunc(rules, r, func(a, b Rule) int { return strings.Compare(a.Pattern, b.Pattern) })
	return slices.Insert(rules, i, r), nil
}
