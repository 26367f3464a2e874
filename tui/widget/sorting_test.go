package widget

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Sorting by a text equals a stable comparison sort.
func TestSortByTextIsAStableSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lists := map[string]func(i int) string{
		"one word":      func(int) string { return "招标公告" },
		"titles":        func(i int) string { return fmt.Sprintf("某大学 招标公告 第%d页", r.IntN(3000)) },
		"prefixes":      func(i int) string { return strings.Repeat("采购", r.IntN(40)) },
		"bytes":         func(i int) string { return string([]byte{byte(r.IntN(256)), byte(r.IntN(3)), byte(r.IntN(256))}) },
		"zeros and end": func(i int) string { return strings.Repeat("\x00", r.IntN(5)) + []string{"", "a"}[r.IntN(2)] },
		"long":          func(i int) string { return strings.Repeat("宽", 3000) + fmt.Sprint(r.IntN(9)) },
	}
	for name, text := range lists {
		for _, n := range []int{0, 1, 2, fewKeys, fewKeys + 1, 1500} {
			rows := make([]string, n)
			for i := range rows {
				rows[i] = text(i)
			}
			for _, desc := range []bool{false, true} {
				got, want := make([]int32, n), make([]int32, n)
				for i := range got {
					got[i], want[i] = int32(i), int32(i)
				}
				sortByText(got, func(i int32) string { return rows[i] }, desc)
				slices.SortFunc(want, func(a, b int32) int {
					c := strings.Compare(rows[a], rows[b])
					if desc {
						c = -c
					}
					return cmp.Or(c, cmp.Compare(a, b))
				})
				if !slices.Equal(got, want) {
					t.Errorf("%s, %d rows, descending %v: another order than a stable sort's", name, n, desc)
				}
			}
		}
	}
}

// Sorting by a number keeps the order of ties, and puts NaN first.
func TestSortByNumberIsAStableSort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows := make([]float64, 5000)
	for i := range rows {
		rows[i] = float64(r.IntN(100)) / 10
	}
	rows[17], rows[18] = math.NaN(), math.Inf(-1)
	for _, desc := range []bool{false, true} {
		view := make([]int32, len(rows))
		for i := range view {
			view[i] = int32(i)
		}
		sortByNumber(view, func(i int32) float64 { return rows[i] }, desc)
		if view[0] != 17 {
			t.Errorf("descending %v: %v comes first, not what is no number", desc, rows[view[0]])
		}
		for i := 2; i < len(view); i++ {
			a, b := rows[view[i-1]], rows[view[i]]
			if a == b && view[i-1] > view[i] || !desc && a > b || desc && a < b {
				t.Fatalf("descending %v: %v (row %d) stands before %v (row %d)", desc, a, view[i-1], b, view[i])
			}
		}
	}
}
