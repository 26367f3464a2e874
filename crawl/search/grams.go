package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind classifies the runes of grams: ASCII letters and digits, and other letters and digits. A
// gram never crosses kinds or other characters.
func kind(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return narrow
		}
		return 0
	case r >= 0x4e00 && r <= 0x9fff || unicode.IsLetter(r) || unicode.IsNumber(r):
		return wide
	}
	return 0
}

const (
	narrow = 1 // three per gram
	wide   = 2 // two per gram
)

// eachGram calls f for all grams of a lower-case text, as substrings, repeated ones included. It
// reports whether the text is exactly one gram.
func eachGram(text string, f func(gram string)) (whole bool) {
	var at [3]int // start of the last runes, newest last
	run, last := 0, 0
	n := 0
	for i, r := range text {
		k := kind(r)
		if k != last {
			run = 0
		}
		last = k
		if k == 0 {
			continue
		}
		at[0], at[1], at[2] = at[1], at[2], i
		run++
		end := i + utf8.RuneLen(r)
		switch {
		case k == wide && run >= 2:
			f(text[at[1]:end])
			whole = n == 0 && at[1] == 0 && end == len(text)
			n++
		case k == narrow && run >= 3:
			f(text[at[0]:end])
			whole = n == 0 && at[0] == 0 && end == len(text)
			n++
		}
	}
	return whole && n == 1
}

// gramsOf returns the distinct grams of a word. Every text that holds the word has them all. whole
// means that the word is exactly one gram, so a text with the gram holds the word.
func gramsOf(word string) (grams []string, whole bool) {
	seen := map[string]bool{}
	whole = eachGram(word, func(g string) {
		if !seen[g] {
			seen[g] = true
			grams = append(grams, g)
		}
	})
	return grams, whole
}

// pieces cuts a word into n parts of about equal length. A text that differs in fewer than n
// characters holds one of them.
func pieces(word string, n int) []string {
	runes := []rune(word)
	out := make([]string, 0, n)
	for i := range n {
		out = append(out, string(runes[i*len(runes)/n:(i+1)*len(runes)/n]))
	}
	return out
}

// small returns the lower-case text in which grams are searched.
func small(parts ...string) string { return strings.ToLower(strings.Join(parts, "\n")) }
