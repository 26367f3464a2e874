package htmldoc

import "strings"

// ContainsHan is strings.Contains for a word that ends with a Chinese character. It looks for the last
// byte of the word: the first byte recurs in every fifth character of a text, and each time costs a
// comparison.
func ContainsHan(s, word string) bool {
	for end := len(word) - 1; end < len(s); {
		i := strings.IndexByte(s[end:], word[len(word)-1])
		if i < 0 {
			return false
		}
		if end += i + 1; s[end-len(word):end] == word {
			return true
		}
	}
	return false
}

// wordSet is a set of words that are searched for in short texts in one pass. It is immutable and
// safe for concurrent use.
type wordSet [256][]string // by the third byte: the last of a Chinese character tells most apart

// NewWordSet makes a set of words, each of at least three bytes.
func NewWordSet(words ...string) *wordSet {
	var set wordSet
	for _, w := range words {
		set[w[2]] = append(set[w[2]], w)
	}
	return &set
}

// In reports whether s contains one of the words.
func (w *wordSet) In(s string) bool {
	for i := 2; i < len(s); i++ {
		if w.at(s, i-2) {
			return true
		}
	}
	return false
}

// begin reports whether s begins with one of the words.
func (w *wordSet) begin(s string) bool { return len(s) > 2 && w.at(s, 0) }

// at reports whether one of the words is at s[i], which is followed by two bytes.
func (w *wordSet) at(s string, i int) bool {
	for _, word := range w[s[i+2]] {
		if strings.HasPrefix(s[i:], word) {
			return true
		}
	}
	return false
}
