package view

import (
	"testing"
	"time"
)

func TestEventsTellWhoAndAreNumbered(t *testing.T) {
	l := EventLog{Now: func() time.Time { return time.Unix(1, 0) }}
	l.Did("wang", "θ .310 → .340")
	l.Note("warn", "%d hosts rest", 2)
	l.Did("li", "undo: θ .310 → .340")
	want := []Event{{Seq: 1, Kind: "info", Text: "wang: θ .310 → .340", By: "wang", What: "θ .310 → .340"}, {Seq: 2, Kind: "warn", Text: "2 hosts rest"},
		{Seq: 3, Kind: "info", Text: "li: undo: θ .310 → .340", By: "li", What: "undo: θ .310 → .340"}}
	got := l.Tail()
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i, ev := range got {
		if want[i].At = time.Unix(1, 0); ev.English() != want[i] {
			t.Errorf("event %d is %+v, want %+v", i, ev, want[i])
		}
	}
}

func TestPresence(t *testing.T) {
	var p Presence
	if p.List() != nil {
		t.Error("a viewer is there")
	}
	wang, li := p.Enter(Viewer{Name: "wang"}), p.Enter(Viewer{Name: "li"})
	if here := p.List(); len(here) != 2 || here[0].Name != "wang" {
		t.Errorf("here are %+v", here)
	}
	wang()
	wang() // twice is harmless
	if here := p.List(); len(here) != 1 || here[0].Name != "li" {
		t.Errorf("here are %+v", here)
	}
	li()
}
