package article

import (
	"math"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, gold, got string
		want            Overlap
	}{
		{"equal but for space, punctuation and width", "采购公告，第 1 号", "采购公告第１号", Overlap{1, 1, 1}},
		{"half too much", "abcde", "abcdefg", Overlap{.5, 1, 2. / 3}},
		{"half missing", "abcdefg", "abcde", Overlap{1, .5, 2. / 3}},
		{"a gram counts as often as it stands there", "aaaaaa", "aaaa", Overlap{1, 1. / 3, .5}},
		{"nothing alike", "采购公告", "版权所有", Overlap{}},
		{"nothing found", "采购公告", "", Overlap{}},
		{"nothing there", "", "版权所有", Overlap{}},
		{"nothing there and nothing found", "", "。", Overlap{1, 1, 1}},
		{"shorter than a gram", "公告", "公告", Overlap{1, 1, 1}},
	} {
		got := OverlapOf(c.gold, c.got)
		if math.Abs(got.P-c.want.P)+math.Abs(got.R-c.want.R)+math.Abs(got.F1-c.want.F1) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
