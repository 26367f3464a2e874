package dict

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// gold is the reference list of the terms in a text, against which found terms are measured (P2
// 3.4, table 3). It is not safe for concurrent use.
type gold struct {
	words  int                 // distinct words of the list
	whole  int                 // of them, words that the dictionary holds
	first  map[string][]string // the others, by their first two characters
	stands map[string]bool     // words found in the text
	lines  recent
}

// Measure is the result of one method.
type Measure struct {
	Method    string  `json:"method"`
	Patterns  int     `json:"patterns"`
	Found     int     `json:"found"` // terms above the threshold
	Right     int     `json:"right"` // of them, terms in the list
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// NewGold takes a list of words. Words that d holds as one word are no candidates of any method and
// do not count. It waits for the dictionary.
func NewGold(d *Dict, words []string) *gold {
	g := &gold{first: map[string][]string{}, stands: map[string]bool{}, lines: recent{seed: maphash.MakeSeed()}}
	seen := make(map[string]bool, len(words))
	for _, w := range words {
		if seen[w] {
			continue
		}
		seen[w] = true
		g.words++
		if d.known(w) || utf8.RuneCountInString(w) < 2 {
			g.whole++
			continue
		}
		key := w[:two(w)]
		g.first[key] = append(g.first[key], w)
	}
	return g
}

// two returns the bytes of the first two characters of s.
func two(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	_, m := utf8.DecodeRuneInString(s[n:])
	return n + m
}

// Add searches the text of one page for the words.
func (g *gold) Add(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !g.lines.add(line) {
			continue
		}
		line = Fold(line)
		for i := range line {
			rest := line[i:]
			for _, w := range g.first[rest[:two(rest)]] {
				if strings.HasPrefix(rest, w) {
					g.stands[w] = true
				}
			}
		}
	}
}

// Words returns the size of the list, how many of its words the dictionary holds, and how many of
// the others are in the text.
func (g *gold) Words() (all, whole, stand int) { return g.words, g.whole, len(g.stands) }

// Measure compares found terms with the words in the text. Precision is right ÷ found, recall right
// ÷ words in the text, F1 2PR ÷ (P+R); each is 0 if its divisor is.
func (g *gold) Measure(found []Term) Measure {
	var m Measure
	once := map[string]bool{}
	for i := range found {
		w := found[i].Word
		if once[w] {
			continue // the same word, cut in another way
		}
		once[w] = true
		m.Found++
		if g.stands[w] {
			m.Right++
		}
	}
	m.Precision, m.Recall = ratio(m.Right, m.Found), ratio(m.Right, len(g.stands))
	if m.Right > 0 {
		m.F1 = 2 * m.Precision * m.Recall / (m.Precision + m.Recall)
	}
	return m
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
