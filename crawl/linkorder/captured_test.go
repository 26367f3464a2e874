package linkorder

import (
	"slices"
	"testing"
)

func TestNewestIsStable(t *testing.T) {
	var o CaptureOrder
	for _, id := range []uint64{3, 5, 9, 3} {
		o.Add(id)
	}
	ids := []uint64{4, 2, 5000, 3, 1, 5}
	if got := o.Newest(ids, 4); !slices.Equal(got, []uint64{3, 5, 1, 2}) {
		t.Errorf("got %v", got)
	}
	if got := o.Newest(ids, 0); len(got) != 0 {
		t.Errorf("none asked for, got %v", got)
	}
}
