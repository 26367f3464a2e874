package filter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a filter. People do not type more; a pasted page is an error that says so.
const (
	longestFilter = 2000 // characters
	mostTerms     = 64
	longestNear   = 63 // characters of a word that may differ
	shownTerm     = 40 // characters of a term in an error
)

// Word is a word or a phrase that rows are asked for. It is a valid key of a map.
type Word struct {
	Text string // in small letters
	Near int    // how many characters may be other ones, missing or too many: 0, 1 or 2
}

// wrong says why nothing can be asked by the word; "" when something can.
func (w Word) wrong() string {
	if !strings.ContainsFunc(w.Text, func(r rune) bool {
		return !unicode.IsPunct(r) && !unicode.IsSpace(r) && !unicode.IsControl(r)
	}) {
		return "it is punctuation only; write a word with letters or digits"
	}
	if n := utf8.RuneCountInString(w.Text); w.Near > 0 && (n < 2+w.Near || n > longestNear) {
		return fmt.Sprintf("~%d takes words of %d to %d characters, because nearly everything is like a shorter one", w.Near, 2+w.Near, longestNear)
	}
	return ""
}

// In reports whether s holds the word, whatever the case of s.
func (w Word) In(s string) bool {
	if w.Near == 0 {
		return Holds(s, w.Text)
	}
	from, _ := w.near(s)
	return from >= 0
}

// near returns the end of the first run of s that is like the word, and the run's
// greatest length, in bytes; -1 when there is none. It is Wu and Manber's search with
// one bit a character of the word: a step a character of s.
func (w Word) near(s string) (end, length int) {
	masks := map[rune]uint64{}
	n := 0
	for _, r := range w.Text {
		masks[r] |= 1 << n
		n++
	}
	last := uint64(1) << (n - 1)
	var state [3]uint64 // by errors: bit i is set when the first i+1 characters end here
	for k := 1; k <= w.Near; k++ {
		state[k] = 1<<k - 1
	}
	for i, r := range s {
		m := masks[unicode.ToLower(r)]
		before := state[0]
		state[0] = (before<<1 | 1) & m
		for k := 1; k <= w.Near; k++ {
			now := state[k]
			state[k] = (now<<1|1)&m | before | (before|state[k-1])<<1 | (1<<k - 1)
			before = now
		}
		if state[w.Near]&last != 0 {
			return i + utf8.RuneLen(r), utf8.UTFMax * (n + w.Near)
		}
	}
	return -1, 0
}

// Place returns where in s the word stands for the first time from a place on, in
// bytes; from is -1 when it does not. Of a word that may differ it is about the place.
func (w Word) Place(s string, at int) (from, to int) {
	if w.Near > 0 {
		end, _ := w.near(s[at:])
		if end < 0 {
			return -1, -1
		}
		from = at + end
		for range utf8.RuneCountInString(w.Text) {
			if from <= at {
				break
			}
			_, size := utf8.DecodeLastRuneInString(s[at:from])
			from -= size
		}
		return from, at + end
	}
	if i := strings.Index(s[at:], w.Text); i >= 0 {
		return at + i, at + i + len(w.Text)
	}
	for i := at; i < len(s); {
		if n := foldedPrefix(s[i:], w.Text); n > 0 {
			return i, i + n
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return -1, -1
}

// foldedPrefix is how many bytes of s a word in small letters takes at its beginning;
// 0 when it does not stand there.
func foldedPrefix(s, word string) int {
	n := 0
	for _, want := range word {
		r, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || unicode.ToLower(r) != want {
			return 0
		}
		n += size
	}
	return n
}

// bounded refuses what no person has typed.
func bounded(text string) error {
	if n := utf8.RuneCountInString(text); n > longestFilter {
		return &Error{At: longestFilter, Term: shortened(text), Why: fmt.Sprintf("it has %d characters; a filter has at most %d", n, longestFilter)}
	}
	return nil
}

func shortened(s string) string {
	if in := []rune(s); len(in) > shownTerm {
		return string(in[:shownTerm]) + "…"
	}
	return s
}
