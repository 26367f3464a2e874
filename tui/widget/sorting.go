package widget

import (
	"cmp"
	"slices"
	"strings"
)

// textKey is one row in a sort by text.
type textKey struct {
	text string
	row  int32
}

// sortByText sorts rows by their texts, byte by byte, which for UTF-8 is by code point; rows with
// equal texts keep their order in both directions. It is a radix sort from the first byte on that
// skips the common prefix of a run of rows. Titles of one site begin alike, and comparing them
// again and again would be slow.
func sortByText(view []int32, text func(row int32) string, desc bool) {
	keys := make([]textKey, len(view))
	for i, r := range view {
		keys[i] = textKey{text(r), r}
	}
	radix(keys, make([]textKey, len(keys)), 0, desc)
	for i := range keys {
		view[i] = keys[i].row
	}
}

// fewKeys is the number of keys up to which they are compared directly.
const fewKeys = 32

// radix sorts keys whose texts are equal before byte from; spare has the same length.
func radix(keys, spare []textKey, from int, desc bool) {
	if len(keys) <= fewKeys {
		slices.SortStableFunc(keys, func(a, b textKey) int {
			c := strings.Compare(a.text[from:], b.text[from:])
			if desc {
				c = -c
			}
			return c
		})
		return
	}
	at, first := len(keys[0].text), keys[0].text
	for i := range keys {
		at = from + sharedPrefix(first[from:at], keys[i].text[from:])
	}
	// Texts that end here are bucket 0.
	bucket := func(k *textKey) int {
		b := 0
		if at < len(k.text) {
			b = int(k.text[at]) + 1
		}
		if desc {
			b = 256 - b
		}
		return b
	}
	var end [258]int
	for i := range keys {
		end[bucket(&keys[i])+1]++
	}
	for b := 1; b < len(end); b++ {
		end[b] += end[b-1]
	}
	copy(spare, keys)
	for i := range spare {
		b := bucket(&spare[i])
		keys[end[b]] = spare[i]
		end[b]++ // becomes the end of its bucket
	}
	for i := 0; i < len(keys); {
		j := end[bucket(&keys[i])]
		if j-i > 1 && at < len(keys[i].text) {
			radix(keys[i:j], spare[i:j], at+1, desc)
		}
		i = j
	}
}

func sharedPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// sortByNumber sorts rows by a number, which is read once a row; NaN comes first. Rows with equal
// numbers keep their order.
func sortByNumber(view []int32, number func(row int32) float64, desc bool) {
	type key struct {
		v   float64
		row int32
	}
	sign := Either(desc, -1, 1.)
	keys := make([]key, len(view))
	for i, r := range view {
		keys[i] = key{sign * number(r), r}
	}
	sortHalves(keys, func(a, b key) int {
		switch {
		case a.v < b.v:
			return -1
		case a.v > b.v:
			return 1
		}
		return cmp.Or(cmp.Compare(a.v, b.v), cmp.Compare(a.row, b.row))
	})
	for i := range keys {
		view[i] = keys[i].row
	}
}

// inlineRows is the number of rows up to which sorting needs no second goroutine.
const inlineRows = 1000

// sortHalves sorts two halves concurrently and merges them. cmp must be a total order, so the
// result is that of a stable sort.
func sortHalves[V any](view []V, cmp func(a, b V) int) {
	if len(view) <= inlineRows {
		slices.SortFunc(view, cmp)
		return
	}
	left, right := slices.Clone(view[:len(view)/2]), slices.Clone(view[len(view)/2:])
	done := make(chan struct{})
	go func() {
		defer close(done)
		slices.SortFunc(left, cmp)
	}()
	slices.SortFunc(right, cmp)
	<-done
	for i := range view {
		if len(right) == 0 || len(left) > 0 && cmp(left[0], right[0]) < 0 {
			view[i], left = left[0], left[1:]
		} else {
			view[i], right = right[0], right[1:]
		}
	}
}
