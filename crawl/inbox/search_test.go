package inbox

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/facts"
)

// Heads that come, change or get values stand where sorting all of them puts them.
func TestHeadsStayInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	h := heads{wanted: true, loaded: true, turn: semaphore.NewWeighted(1), byID: map[uint64]*NoticeHead{},
		moved: map[uint64]bool{}}
	for round := range 200 {
		for range random.IntN(4) {
			x := &NoticeHead{ID: 1 + random.Uint64N(300), At: day.AddDate(0, 0, random.IntN(20))}
			x.Date.Time = day.AddDate(0, 0, random.IntN(5))
			h.add(x)
		}
		h.setFacts(facts.NewWords(), nil)
		if round%50 == 49 { // as a take-back and a new reading do
			h.newest = nil
		}
		got, err := h.all(t.Context(), nil, day)
		must(t, err)
		var want []*NoticeHead
		for _, x := range h.byID {
			want = append(want, x)
		}
		slices.SortFunc(want, newestFirst)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d heads are not in the order of %d", round, len(got), len(want))
		}
	}
}

// Equal keys are folded under the row with the least id, and no others.
func TestFold(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for n := range 300 {
		keys, ids := make([]rowKey, n), make([]uint64, n)
		for i := range n {
			ids[i] = uint64(i)*7919%10007 + 1
			keys[i] = rowKey{"ktp"[random.IntN(3)], random.Uint64N(uint64(n))}
			if random.IntN(3) == 0 {
				keys[i] = rowKey{}
			}
		}
		got := make([]int, n)
		fold(n, func(i int) rowKey { return keys[i] }, func(i int) uint64 { return ids[i] },
			func(i, first int) { got[i] = first + 1 })
		for i := range n {
			want := 0
			for k := range n {
				if keys[i] != (rowKey{}) && keys[k] == keys[i] && ids[k] < ids[i] && (want == 0 || ids[k] < ids[want-1]) {
					want = k + 1
				}
			}
			if got[i] != want {
				t.Fatalf("of %d rows, %d is under %d, not under %d", n, i, got[i]-1, want-1)
			}
		}
	}
}
