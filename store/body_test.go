package store

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestBodies(t *testing.T) {
	old, err := zstd.NewWriter(nil)
	must(t, err)
	page := []byte(strings.Repeat("<li><a href=/info/1001.htm>采购公告</a> 2024-05-12</li>", 300))
	for _, c := range []struct {
		name   string
		stored []byte
		limit  int
		want   []byte // nil: an error
	}{
		{"a page", Compress(page), len(page), page},
		{"an empty one", Compress(nil), 0, []byte{}},
		{"one byte", Compress([]byte("x")), 1, []byte("x")},
		{"written before schema 3", old.EncodeAll(page, nil), 1 << 20, page},
		{"longer than the limit", Compress(page), len(page) - 1, nil},
		{"an old one longer than the limit", old.EncodeAll(make([]byte, 1<<20), nil), 1 << 16, nil},
		{"cut off", Compress(page)[:40], 1 << 20, nil},
		{"says it is huge", []byte{BodyForm, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}, 1 << 20, nil},
		{"of no known form", []byte("<html>"), 1 << 20, nil},
		{"nothing", nil, 1 << 20, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decompress(c.stored, c.limit)
			if (err != nil) != (c.want == nil) || err == nil && got == nil || !bytes.Equal(got, c.want) {
				t.Errorf("got %d bytes, %v; want %d", len(got), err, len(c.want))
			}
		})
	}
	if z := Compress(page); len(z) > len(page)/4 {
		t.Errorf("%d bytes take %d", len(page), len(z))
	}
}

// Content of one body in the reused buffer must not appear in the next.
func TestBodiesShareNothing(t *testing.T) {
	first := Compress([]byte(strings.Repeat("first ", 100)))
	kept := bytes.Clone(first)
	Compress([]byte(strings.Repeat("second", 200)))
	if !bytes.Equal(first, kept) {
		t.Error("a compressed body changed when the next was compressed")
	}
}
