package terms

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"angler/dict"
)

// Mining is what a word list of a field tells of how its terms are built
// (P2 2.3.2): how many words have each sequence of parts of speech. Every word
// of the list stands in one of the counts.
type Mining struct {
	Words    int     `json:"words"`  // of the list, each once
	Whole    int     `json:"whole"`  // one word for the dictionary, or one character
	Long     int     `json:"long"`   // more segments than a pattern may have
	Barred   int     `json:"barred"` // hold what no term may: a stop word, a one-character verb, a sign
	Patterns []Mined `json:"patterns"`
}

// Mined is one pattern.
type Mined struct {
	Pattern  string   `json:"pattern"`
	Words    int      `json:"words"`              // that have it
	Default  bool     `json:"default"`            // it is one of DefaultPatterns
	Examples []string `json:"examples,omitempty"` // the first that have it
}

// Cut returns how many words were cut into as many segments as patterns have,
// and hold nothing that bars them.
func (m *Mining) Cut() int { return m.Words - m.Whole - m.Long - m.Barred }

// Top returns the most frequent patterns, at most n.
func (m *Mining) Top(n int) []string {
	var out []string
	for _, p := range m.Patterns[:min(n, len(m.Patterns))] {
		out = append(out, p.Pattern)
	}
	return out
}

// distinct yields each word once, where it comes first.
func distinct(words []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := make(map[string]bool, len(words))
		for _, w := range words {
			if !seen[w] && !yield(w) {
				return
			}
			seen[w] = true
		}
	}
}

// Mine counts the patterns of words as d cuts and tags them, the most frequent
// first. It keeps at most examples words of each. It waits for the dictionary.
func Mine(d *dict.Dict, words []string, examples int) *Mining {
	m := &Mining{}
	at := map[string]int{}
	for w := range distinct(words) {
		m.Words++
		tokens := d.Segment(w)
		switch n := len(tokens); {
		case n < minSegments:
			m.Whole++
			continue
		case slices.ContainsFunc(tokens, func(t dict.Token) bool { return noise(&t) }):
			m.Barred++
			continue
		case n > maxSegments:
			m.Long++
			continue
		}
		var tags []string
		for i := range tokens {
			tags = append(tags, tokens[i].POS)
		}
		p := strings.Join(tags, "+")
		i, known := at[p]
		if !known {
			i = len(m.Patterns)
			at[p] = i
			m.Patterns = append(m.Patterns, Mined{Pattern: p, Default: slices.Contains(DefaultPatterns, p)})
		}
		k := &m.Patterns[i]
		if k.Words++; len(k.Examples) < examples {
			k.Examples = append(k.Examples, w)
		}
	}
	slices.SortStableFunc(m.Patterns, func(a, b Mined) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), strings.Compare(a.Pattern, b.Pattern))
	})
	return m
}
