package lab

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/topic"
)

// TargetRule selects the target pages of a replay.
type TargetRule struct {
	kind string
	re   *regexp.Regexp
	list []string // URLs as written
}

// TargetRules lists the rules of ParseTargetRule.
const TargetRules = "aggregations, labels, lists, notices, url:REGEXP, file:PATH"

// maxTargetFile is the maximum size of a file of target URLs in bytes.
const maxTargetFile = 64 << 20

// ParseTargetRule parses a rule:
//
//	aggregations  present aggregation pages
//	labels        pages labelled yes
//	lists         pages of type list
//	notices       harvested notices
//	url:REGEXP    pages whose canonical URL matches
//	file:PATH     pages whose URLs are in a file, one per line; # starts a comment
func ParseTargetRule(s string) (*TargetRule, error) {
	kind, rest, _ := strings.Cut(s, ":")
	t := &TargetRule{kind: kind}
	switch kind {
	case "aggregations", "labels", "lists", "notices":
		if rest == "" {
			return t, nil
		}
	case "url":
		re, err := regexp.Compile(rest)
		if err != nil {
			return nil, fmt.Errorf("target %q: %w", s, err)
		}
		if rest != "" {
			t.re = re
			return t, nil
		}
	case "file":
		b, err := fetch.ReadFile(rest, maxTargetFile)
		if err != nil {
			return nil, fmt.Errorf("target %q: %w", s, err)
		}
		for line := range strings.Lines(string(b)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				t.list = append(t.list, line)
			}
		}
		return t, nil
	}
	return nil, fmt.Errorf("target %q is no rule; choose one of: %s", s, TargetRules)
}

// verdict returns the default of ReplayOptions.Verdict.
func (t *TargetRule) verdict() string {
	if t.kind == "aggregations" || t.kind == "labels" {
		return VerdictJudge
	}
	return VerdictTarget
}

// choose marks the targets of a rule among the stored pages.
func (r *Replay) choose(rule *TargetRule) error {
	if r.opt.Verdict == "" {
		r.opt.Verdict = rule.verdict()
	}
	if r.opt.Verdict != VerdictJudge && r.opt.Verdict != VerdictTarget {
		return fmt.Errorf("verdict %q is unknown; choose judge or target", r.opt.Verdict)
	}
	r.targets, r.Unknown = nil, 0
	match, err := r.matcher(rule)
	if err != nil {
		return err
	}
	for i := range r.pages {
		p := &r.pages[i]
		if p.Target = p.id != 0 && match(p); p.Target {
			r.targets = append(r.targets, int32(i))
		}
	}
	if len(r.targets) == 0 {
		if r.Unknown > 0 {
			return fmt.Errorf(
				"none of the %d target addresses is a stored page; crawl them first, or check how they are written", r.Unknown)
		}
		return errors.New("no stored page is a target; choose another --target: " + TargetRules)
	}
	return nil
}

func (r *Replay) matcher(rule *TargetRule) (func(*Page) bool, error) {
	ids := map[uint64]bool{}
	byID := func(p *Page) bool { return ids[p.id] }
	switch rule.kind {
	case "aggregations":
		ids = r.Decisions.Lists()
	case "labels":
		for id, l := range r.Decisions.State().Labels {
			if l == topic.Yes {
				ids[id] = true
			}
		}
	case "lists":
		for p, err := range r.Store.Pages() {
			if err != nil {
				return nil, err
			}
			if page.Type(p.Type) == page.List {
				ids[p.ID] = true
			}
		}
	case "notices":
		for n, err := range r.Store.Notices() {
			if err != nil {
				return nil, err
			}
			ids[n.ID] = true
		}
	case "url":
		return func(p *Page) bool { return rule.re.MatchString(p.URL) }, nil
	case "file":
		known := make(map[string]bool, len(r.pages))
		for i := range r.pages {
			known[r.pages[i].URL] = r.pages[i].id != 0
		}
		wanted := map[string]bool{}
		for _, raw := range rule.list {
			c, err := r.Reader.Resolver.Canonical(raw)
			if err != nil || !known[c] {
				r.Unknown++
				continue
			}
			wanted[c] = true
		}
		return func(p *Page) bool { return wanted[p.URL] }, nil
	}
	return byID, nil
}
