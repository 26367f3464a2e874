package topic

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
	"testing"
)

func written(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	long := make([]uint32, 3*columnBlock+1)
	for i := range long {
		long[i] = uint32(i * i)
	}
	err := errors.Join(WriteColumn(w, []bool{true, false, true}), WriteColumn(w, []uint16{1, 1 << 15}), WriteColumn(w, long), WriteColumn(w, []uint64{1 << 63}),
		WriteColumn(w, []byte("bytes")), writeStrings(w, []string{"a", "", "字符"}), writeStrings(w, nil), w.Flush())
	must(t, err)
	return b.Bytes()
}

func read(b []byte) (bools []bool, shorts []uint16, long []uint32, wide []uint64, raw []byte, texts []string, err error) {
	r := NewColumnReader(b)
	bools, shorts, long, wide, raw, texts = ReadColumn[bool](r), ReadColumn[uint16](r), ReadColumn[uint32](r), ReadColumn[uint64](r), r.bytes(), r.strings()
	r.strings()
	return bools, shorts, long, wide, raw, texts, r.Err()
}

func TestColumns(t *testing.T) {
	b := written(t)
	bools, shorts, long, wide, raw, texts, err := read(b)
	if err != nil || !slices.Equal(bools, []bool{true, false, true}) || !slices.Equal(shorts, []uint16{1, 1 << 15}) ||
		len(long) != 3*columnBlock+1 || long[3*columnBlock] != 9*columnBlock*columnBlock || !slices.Equal(wide, []uint64{1 << 63}) || string(raw) != "bytes" || !slices.Equal(texts, []string{"a", "", "字符"}) {
		t.Fatal(bools, shorts, len(long), wide, raw, texts, err)
	}
	for i := range b {
		if i > 64 && i < len(b)-64 {
			continue
		}
		if _, _, _, _, _, _, err := read(b[:i]); !errors.Is(err, errColumns) {
			t.Errorf("cut off at %d: %v", i, err)
		}
	}
	if _, _, _, _, _, _, err := read(append(b, 0)); !errors.Is(err, errColumns) {
		t.Errorf("something behind it: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		bools, shorts, long, wide, raw, _, err := read(b)
		if n := len(bools) + 2*len(shorts) + 4*len(long) + 8*len(wide) + len(raw); n > len(b) {
			t.Errorf("%d bytes were read of %d (%v)", n, len(b), err)
		}
	})
}
