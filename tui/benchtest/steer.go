package benchtest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/view"
)

// This file steers the frontier: rules are kept, and the snapshot's rows follow.

// SteerCount implements parts.Runs.
func (b *Bench) SteerCount(pattern string) (n int, examples []string, err error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %v", decisions.ErrRule, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("SteerCount"); err != nil {
		return 0, nil, err
	}
	for _, r := range b.snap.Frontier {
		if re.MatchString(r.URL) {
			if n++; len(examples) < 5 {
				examples = append(examples, r.URL)
			}
		}
	}
	return n, examples, nil
}

// Steer implements parts.Runs.
func (b *Bench) Steer(pattern, action string) error {
	if _, err := regexp.Compile(pattern); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Steer"); err != nil {
		return err
	}
	b.remember(action + " " + pattern)
	b.rules = slices.DeleteFunc(slices.Clone(b.rules), func(r decisions.Rule) bool { return r.Pattern == pattern })
	if action != "" {
		b.rules = append(b.rules, decisions.Rule{Pattern: pattern, Action: action, By: "wang", At: Start})
	}
	b.publish(b.steered)
	return nil
}

// steered orders the snapshot's frontier by the rules in force.
func (b *Bench) steered(s *view.Snapshot) {
	if len(s.Frontier) == 0 {
		return
	}
	rank := func(r view.FrontierRow) int {
		out := 1
		for _, rule := range b.rules {
			switch {
			case !regexp.MustCompile(rule.Pattern).MatchString(r.URL):
			case rule.Action == decisions.Drop:
				return -1
			case rule.Action == decisions.Boost:
				out = 0
			case out == 1:
				out = 2
			}
		}
		return out
	}
	rows := slices.DeleteFunc(frontier(), func(r view.FrontierRow) bool { return rank(r) < 0 })
	slices.SortStableFunc(rows, func(x, y view.FrontierRow) int { return cmp.Compare(rank(x), rank(y)) })
	s.Frontier = rows
}

// SteerRules implements parts.Runs.
func (b *Bench) SteerRules() []decisions.Rule {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.rules)
}
