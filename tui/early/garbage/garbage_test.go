package garbage

import (
	"runtime/debug"
	"testing"
)

func TestSettle(t *testing.T) {
	before := debug.SetGCPercent(startPercent)
	defer debug.SetGCPercent(before)
	settle()
	if p := debug.SetGCPercent(70); p != usualPercent {
		t.Errorf("%d %% after the first collection, want %d", p, usualPercent)
	}
	settle()
	if p := debug.SetGCPercent(before); p != 70 {
		t.Errorf("%d %% where a command has set 70", p)
	}
}
