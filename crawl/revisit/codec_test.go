package revisit

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestCodec(t *testing.T) {
	full := History{}.Visit(start, false, 3)
	for i := range 500 {
		full = full.Visit(start.Add(time.Duration(i)*5*time.Hour), i%3 == 0, i%7)
	}
	cases := map[string]struct {
		h    History
		size int // at most
	}{
		"never visited": {History{}, 4},
		"once":          {History{}.Visit(start, true, 1), 24},
		"never changed": {History{}.Visit(start, false, 0).Visit(start.Add(day), false, 0), 28},
		"long":          {full, 170},
		"at the limits": {History{Visits: math.MaxUint32 - 1, Changes: math.MaxUint32 - 2, Records: math.MaxUint32, First: start, Last: start}.Visit(time.Unix(maxUnix, 0), true, 9), 50},
		"clock went back": {History{}.Visit(start, false, 0).Visit(start.Add(day), true, 0).
			Visit(start.Add(-day), false, 0), 32},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := c.h.encode([]byte("before"))[6:]
			if len(b) > c.size {
				t.Errorf("%d bytes, want at most %d", len(b), c.size)
			}
			got, rest, err := decode(append(b, "after"...))
			if err != nil || got != c.h || string(rest) != "after" {
				t.Errorf("got %+v, %q, %v\nwant %+v", got, rest, err, c.h)
			}
			for n := range b {
				if _, _, err := decode(b[:n]); !errors.Is(err, errCorrupt) {
					t.Errorf("cut after %d of %d bytes: %v", n, len(b), err)
				}
			}
		})
	}
}

// Whatever was stored, a history that decodes can be used and stored again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(History{}.encode(nil))
	f.Add(History{}.Visit(start, true, 1).encode(nil))
	f.Add(History{}.Visit(start, false, 0).Visit(start.Add(day), true, 9).encode(nil))
	f.Add(History{}.Visit(start, false, 0).Visit(start.Add(time.Hour), true, 9).encode(nil))
	f.Add([]byte{1, 2, 1, 0, 1, 1, 1, 1, 0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x7f, 0, 0, 0, 0})
	s := Default()
	f.Fuzz(func(t *testing.T, b []byte) {
		h, _, err := decode(b)
		if err != nil {
			if !errors.Is(err, errCorrupt) {
				t.Errorf("error %v", err)
			}
			return
		}
		for range 3 {
			again, rest, err := decode(h.encode(nil))
			if err != nil || again != h || len(rest) != 0 {
				t.Fatalf("%+v came back as %+v, %v", h, again, err)
			}
			if r := h.Rate(); !(r >= 0) || math.IsInf(r, 0) {
				t.Errorf("rate %v of %+v", r, h)
			}
			for _, k := range []Kind{Aggregation, Other} {
				if wait := h.Next(start, k, s).Sub(start); wait > s.bounds(k).Max {
					t.Errorf("next in %v of %+v", wait, h)
				}
			}
			h = h.Visit(start.Add(7*day), true, 1)
		}
	})
}

func BenchmarkVisitNext(b *testing.B) {
	b.ReportAllocs()
	s, now := Default(), start
	h := History{}.Visit(now, false, 0)
	for i := range b.N {
		now = h.Next(now, Aggregation, s)
		h = h.Visit(now, i%3 == 0, 1)
	}
}
