package search

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"angler/crawl/filter"
	"angler/crawl/htmldoc"
)

// maxPlaces bounds the places of a word that Snippet compares.
const maxPlaces = 32

// Snippet returns the part of a text, about n characters long, with most of the words, on one line
// and safe to show. lit are their places in it. Without any of the words it is the beginning.
func Snippet(text string, words []filter.Word, n int) (snippet string, lit []Span) {
	text = htmldoc.CleanLine(text, len(text))
	type place struct{ at, word int }
	var places []place
	for i, w := range words {
		for at, k := 0, 0; k < maxPlaces; k++ {
			from, to := w.Place(text, at)
			if from < 0 || to <= at {
				break
			}
			places = append(places, place{from, i})
			at = to
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	reach := n * 3 // bytes, for Chinese
	best, most := 0, 0
	for i := range places {
		seen := map[int]bool{}
		for _, p := range places[i:] {
			if p.at > places[i].at+reach*3/4 {
				break
			}
			seen[p.word] = true
		}
		if len(seen) > most {
			best, most = i, len(seen)
		}
	}
	from := 0
	if len(places) > 0 {
		from = back(text, places[best].at, n/4)
	}
	to := forth(text, from, n)
	if short := utf8.RuneCountInString(text[from:to]); short < n {
		from = back(text, from, n-short)
	}
	snippet = text[from:to]
	if from > 0 {
		snippet = "…" + snippet
	}
	if to < len(text) {
		snippet += "…"
	}
	return snippet, Lit(snippet, words)
}

// Lit returns the places of words in a text, in order and without overlaps.
func Lit(text string, words []filter.Word) []Span {
	var all []Span
	for _, w := range words {
		for at := 0; ; {
			from, to := w.Place(text, at)
			if from < 0 || to <= at {
				break
			}
			all = append(all, Span{From: from, To: to})
			at = to
		}
	}
	slices.SortFunc(all, func(a, b Span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// back and forth move some characters from a place in a text.
func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

func forth(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// Span is a part of a text, in bytes.
type Span struct{ From, To int }
