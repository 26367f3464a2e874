package filter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a filter. People type less; a pasted page is an error.
const (
	maxFilter    = 2000 // characters
	maxTerms     = 64
	maxNear      = 63 // characters of a word with ~
	maxShownTerm = 40 // characters of a term in an error
)

// Word is a word or phrase to find. It is a valid map key.
type Word struct {
	Text string // in lower case
	Near int    // number of characters that may be replaced, missing or added: 0, 1 or 2
}

// wrong returns why a word is invalid; "" means valid.
func (w Word) wrong() string {
	if !strings.ContainsFunc(w.Text, func(r rune) bool {
		return !unicode.IsPunct(r) && !unicode.IsSpace(r) && !unicode.IsControl(r)
	}) {
		return "it is punctuation only; write a word with letters or digits"
	}
	if n := utf8.RuneCountInString(w.Text); w.Near > 0 && (n < 2+w.Near || n > maxNear) {
		return fmt.Sprintf("~%d takes words of %d to %d characters, because nearly everything is like a shorter one",
			w.Near, 2+w.Near, maxNear)
	}
	return ""
}

// In reports whether s contains the word, ignoring the case of s.
func (w Word) In(s string) bool {
	if w.Near == 0 {
		return holdsWord(s, w.Text)
	}
	from, _ := w.near(s)
	return from >= 0
}

// near returns the end of the first substring similar to the word, and its maximum length, in bytes; -1 means none.
// It is Wu and Manber's algorithm with one bit per character of the word and one step per character of s.
func (w Word) near(s string) (end, length int) {
	masks := map[rune]uint64{}
	n := 0
	for _, r := range w.Text {
		masks[r] |= 1 << n
		n++
	}
	last := uint64(1) << (n - 1)
	var state [3]uint64 // by errors: bit i means that the first i+1 characters end here
	for k := 1; k <= w.Near; k++ {
		state[k] = 1<<k - 1
	}
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:]) // a byte that is not UTF-8 has size 1
		at += size
		m := masks[unicode.ToLower(r)]
		before := state[0]
		state[0] = (before<<1 | 1) & m
		for k := 1; k <= w.Near; k++ {
			now := state[k]
			state[k] = (now<<1|1)&m | before | (before|state[k-1])<<1 | (1<<k - 1)
			before = now
		}
		if state[w.Near]&last != 0 {
			return at, utf8.UTFMax * (n + w.Near)
		}
	}
	return -1, 0
}

// Place returns the first position of the word in s from at on, in bytes; from is -1 if it is absent. For a word
// with ~ the position is approximate.
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

// foldedPrefix returns the number of bytes that a lower-case word takes at the start of s; 0 if s does not start
// with it.
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

// bounded rejects a text that is too long.
func bounded(text string) error {
	if n := utf8.RuneCountInString(text); n > maxFilter {
		return &Error{At: maxFilter, Term: shortened(text),
			Why: fmt.Sprintf("it has %d characters; a filter has at most %d", n, maxFilter)}
	}
	return nil
}

func shortened(s string) string {
	if in := []rune(s); len(in) > maxShownTerm {
		return string(in[:maxShownTerm]) + "…"
	}
	return s
}
