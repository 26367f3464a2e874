package widget

import (
	"strings"
	"unicode"
)

// fuzzyMatch reports whether the letters of query occur in text in this order, case folded. best is
// its score, 0 for an empty query; hits are the indexes of the matching runes.
func fuzzyMatch(query, text string) (best int, hits []int, ok bool) {
	q := []rune(strings.ToLower(strings.ReplaceAll(query, " ", "")))
	if len(q) == 0 {
		return 0, nil, true
	}
	t := []rune(text)
	for i, r := range t {
		t[i] = unicode.ToLower(r)
	}
	best = -1
	// The first letter decides much, so each occurrence is tried.
	for s := range t {
		if t[s] != q[0] {
			continue
		}
		k, sum, run := 0, 0, 0
		var at []int
		for i := s; i < len(t) && k < len(q); i++ {
			if t[i] != q[k] {
				run = 0
				continue
			}
			run++
			at = append(at, i)
			sum += 4 * run // a run scores more than two starts
			if i == 0 || !unicode.IsLetter(t[i-1]) && !unicode.IsDigit(t[i-1]) {
				sum += 3
			}
			k++
		}
		if score := sum*8 - min(s, 7); k == len(q) && score > best {
			best, hits = score, at
		}
	}
	return best, hits, best >= 0
}

// fuzzyLit draws a text in parts: those that the letters of query match, and the others.
func fuzzyLit(text, query string, draw func(hit bool, s string) string) string {
	runes := []rune(text)
	_, hits, _ := fuzzyMatch(query, text)
	var out strings.Builder
	last := 0
	for i := 0; i < len(hits); {
		from, to := hits[i], hits[i]+1
		for i++; i < len(hits) && hits[i] == to; i++ {
			to++
		}
		if last < from {
			out.WriteString(draw(false, string(runes[last:from])))
		}
		out.WriteString(draw(true, string(runes[from:to])))
		last = to
	}
	if last < len(runes) {
		out.WriteString(draw(false, string(runes[last:])))
	}
	return out.String()
}
