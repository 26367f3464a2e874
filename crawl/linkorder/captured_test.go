package linkorder

import (
	"reflect"
	"testing"
)

func TestLargestIsStable(t *testing.T) {
	key := map[uint64]float64{1: 3, 2: 9, 3: 9, 4: 1, 5: 7}
	got := largest([]uint64{1, 2, 3, 4, 5}, 3, func(id uint64) float64 { return key[id] })
	if !reflect.DeepEqual(got, []uint64{2, 3, 5}) {
		t.Errorf("got %v", got)
	}
	if got := largest([]uint64{1, 2}, 0, func(uint64) float64 { return 1 }); len(got) != 0 {
		t.Errorf("none asked for, got %v", got)
	}
}
