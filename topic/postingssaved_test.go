package topic

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

type entry struct{ slot, n uint32 }

func entries(p *postingList) (all []entry) {
	p.each(func(slot, n uint32) { all = append(all, entry{slot, n}) })
	return all
}

func postingsSaved(t testing.TB, terms []postingList) []byte {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	must(t, savePostings(w, terms))
	must(t, w.Flush())
	return b.Bytes()
}

// Lists with steps and counts of one byte and of more are restored unchanged, and grow in the same
// way.
func TestRestoredLists(t *testing.T) {
	const slots = 5000
	r := rand.New(rand.NewPCG(1, 7))
	terms := make([]postingList, 40)
	for i := range terms {
		step := 1 + r.IntN(300)
		for slot := r.IntN(step); slot < slots-1; slot += 1 + r.IntN(step) {
			terms[i].add(uint32(slot), 1+uint32(r.IntN(1<<r.IntN(20))))
		}
	}
	b := postingsSaved(t, terms)
	rd := NewColumnReader(b)
	back := restorePostings(rd, slots)
	if rd.Err() != nil || len(back) != len(terms) {
		t.Fatalf("%d lists, %v", len(back), rd.Err())
	}
	for i := range terms {
		for range 2 {
			if got, want := entries(&back[i]), entries(&terms[i]); !reflect.DeepEqual(got, want) || back[i].n != terms[i].n {
				t.Fatalf("list %d: %v instead of %v", i, got, want)
			}
			if back[i].last < slots {
				back[i].add(slots-1, 9)
				terms[i].add(slots-1, 9)
			}
		}
	}
	for _, slots := range []int{0, slots - 2} {
		if rd := NewColumnReader(postingsSaved(t, terms)); restorePostings(rd, slots) != nil && rd.Err() == nil {
			t.Errorf("lists of more than %d slots are taken", slots)
		}
	}
}

// FuzzRestore reads restored lists like an index, which checks no bound.
func FuzzRestore(f *testing.F) {
	var p postingList
	for slot := range uint32(30) {
		p.add(slot*slot, 1+slot*slot*slot)
	}
	f.Add(postingsSaved(f, []postingList{p, {}, p}))
	f.Fuzz(func(t *testing.T, b []byte) {
		const slots = 1000
		r := NewColumnReader(b)
		terms := restorePostings(r, slots)
		if r.Err() != nil {
			return
		}
		acc := make([]float32, slots)
		for i := range terms {
			terms[i].addDot(acc, 1, postingCursor{}, slots)
			terms[i].addSquares(acc, 1)
		}
	})
}
