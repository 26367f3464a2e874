package dict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// mine counts the sequences of parts of speech of listed words, as P2 2.3.2 does, and
// returns them with the most frequent first. It skips words that no pattern can match.
func mine(words []string) (patterns []string, counts map[string]int) {
	counts = map[string]int{}
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w] {
			continue
		}
		seen[w] = true
		tokens := Shared().Segment(w)
		if len(tokens) < minSegments || len(tokens) > maxSegments || slices.ContainsFunc(tokens, func(t Token) bool { return noise(&t) }) {
			continue
		}
		var tags []string
		for i := range tokens {
			tags = append(tags, tokens[i].POS)
		}
		counts[strings.Join(tags, "+")]++
	}
	patterns = slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return patterns, counts
}

func TestMine(t *testing.T) {
	patterns, counts := mine([]string{
		"石油大会", "石油大会", "世界石油大会", "能源产业", // n+n, once, n+n+n, n+n
		"石油",           // a word
		"首页石油",         // 首页 is a stop word
		"石油2026大会",     // a number
		"石油大会石油大会石油大会", // six
	})
	if !slices.Equal(patterns, []string{"n+n", "n+n+n"}) || counts["n+n"] != 2 || counts["n+n+n"] != 1 {
		t.Errorf("%v, %v", patterns, counts)
	}
}

// TestTable1OnWordLists prints P2's table 1 for four published word lists. All of DefaultPatterns
// must be frequent.
func TestTable1OnWordLists(t *testing.T) {
	patterns, counts := mine(published(t, "IT", "caijing", "law", "medical"))
	common := patterns[:80]
	for _, p := range common {
		t.Logf("%5d words  %-12s default: %v", counts[p], p, slices.Contains(DefaultPatterns, p))
	}
	for _, p := range DefaultPatterns {
		if !slices.Contains(common, p) {
			t.Errorf("%s is not among the %d commonest", p, len(common))
		}
	}
}

// TestMinedPatternsFindTheirWords tests P2 2.3 as a whole: patterns mined from a word list are
// found in texts that use the words.
func TestMinedPatternsFindTheirWords(t *testing.T) {
	patterns, _ := mine([]string{"采购项目", "发布公告"})
	c := collector(t, TermOptions{Patterns: patterns})
	plain := collector(t, TermOptions{})
	for i := range 3 {
		for _, k := range []*Collector{c, plain} {
			k.Add(fmt.Sprintf("（%d）采购项目。", i))
		}
	}
	if _, ok := find(c.Terms(0, 0), "采购项目"); !ok {
		t.Errorf("patterns %v do not find it", patterns)
	}
	if _, ok := find(plain.Terms(0, 0), "采购项目"); ok {
		t.Error("the default patterns find it")
	}
}
