package inbox

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"angler/crawl/facts"
	"angler/crawl/linkorder"
)

// This file makes the tokens of a notice that the learner of a person reads: hashed words of title and text, and values
// of fields. Those of words are packed when a head is read, at most 64 of 4 bytes.

const (
	tokenBits = 18
	numTokens = 1 << tokenBits

	maxTitleTokens = 40 // of a title
	maxTextTokens  = 24 // of the beginning of a text
	maxTextRead    = 600
	maxOfField     = 3 // values of one field
)

// Kinds of tokens. Equal texts of different kinds are different tokens.
const (
	ofWord uint64 = iota
	ofBuyer
	ofRegion
	ofKind
	ofBudget
)

func tokenOf(kind, hash uint64) uint32 {
	return uint32((hash + kind*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 >> (64 - tokenBits))
}

// tokens returns the tokens of a notice.
func (h *NoticeHead) tokens() []uint32 { return slices.Concat(h.words, h.values) }

// beginning returns the part of a text whose words count.
func beginning(text string) string {
	if len(text) <= maxTextRead {
		return text
	}
	return strings.ToValidUTF8(text[:maxTextRead], "")
}

// wordTokens returns the distinct tokens of a notice's title and of the beginning of its text.
func wordTokens(title, text string) []uint32 {
	out := make([]uint32, 0, maxTitleTokens)
	add := func(s string, most int) {
		linkorder.Tokens(s, func(hash uint64, _, _ int) bool {
			if t := tokenOf(ofWord, hash); !slices.Contains(out, t) {
				out = append(out, t)
			}
			return len(out) < most
		})
	}
	add(title, maxTitleTokens)
	add(beginning(text), len(out)+maxTextTokens)
	return slices.Clip(out)
}

// valuesOf returns the distinct tokens of a notice's values.
func valuesOf(f facts.PackedFacts, title string) (out []uint32) {
	eachValue(f, title, func(_, _ string, token uint32) {
		if !slices.Contains(out, token) {
			out = append(out, token)
		}
	})
	return slices.Clip(out)
}

// moneyFields tell the size of what is bought; the first one known counts.
var moneyFields = [...]string{"budget", "ceiling", "amount", "investment"}

// budgetSteps are the limits of budget bands, in yuan. Each gives a token for a sum above or below it, so that a sum
// resembles those in the bands beside its own.
var budgetSteps = [...]float64{1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8}

// eachValue calls emit for the tokens of buyer, region, kind and budget, with the field's name and the value's text.
func eachValue(f facts.PackedFacts, title string, emit func(field, text string, token uint32)) {
	for _, x := range [...]struct {
		field string
		kind  uint64
	}{{"buyer", ofBuyer}, {"region", ofRegion}, {"kind", ofKind}} {
		values := f.Texts(x.field, title)
		for _, v := range values[:min(len(values), maxOfField)] {
			h := fnv.New64a()
			h.Write([]byte(v))
			emit(x.field, v, tokenOf(x.kind, h.Sum64()))
		}
	}
	for _, field := range moneyFields {
		v, known := f.Number(field)
		if !known || v <= 0 {
			continue
		}
		for i, step := range budgetSteps {
			sign, k := "<", uint64(2*i)
			if v >= step {
				sign, k = "≥", k+1
			}
			emit(field, fmt.Sprintf("%s%.0fw", sign, step/1e4), tokenOf(ofBudget, k))
		}
		return
	}
}
