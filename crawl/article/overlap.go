package article

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// OverlapUnit is the name of the compared units.
const OverlapUnit = "character 4-grams"

// size is the number of characters of a gram.
const size = 4

// Overlap measures the agreement of two texts, 0 … 1. It is 1 for two texts without letters and
// digits.
type Overlap struct {
	P  float64 `json:"precision"` // share of the extracted grams that occur in the gold text
	R  float64 `json:"recall"`    // share of the gold text's grams that were extracted
	F1 float64 `json:"f1"`        // their harmonic mean
}

// OverlapOf compares an extracted text with the gold text.
func OverlapOf(gold, got string) Overlap {
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
		return Overlap{1, 1, 1}
	}
	return Overlap{P: share(both, given), R: share(both, wanted), F1: 2 * float64(both) / float64(wanted+given)}
}

// share returns part ÷ whole, 0 if whole is 0.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// grams counts the grams of a text. A text of less than size characters is one gram.
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
