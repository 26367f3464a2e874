package linkorder

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"testing"
)

func taught(t testing.TB, n int) (*learned, []Target) {
	l := make1(t, "learned").(*learned)
	ts := benchTargets(400)
	for i := range n {
		l.Observe(benchFetch(&ts[i], ts))
	}
	return l, ts
}

func values(s Strategy, ts []Target) []float64 {
	v := make([]float64, len(ts))
	for i := range ts {
		v[i] = s.Value(&ts[i])
	}
	return v
}

func sameValues(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// A resumed crawl has the values of the stopped one, and learns like it.
func TestSaveLoad(t *testing.T) {
	for _, n := range []int{0, 1, 130} {
		a, ts := taught(t, n)
		state := a.Save()
		b := make1(t, "learned").(*learned)
		must(t, b.Load(state))
		if !sameValues(values(a, ts), values(b, ts)) {
			t.Errorf("after %d fetches: loaded values differ", n)
		}
		for i := range 20 {
			f := benchFetch(&ts[n+i], ts)
			if a.Observe(f) != b.Observe(f) {
				t.Errorf("after %d fetches: cadence differs %d fetches later", n, i)
			}
		}
		if !sameValues(values(a, ts), values(b, ts)) || string(a.Save()) != string(b.Save()) {
			t.Errorf("after %d fetches: learning on differs", n)
		}
	}
}

func TestLoadRefusesDamage(t *testing.T) {
	l, ts := taught(t, 30)
	state := l.Save()
	other, _ := taught(t, 7)
	before := values(other, ts)
	cases := map[string]struct {
		state []byte
		want  string
	}{
		"nothing":       {nil, "damaged"},
		"cut":           {state[:len(state)/2], "damaged"},
		"longer":        {append(state[:len(state):len(state)], 0), "damaged"},
		"another file":  {[]byte("SQLite format 3\x00 and more"), "damaged"},
		"older":         {append([]byte("alo\x01"), state[4:]...), "version 1"},
		"newer":         {append([]byte("alo\x03"), state[4:]...), "version 3"},
		"a bit flipped": {flip(state, len(state)/3), "damaged"},
		"hostile count": {seal(append([]byte(stateMagic), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)), "damaged"},
		"not a number":  {seal(notANumber()), "damaged"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := other.Load(c.state)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %q", err, c.want)
			}
			if !sameValues(before, values(other, ts)) {
				t.Error("half loaded")
			}
		})
	}
}

func flip(b []byte, i int) []byte {
	c := append([]byte(nil), b...)
	c[i] ^= 4
	return c
}

// seal adds the checksum required for loading.
func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// notANumber returns a state whose only bucket has the weight NaN.
func notANumber() []byte {
	b := append([]byte(stateMagic), 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(1))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(math.NaN())))
	return append(b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// Any body with a correct checksum is either refused, or can be saved and loaded again and gives finite values.
func FuzzLoad(f *testing.F) {
	l, _ := taught(f, 3)
	state := l.Save()
	f.Add(state[len(stateMagic) : len(state)-4])
	f.Add(notANumber()[len(stateMagic):])
	f.Add([]byte{1, 1, 0, 0, 0, 0, 0, 0})
	a, b := make1(f, "learned").(*learned), make1(f, "learned").(*learned)
	ts := benchTargets(5)
	f.Fuzz(func(t *testing.T, body []byte) {
		before := values(a, ts)
		if err := a.Load(seal(append([]byte(stateMagic), body...))); err != nil {
			if !sameValues(before, values(a, ts)) {
				t.Fatal("half loaded")
			}
			return
		}
		must(t, b.Load(a.Save()))
		for _, v := range values(a, ts) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("value %v", v)
			}
		}
		if !sameValues(values(a, ts), values(b, ts)) {
			t.Fatal("values differ after a round trip")
		}
	})
}
