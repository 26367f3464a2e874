package topic

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// manyKinds adds pages of several sites, some beyond the depth, some with equal content, some
// twice.
func manyKinds(r *rand.Rand, lex *names, ix *Index, n int) {
	for range n {
		d := list(lex, fmt.Sprint("text", r.IntN(n)), fmt.Sprintf("http://www.site%d.edu.cn/column%d/list%d.htm?page=%d", r.IntN(7), r.IntN(9), r.IntN(3), r.IntN(50)))
		d.Aside, d.Front, d.Beta = r.IntN(5) == 0, r.IntN(9) == 0, 3*r.Float64()
		d.Records = 8 + r.IntN(300)
		d.List = d.Full[:r.IntN(len(d.Full))]
		ix.Add(uint64(r.IntN(2*n)), d)
	}
}

func saved(t testing.TB, ix *Index) []byte {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	must(t, ix.Save(w))
	must(t, w.Flush())
	return b.Bytes()
}

// seen returns everything that an index shows under a model.
func seen(ix *Index, lex *names) []any {
	bg := ix.Background()
	ix.Apply(Build(Default(), []Doc{list(lex, "text1", "")}, lex, bg))
	s := ix.Scores()
	out := []any{ix.Len(), ix.Known(), bg.N, bg.List, bg.Full, s.ids, s.values, s.Theta, s.gated, s.traits, s.same, s.columns, ix.Aside()}
	for _, id := range s.ids {
		out = append(out, s.Shadow(id))
	}
	for id := range len(bg.List) {
		out = append(out, bg.Spread.usage(uint32(id)))
	}
	return out
}

// A saved and restored index equals the original one, also after further pages are added and
// removed.
func TestRestoredIndex(t *testing.T) {
	for seed := range uint64(20) {
		r, lex, ix := rand.New(rand.NewPCG(seed, 2)), &names{}, NewIndex()
		manyKinds(r, lex, ix, 5+int(seed)*20)
		back, err := RestoreIndex(saved(t, ix), len(lex.words))
		must(t, err)
		for range 2 {
			a, b := seen(ix, lex), seen(back, lex)
			if len(a) != len(b) {
				t.Fatalf("seed %d: %d things, restored %d", seed, len(a), len(b))
			}
			for i := range a {
				if !reflect.DeepEqual(a[i], b[i]) {
					t.Fatalf("seed %d, %d: %v, restored %v", seed, i, a[i], b[i])
				}
			}
			more := r.Uint64()
			for _, x := range []*Index{ix, back} {
				again := rand.New(rand.NewPCG(more, 3))
				manyKinds(again, lex, x, 30)
				for range 10 {
					x.Remove(uint64(again.IntN(60)))
				}
			}
		}
	}
	if ix, err := RestoreIndex(saved(t, NewIndex()), 0); err != nil || ix.Len() != 0 {
		t.Errorf("an empty one: %v", err)
	}
}

// byPage returns the index's data of each page, independent of its slot.
func byPage(ix *Index, lex *names) map[uint64]string {
	ix.Apply(Build(Default(), []Doc{list(lex, "text1", "")}, lex, ix.Background()))
	s := ix.Scores()
	out := map[uint64]string{}
	for slot, id := range s.ids {
		tr := s.traits[slot]
		out[id] = fmt.Sprint(s.values[slot], s.gated[slot], s.Shadow(id), s.Same(id), ix.shapes.name(tr.shape), tr.records, tr.dated, tr.linkShare, tr.marks)
	}
	return out
}

// A packed index equals one whose pages were added once in order of ids: removed and replaced pages
// leave no trace, including front pages.
func TestPackedIndexIsThatOfItsPages(t *testing.T) {
	for seed := range uint64(30) {
		r, lex, ix := rand.New(rand.NewPCG(seed, 5)), &names{}, NewIndex()
		docs := map[uint64]Doc{}
		for range 200 {
			id := uint64(1 + r.IntN(60))
			if r.IntN(4) == 0 {
				ix.Remove(id)
				delete(docs, id)
				continue
			}
			d := list(lex, fmt.Sprint("text", r.IntN(12)), fmt.Sprintf("http://www.site%d.edu.cn/column%d/list.htm", r.IntN(7), r.IntN(9)))
			d.Aside, d.Front, d.Dated = r.IntN(5) == 0, r.IntN(5) == 0, r.IntN(2)*d.Dated
			docs[id] = d
			ix.Add(id, d)
		}
		ix.Pack()
		fresh := NewIndex()
		for id := range uint64(61) {
			if d, ok := docs[id]; ok {
				fresh.Add(id, d)
			}
		}
		if got, want := byPage(ix, lex), byPage(fresh, lex); !reflect.DeepEqual(got, want) {
			for id := range want {
				if got[id] != want[id] {
					t.Errorf("seed %d, page %d: %s, entered once %s", seed, id, got[id], want[id])
				}
			}
		}
	}
}

// Bytes that are cut off or name unknown words are refused.
func TestNoIndex(t *testing.T) {
	lex, ix := &names{}, NewIndex()
	manyKinds(rand.New(rand.NewPCG(1, 2)), lex, ix, 20)
	b := saved(t, ix)
	for i := range b {
		if _, err := RestoreIndex(b[:i], len(lex.words)); err == nil {
			t.Fatalf("cut off at %d of %d, it is taken", i, len(b))
		}
	}
	if _, err := RestoreIndex(b, len(lex.words)-1); err == nil {
		t.Error("with a word that has no number it is taken")
	}
}

// FuzzRestoreIndex uses every index that is accepted.
func FuzzRestoreIndex(f *testing.F) {
	lex, ix := &names{}, NewIndex()
	manyKinds(rand.New(rand.NewPCG(1, 2)), lex, ix, 12)
	f.Add(saved(f, ix))
	f.Add(saved(f, NewIndex()))
	f.Fuzz(func(t *testing.T, b []byte) {
		ix, err := RestoreIndex(b, 1000)
		if err != nil {
			return
		}
		lex := &names{}
		m := Build(Default(), []Doc{list(lex, "a", "")}, lex, ix.Background())
		ix.Apply(m)
		ix.Scores()
		manyKinds(rand.New(rand.NewPCG(1, 2)), lex, ix, 3)
		ix.Pack()
		ix.Background()
	})
}
