// Package overlap says how far an extracted text is the one a person marked: both
// are bags of character 4-grams of letters and digits after NFKC, so that white
// space, punctuation and the width of characters do not matter, and neither do words,
// which Chinese does not divide. It costs a map entry for every character.
package overlap

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Unit names what is compared.
const Unit = "character 4-grams"

// size is how many characters a gram has.
const size = 4

// Score is how far two texts agree, each figure between 0 and 1. Two texts without
// a letter or digit agree.
type Score struct {
	P  float64 `json:"precision"` // share of the extracted grams that the gold text has
	R  float64 `json:"recall"`    // share of the gold text's grams that were extracted
	F1 float64 `json:"f1"`        // their harmonic mean
}

// Of compares an extracted text with the gold text.
func Of(gold, got string) Score {
	g, p := grams(gold), grams(got)
	both, wanted, given := 0, 0, 0
	for k, n := range g {
		both += min(n, p[k])
		wanted += n
	}
	for _, n := range p {
		given += n
	}
	if wanted+given == 0 {
		return Score{1, 1, 1}
	}
	return Score{P: share(both, given), R: share(both, wanted), F1: 2 * float64(both) / float64(wanted+given)}
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// grams counts the grams of a text; one of fewer characters than a gram has is a gram.
func grams(s string) map[string]int {
	var runes []rune
	for _, r := range norm.NFKC.String(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			runes = append(runes, r)
		}
	}
	m := map[string]int{}
	for i := 0; i+size <= len(runes); i++ {
		m[string(runes[i:i+size])]++
	}
	if len(runes) > 0 && len(runes) < size {
		m[string(runes)]++
	}
	return m
}
