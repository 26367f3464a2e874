package widget

import (
	"slices"
	"testing"
)

func TestGrow(t *testing.T) {
	const any = 1 << 30
	for _, c := range []struct {
		name              string
		width, most, flex []int
		spare             int
		want              []int
		left              int
	}{
		{"by flex", []int{10, 10}, []int{any, any}, []int{3, 1}, 40, []int{40, 20}, 0},
		{"nothing is lost to rounding", []int{1, 1, 1}, []int{any, any, any}, []int{1, 1, 1}, 10, []int{4, 4, 5}, 0},
		{"what one has no use for", []int{10, 10}, []int{12, any}, []int{3, 1}, 40, []int{12, 48}, 0},
		{"all are full", []int{10, 10}, []int{12, 15}, []int{3, 1}, 40, []int{12, 15}, 33},
		{"one is wider than its most", []int{10, 10}, []int{5, any}, []int{1, 1}, 4, []int{10, 14}, 0},
		{"none grows", []int{10}, []int{any}, []int{0}, 4, []int{10}, 4},
	} {
		if left := growWidths(c.width, c.most, c.flex, c.spare); left != c.left || !slices.Equal(c.width, c.want) {
			t.Errorf("%s: %v and %d left, want %v and %d", c.name, c.width, left, c.want, c.left)
		}
	}
}
