// Package seeds finds hosts that may become seeds, and prepares new workspaces.
//
// Suggest finds hosts (P1 2.2, P3 2.2) by meta search for the topic's words, among links of relevant pages, and in
// people's lists. A host becomes a seed when an analyst accepts it. Searching is slow on purpose: one query at a
// time with a pause in between. Each result page is stored before the next query, so an interrupted search
// continues. Counting links costs 3 ms per relevant page, a tenth of a processor beside a run, and about 10 MB.
//
// All findings are hostile. A proposed host never opens this machine's network, neither as a proposal nor as a seed
// (crawl.public_only). Only the search server may be inside it, because the settings name it.
//
// Setup needs no engine. It parses pasted seeds, resolves seed names without a dot, checks the scope, creates
// workspaces, and lists recent ones. Its data of a workspace come from files beside the database. Pasted text is
// bounded.
//
// P0 … P4: see docs/papers.md.
package seeds

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"
	"angler/store/config"
)

// This file parses seed lists and checks them against a scope.

// SeedLine is the result for one line of a seed list.
type SeedLine struct {
	Text  string // as typed
	URL   string // canonical; "" = not a seed
	Opens string // its scope, e.g. "everything under x.edu.cn"
	Wrong string // why it is not a seed
}

// SeedCheck is a seed list with a kind of scope.
type SeedCheck struct {
	Lines []SeedLine // seeds first, then errors, each in input order
	Good  int
	Twice int      // repeated seeds, left out
	Hosts int      // distinct hosts of the seeds
	Words []string // of a list without addresses: words for a web search
	scope *urls.Scope
}

// maxSeedText is the maximum size of a seed list in bytes.
const maxSeedText = 8 << 20

// CheckSeedText parses a seed list and checks each entry. Addresses are separated by lines or spaces, # starts a
// comment, and http:// is optional.
func CheckSeedText(text, kind string) *SeedCheck {
	c := &SeedCheck{}
	if len(text) > maxSeedText {
		text = text[:maxSeedText]
	}
	known := map[string]bool{}
	hosts := map[string]bool{}
	var seeds []string
	var bad []SeedLine
	for _, word := range seedWords(text) {
		u, err := seedURL(word)
		switch {
		case err != nil:
			bad = append(bad, SeedLine{Text: word, Wrong: err.Error()})
			continue
		case known[u]:
			c.Twice++
			continue
		}
		known[u] = true
		hosts[urls.HostOf(u)] = true
		seeds = append(seeds, u)
		c.Lines = append(c.Lines, SeedLine{Text: word, URL: u, Opens: opens(u, kind)})
	}
	c.Good, c.Hosts = len(c.Lines), len(hosts)
	if c.Good == 0 {
		c.Words = topicWords(text)
	}
	c.Lines = append(c.Lines, bad...)
	c.scope, _ = urls.NewScope(kind, seeds, nil, nil) // cannot fail: seeds are canonical, the kinds are ours
	return c
}

// seedWords yields the words of a seed list with their line numbers, from 1.
func seedWords(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) { // Windows text files start with it
			n++
			line, _, _ = strings.Cut(line, "# ")
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, word := range strings.Fields(line) {
				if !yield(n, word) {
					return
				}
			}
		}
	}
}

// SeedFile returns the seeds of a file. Its error names the file and line.
func (s Setup) SeedFile(path, text string) (seeds []string, err error) {
	for n, word := range seedWords(text) {
		if _, err := s.seed(word); err != nil {
			return nil, fmt.Errorf("%s line %d: %w; a seeds file holds one URL per line, # starts a comment", path, n,
				err)
		}
		seeds = append(seeds, word)
	}
	return seeds, nil
}

// seed returns the canonical form of a typed address. A host name without a dot is usually a typing error, so it
// must resolve.
func (s Setup) seed(word string) (string, error) {
	u, err := canonicalSeed(word)
	if err != nil {
		return "", err
	}
	name, _, _ := strings.Cut(urls.HostOf(u), ":")
	if s.Resolve == nil || strings.ContainsAny(name, ".[") || s.Resolve(name) == nil {
		return u, nil
	}
	return "", fmt.Errorf("%s does not resolve; write a whole address, such as http://www.%s.com/",
		htmldoc.CleanLine(name, maxShown), htmldoc.CleanLine(name, maxShown))
}

// maxShown is the maximum length of a wrong address in an error, in bytes.
const maxShown = 60

// canonicalSeed returns the canonical form of an address; http:// is optional.
func canonicalSeed(word string) (string, error) {
	u, err := urls.Canonical(withScheme(word))
	if err != nil || !utf8.ValidString(word) || strings.ContainsFunc(word, unicode.IsControl) {
		return "", fmt.Errorf("%q is not a URL; write http://HOST/PATH", htmldoc.CleanLine(word, maxShown))
	}
	return u, nil
}

// withScheme returns a typed address with http:// unless it has a scheme.
func withScheme(word string) string {
	if strings.Contains(word, "://") {
		return word
	}
	return "http://" + word
}

// seedURL returns the canonical form of one word in a seed list. A word whose host has no dot is more likely prose
// than an address.
func seedURL(word string) (string, error) {
	if !strings.Contains(word, "://") {
		if host, _, _ := strings.Cut(word, "/"); !strings.Contains(host, ".") && !strings.HasPrefix(host, "localhost") {
			return "", errors.New("is no address")
		}
		word = "http://" + word
	}
	return urls.Canonical(word)
}

// opens returns a pattern for the scope of a seed.
func opens(seed, kind string) string {
	host := urls.HostOf(seed)
	switch kind {
	case urls.ScopeHost:
		return host + "/*"
	case urls.ScopePrefix:
		_, rest, _ := strings.Cut(seed, "://")
		rest, _, _ = strings.Cut(rest, "?")
		return rest[:strings.LastIndexByte(rest, '/')+1] + "*"
	}
	return "*." + strings.TrimPrefix(host, "www.")
}

// Seeds returns the canonical seeds.
func (c *SeedCheck) Seeds() []string {
	out := make([]string, c.Good)
	for i := range out {
		out[i] = c.Lines[i].URL
	}
	return out
}

// Contains reports whether an address is in scope; ok is false for an invalid address.
func (c *SeedCheck) Contains(raw string) (in, ok bool) {
	u, err := seedURL(strings.TrimSpace(raw))
	if err != nil || c.scope == nil {
		return false, false
	}
	return c.scope.Contains(u), true
}

// CheckStart is CheckSeeds for a new workspace. Words alone suffice, because a search then finds seeds.
func (s Setup) CheckStart(set *config.Settings) error {
	if len(set.Seeds) == 0 && len(set.Suggest.Words) > 0 {
		return nil
	}
	return s.checkSeeds(set)
}

// CheckSeeds makes the seeds of new settings canonical. It returns the first error that prevents a discovery. It
// does not resolve names.
func CheckSeeds(set *config.Settings) error { return Setup{}.checkSeeds(set) }

func (s Setup) checkSeeds(set *config.Settings) error {
	if len(set.Seeds) == 0 {
		return errors.New(
			"no seeds; give at least one with --seed URL or --seeds FILE, or words to look for seeds by: --words")
	}
	for i, seed := range set.Seeds {
		u, err := s.seed(seed)
		if err != nil {
			return fmt.Errorf("seed %w", err)
		}
		set.Seeds[i] = u
	}
	_, err := urls.NewScope(set.Scope.Kind, set.Seeds, set.Scope.Include, set.Scope.Exclude)
	return err
}
