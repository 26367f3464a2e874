package store

import (
	"encoding/binary"
	"math"
	"testing"
)

func key(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15) }

func filled(keys, of int, rate float64) *bloomFilter {
	f := newFilter(of, rate)
	for i := range keys {
		f.add(key(i))
		f.hold(i + 1)
	}
	return f
}

func TestFigures(t *testing.T) {
	const keys, unknown, rate = 20_000, 20_000, .02
	f := filled(keys, keys, rate)
	g := f.figures()
	// m and k of the textbook: −n·ln p ÷ ln² 2 and ln 2·m ÷ n.
	if want := math.Ceil(-keys * math.Log(rate) / (math.Ln2 * math.Ln2)); g.Keys != keys || float64(g.Bits) != want || g.Hashes != 6 {
		t.Errorf("%+v, want m %v and k 6", g, want)
	}
	expected := 1 - math.Exp(-float64(g.Hashes)*keys/float64(g.Bits))
	if math.Abs(g.Fill-expected) > .02*expected {
		t.Errorf("fill %v, want about %v", g.Fill, expected)
	}
	if g.Maybe != 0 || g.False != 0 {
		t.Errorf("answers before any question: %+v", g)
	}
	for i := range keys {
		if !f.test(key(i)) {
			t.Fatalf("key %d is lost", i)
		}
	}
	for i := range unknown {
		if f.test(key(keys + i)) {
			f.wrong.Add(1)
		}
	}
	g = f.figures()
	if g.Maybe != keys+g.False || g.False == 0 {
		t.Errorf("%d maybe and %d false after %d known and %d unknown keys", g.Maybe, g.False, keys, unknown)
	}
	// The keys are fixed, so the result does not vary.
	if seen := float64(g.False) / unknown; math.Abs(seen-g.FalseRate) > .15*g.FalseRate || math.Abs(seen-rate) > .25*rate {
		t.Errorf("%v of unknown keys got a maybe, estimated %v, asked for %v", seen, g.FalseRate, rate)
	}
}

func TestFillFollows(t *testing.T) {
	for _, keys := range []int{0, 1, 300, 5000} {
		f := filled(keys, 5000, .001)
		actual := float64(f.f.BitSet().Count()) / float64(f.f.Cap())
		if g := f.figures(); g.Keys != keys || g.Fill > actual || actual-g.Fill > .07*(actual+.1) || (keys > 0) != (g.Fill > 0) {
			t.Errorf("%d keys: fill %v, counted %v", keys, g.Fill, actual)
		}
	}
}

func TestLoad(t *testing.T) {
	old := filled(1000, 2000, .01)
	b, err := old.bytes()
	must(t, err)
	same := newFilter(2000, .01)
	if !same.load(b, 1000) || same.figures().Keys != 1000 || !same.test(key(999)) || same.figures().Fill == 0 {
		t.Errorf("%+v", same.figures())
	}
	for name, c := range map[string]struct {
		stored []byte
		into   *bloomFilter
	}{"more keys": {b, newFilter(4000, .01)}, "another rate": {b, newFilter(2000, .1)}, "torn": {b[:len(b)/2], newFilter(2000, .01)}, "nothing": {nil, newFilter(2000, .01)}} {
		if c.into.load(c.stored, 1000) || c.into.figures().Keys != 0 || c.into.test(key(1)) {
			t.Errorf("%s: was loaded", name)
		}
	}
}
