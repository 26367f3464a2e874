// Package seeds finds hosts that may become seeds and prepares a new workspace.
//
// Suggest looks for hosts (P1 2.2, P3 2.2): by meta search for the words of the topic,
// among the links of relevant pages, and in lists that people have. It proposes hosts;
// a host becomes a seed when an analyst accepts it. Searching is slow on purpose: one
// question at a time with a pause between two. Each page of results is stored before
// the next question, so a search that was broken off continues where it stopped.
// Counting links of relevant pages costs 3 ms a page, a tenth of a processor beside a
// run, and some 10 MB.
//
// Everything found is hostile. A proposed host never opens the network of this machine,
// neither as a proposal nor as a seed (crawl.public_only). Only the search server may
// stand there, because the settings name it.
//
// Setup needs no engine: it reads seeds from pasted text, resolves a seed's name that
// has no dot, checks the scope, creates a workspace, and lists the workspaces that were
// used last. What it shows of a workspace comes from files beside the database. Pasted
// text is bounded.
//
// P0 … P4: see docs/papers.md.
package seeds

import (
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"
	"angler/store/config"
)

// This file reads seed lists and says what a scope makes of them.

// SeedLine is what became of one line of a seed list.
type SeedLine struct {
	Text  string // as it was given
	URL   string // canonical; "" when it is no seed
	Opens string // what the scope makes of it, e.g. "everything under x.edu.cn"
	Wrong string // why it is no seed
}

// SeedCheck is a seed list under a kind of scope.
type SeedCheck struct {
	Lines []SeedLine // those that are seeds first, then the others, each in the order given
	Good  int
	Twice int      // left out because they were named before
	Hosts int      // different hosts among the seeds
	Words []string // of a list that names no address: the web is searched for them
	scope *urls.Scope
}

// maxSeedText bounds a pasted or read seed list, in bytes.
const maxSeedText = 8 << 20

// CheckSeedText reads a seed list (one address a line or between spaces, # begins
// a comment, http:// may be left out) and says what is in and out.
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
	c.scope, _ = urls.NewScope(kind, seeds, nil, nil) // the seeds are canonical, the kinds are ours
	return c
}

// seedWords yields the words of a seed list with the numbers of their lines, from 1.
func seedWords(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) { // Windows begins a text file with it
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

// SeedFile returns the seeds of a file. Its error names the file and the line.
func (s Setup) SeedFile(path, text string) (seeds []string, err error) {
	for n, word := range seedWords(text) {
		if _, err := s.seed(word); err != nil {
			return nil, fmt.Errorf("%s line %d: %w; a seeds file holds one URL per line, # starts a comment", path, n, err)
		}
		seeds = append(seeds, word)
	}
	return seeds, nil
}

// seed makes a typed address canonical. A host name without a dot,
// which most often is a slip, must resolve.
func (s Setup) seed(word string) (string, error) {
	u, err := canonicalSeed(word)
	if err != nil {
		return "", err
	}
	name := hostname(u)
	if s.Resolve == nil || strings.ContainsAny(name, ".:") || s.Resolve(name) == nil {
		return u, nil
	}
	return "", fmt.Errorf("%s does not resolve; write a whole address, such as http://www.%s.com/", htmldoc.CleanLine(name, maxShown), htmldoc.CleanLine(name, maxShown))
}

// maxShown bounds how much of a wrong address an error repeats, in bytes.
const maxShown = 60

// canonicalSeed makes an address canonical, of which http:// may be left out.
func canonicalSeed(word string) (string, error) {
	whole := word
	if !strings.Contains(word, "://") {
		whole = "http://" + word
	}
	u, err := urls.Canonical(whole)
	if err != nil || !utf8.ValidString(word) || strings.ContainsFunc(word, unicode.IsControl) {
		return "", fmt.Errorf("%q is not a URL; write http://HOST/PATH", htmldoc.CleanLine(word, maxShown))
	}
	return u, nil
}

// hostname is the host of a canonical URL without its port.
func hostname(canonical string) string {
	u, err := url.Parse(canonical)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// seedURL is one word of a seed list made canonical. What has no dot in its
// host and is no number is more likely prose than an address.
func seedURL(word string) (string, error) {
	if !strings.Contains(word, "://") {
		if host, _, _ := strings.Cut(word, "/"); !strings.Contains(host, ".") && !strings.HasPrefix(host, "localhost") {
			return "", errors.New("is no address")
		}
		word = "http://" + word
	}
	return urls.Canonical(word)
}

// opens says in a pattern what a seed brings into the scope.
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

// Contains reports whether an address would be part of the crawl; ok is false
// when it is no address.
func (c *SeedCheck) Contains(raw string) (in, ok bool) {
	u, err := seedURL(strings.TrimSpace(raw))
	if err != nil || c.scope == nil {
		return false, false
	}
	return c.scope.Contains(u), true
}

// CheckStart is CheckSeeds for a new workspace, which may begin with words alone: seeds
// are looked for then.
func (s Setup) CheckStart(set *config.Settings) error {
	if len(set.Seeds) == 0 && len(set.Suggest.Words) > 0 {
		return nil
	}
	return s.checkSeeds(set)
}

// CheckSeeds makes the seeds of new settings canonical and reports the first
// thing that would keep a discovery from starting. It resolves no names.
func CheckSeeds(set *config.Settings) error { return Setup{}.checkSeeds(set) }

func (s Setup) checkSeeds(set *config.Settings) error {
	if len(set.Seeds) == 0 {
		return errors.New("no seeds; give at least one with --seed URL or --seeds FILE, or words to look for seeds by: --words")
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
