package store

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func testBacklog(t testing.TB) *Backlog {
	t.Helper()
	b, err := newBacklog(filepath.Join(t.TempDir(), "frontier.db"))
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

// The best rows of several lanes come out in sorted order, each once, and the heads describe the
// rest.
func TestBacklogTakesTheBest(t *testing.T) {
	b := testBacklog(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	left := map[uint64][]BacklogRow{}
	var seq uint32
	for range 60 {
		var put []BacklogRow
		for range rnd.IntN(40) {
			seq++
			r := BacklogRow{ID: rnd.Uint64(), Lane: 1<<16 | uint64(rnd.IntN(4)), Class: int8(rnd.IntN(4)) - 2, Priority: math.Round(rnd.NormFloat64() * 3), Seq: seq, Gen: uint8(rnd.IntN(256))}
			put = append(put, r)
			left[r.Lane] = append(left[r.Lane], r)
		}
		take := TakeBacklog{Lanes: []uint64{1<<16 | uint64(rnd.IntN(2)), 1<<16 | 2, 1<<16 | 77}, N: rnd.IntN(30)}
		got, err := b.Exchange(put, []TakeBacklog{take})
		must(t, err)
		var want []BacklogRow
		for _, lane := range take.Lanes {
			want = append(want, left[lane]...)
		}
		better := func(a, b BacklogRow) int {
			a.Lane, b.Lane = 0, 0
			return CompareBacklog(a, b)
		}
		slices.SortFunc(want, better)
		want = want[:min(take.N, len(want))]
		if !slices.Equal(got[0].Rows, want) {
			t.Fatalf("took %v, want %v", got[0].Rows, want)
		}
		for i, lane := range take.Lanes {
			left[lane] = slices.DeleteFunc(left[lane], func(r BacklogRow) bool { return slices.Contains(want, r) })
			slices.SortFunc(left[lane], better)
			var head BacklogHead
			if len(left[lane]) > 0 {
				head = BacklogHead{left[lane][0].Class, left[lane][0].Priority, left[lane][0].Seq, true}
			}
			if got[0].Heads[i] != head {
				t.Fatalf("lane %d: head %+v, want %+v", lane, got[0].Heads[i], head)
			}
		}
	}
}

// A run starts with an empty backlog, even after a killed one, and leaves no file.
func TestBacklogIsScratch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frontier.db")
	must(t, os.WriteFile(path, []byte("half a page of a killed process"), 0o644))
	b, err := newBacklog(path)
	must(t, err)
	if _, err := b.Exchange([]BacklogRow{{ID: 1, Lane: 5}}, nil); err != nil || b.Size() == 0 {
		t.Fatalf("size %d, %v", b.Size(), err)
	}
	must(t, b.Close())
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
	if _, err := b.Exchange([]BacklogRow{{ID: 1, Lane: 5}}, nil); err == nil {
		t.Error("a closed backlog takes rows")
	}
}

// Keys order by lane, then the larger class, then the higher priority, then the
// lower seq.
func FuzzBacklogKey(f *testing.F) {
	f.Add(uint64(1), int8(0), .5, uint32(1), uint64(1), int8(0), -.5, uint32(2))
	f.Add(uint64(1), int8(1), -1e12, uint32(1), uint64(1), int8(0), 1e12, uint32(2))
	f.Add(uint64(1), int8(-128), 1., uint32(1), uint64(1), int8(127), 1., uint32(1))
	f.Add(uint64(1)<<47, int8(-2), math.MaxFloat64, uint32(1), uint64(0), int8(-1), -math.MaxFloat64, uint32(math.MaxUint32))
	f.Add(uint64(9), int8(3), 0., uint32(7), uint64(9), int8(3), math.Copysign(0, -1), uint32(7))
	f.Fuzz(func(t *testing.T, lane uint64, class int8, prio float64, seq uint32, lane2 uint64, class2 int8, prio2 float64, seq2 uint32) {
		if math.IsNaN(prio) || math.IsNaN(prio2) || math.IsInf(prio, 0) || math.IsInf(prio2, 0) {
			return
		}
		a := BacklogRow{ID: lane2, Lane: lane & (1<<48 - 1), Class: class, Priority: prio, Seq: seq, Gen: uint8(seq2)}
		b := BacklogRow{Lane: lane2 & (1<<48 - 1), Class: class2, Priority: prio2, Seq: seq2}
		ka, kb := appendKey(nil, &a), appendKey(nil, &b)
		if got, want := bytes.Compare(ka, kb), CompareBacklog(a, b); got != want {
			t.Fatalf("keys compare %d, rows %d: %+v %+v", got, want, a, b)
		}
		if back, err := decodeRow(ka, appendValue(nil, &a)); err != nil || back != a {
			t.Fatalf("%+v comes back as %+v, %v", a, back, err)
		}
	})
}

// A row of a damaged file is refused, or decodes to a value that encodes to the same bytes.
func FuzzBacklogRow(f *testing.F) {
	r := BacklogRow{ID: 300, Lane: 1<<16 | 2, Class: -2, Priority: -1.5, Seq: 9, Gen: 3}
	f.Add(appendKey(nil, &r), appendValue(nil, &r))
	f.Add([]byte{}, []byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 19), []byte{1, 0x80})
	f.Fuzz(func(t *testing.T, k, v []byte) {
		r, err := decodeRow(k, v)
		if err != nil {
			return
		}
		if math.IsNaN(r.Priority) || math.IsInf(r.Priority, 0) {
			t.Fatalf("priority %v", r.Priority)
		}
		again, err := decodeRow(appendKey(nil, &r), appendValue(nil, &r))
		if err != nil || again != r {
			t.Fatalf("%+v comes back as %+v, %v", r, again, err)
		}
	})
}
