package view

import "testing"

func TestAStalledViewerSeesTheNewestAndHoldsUpNobody(t *testing.T) {
	var h Hub
	stalled, end := h.Subscribe()
	defer end()
	live, endLive := h.Subscribe()
	for seq := uint64(1); seq <= 1000; seq++ {
		h.Publish(&Snapshot{Seq: seq}) // would block here if it waited for stalled
		if s := <-live; s.Seq != seq {
			t.Fatalf("live viewer got %d, want %d", s.Seq, seq)
		}
	}
	if s := <-stalled; s.Seq != 1000 {
		t.Errorf("stalled viewer got %d, want the newest", s.Seq)
	}
	endLive()
	endLive() // twice is harmless
	if _, open := <-live; open {
		t.Error("the channel of an ended subscription is open")
	}
	late, endLate := h.Subscribe()
	defer endLate()
	if s := <-late; s.Seq != 1000 {
		t.Errorf("a late viewer got %d first", s.Seq)
	}
}

// Two publishers may finish in the wrong order: no viewer is shown the older state.
func TestHubKeepsTheNewest(t *testing.T) {
	var h Hub
	c, end := h.Subscribe()
	defer end()
	for _, seq := range []uint64{1, 3, 2} {
		h.Publish(&Snapshot{Seq: seq})
	}
	if got := (<-c).Seq; got != 3 || h.Newest().Seq != 3 {
		t.Errorf("snapshot %d was delivered, %d is the last; want 3", got, h.Newest().Seq)
	}
}
