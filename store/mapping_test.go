//go:build linux

package store

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

// A crawl must release the memory of stored data.
func TestMappedPagesAreLetGo(t *testing.T) {
	w, _ := create(t)
	found, err := w.Seed([]string{"http://a.test/"})
	must(t, err)
	id := found[0].Row.ID
	body := make([]byte, 32<<20) // one value as long as many pages
	for i := range body {
		body[i] = byte(i * 7 >> 3)
	}
	_, err = w.Commit(nil, []*Capture{{ID: id, State: Complete, Page: &Page{URL: "http://a.test/", Status: 200}, Body: append([]byte{BodyForm}, body...)}})
	must(t, err)
	look := func() int64 {
		if b, err := w.Body(id, 1<<20); err == nil && b != nil {
			t.Fatal("a body that is none was read")
		}
		return residentMapping()
	}
	before := look()
	if before == 0 {
		t.Skip("the system does not tell how much is resident")
	}
	trimMapping(w.db, before+1<<20)
	if now := residentMapping(); now < before-1<<20 {
		t.Errorf("%d bytes were resident, %d after a trim to more", before, now)
	}
	trimMapping(w.db, before-1)
	if now := residentMapping(); now > before-30<<20 {
		t.Errorf("%d bytes were resident, %d after the trim", before, now)
	}
	if again := look(); again < before-1<<20 {
		t.Errorf("looked at again, %d bytes of %d are resident", again, before)
	}
}

// So must a scan of all rows.
func TestScannedPagesAreLetGo(t *testing.T) {
	w, _ := create(t)
	found, err := w.Seed([]string{"http://a.test/"})
	must(t, err)
	id := found[0].Row.ID
	const size = 96 << 20
	random := make([]byte, size/4*3)
	_, err = rand.NewChaCha8([32]byte{}).Read(random)
	must(t, err)
	text := base64.StdEncoding.EncodeToString(random) // does not compress
	_, err = w.Commit(nil, []*Capture{{ID: id, State: Complete, Page: &Page{URL: "http://a.test/", Status: 200},
		Notice: &Notice{ID: id, URL: "http://a.test/", Title: "a", Text: text}}})
	must(t, err)
	before := residentMapping()
	if before == 0 {
		t.Skip("the system does not tell how much is resident")
	}
	for n, err := range w.Notices() {
		must(t, err)
		if len(n.Text) != size {
			t.Fatalf("%d bytes of text, want %d", len(n.Text), size)
		}
		if now := residentMapping(); now > before+size/4 {
			t.Errorf("%d bytes were resident, %d while the rows are looked at", before, now)
		}
	}
}
