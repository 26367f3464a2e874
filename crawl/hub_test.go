package crawl

import "testing"

func TestAStalledViewerSeesTheNewestAndHoldsUpNobody(t *testing.T) {
	var h hub
	stalled, end := h.subscribe()
	defer end()
	live, endLive := h.subscribe()
	for seq := uint64(1); seq <= 1000; seq++ {
		h.publish(&Snapshot{Seq: seq}) // would block here if it waited for stalled
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
	late, endLate := h.subscribe()
	defer endLate()
	if s := <-late; s.Seq != 1000 {
		t.Errorf("a late viewer got %d first", s.Seq)
	}
}

// Two publishers may finish in the wrong order: nobody is shown the older state.
func TestHubKeepsTheNewest(t *testing.T) {
	var h hub
	c, end := h.subscribe()
	defer end()
	for _, seq := range []uint64{1, 3, 2} {
		h.publish(&Snapshot{Seq: seq})
	}
	if got := (<-c).Seq; got != 3 || h.snapshot().Seq != 3 {
		t.Errorf("snapshot %d was delivered, %d is the last; want 3", got, h.snapshot().Seq)
	}
}
