package maintenance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/modes"
)

// filled makes a workspace with pages, half of them without bodies.
func filled(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	var captures []*store.Capture
	var ids []uint64
	var urls []string
	for i := range 500 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	found, err := w.Seed(urls)
	must(t, err)
	for i, url := range urls {
		body := bytes.Repeat([]byte(fmt.Sprintf("%d%x", i*i, store.KeyOf(url))), 300+i)
		for k := range body {
			body[k] ^= byte(k * k >> 3)
		}
		ids = append(ids, found[i].Row.ID)
		captures = append(captures, &store.Capture{ID: found[i].Row.ID, State: store.Complete, Terms: []byte("terms"), Body: store.Compress(body),
			Page: &store.Page{URL: url, Status: 200, Hash: store.KeyOf(body)}, Links: []store.Link{{URL: "http://a.test/0"}}})
	}
	if _, err := w.Commit(nil, captures); err != nil {
		t.Fatal(err)
	}
	n, err := store.DropBodies(w, ids[:250], nil, time.Now())
	if err != nil || n != 250 {
		t.Fatal(n, err)
	}
	must(t, w.Close())
	return dir
}

// rows returns all rows of a database.
func rows(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	w, err := store.OpenToRead(dir)
	must(t, err)
	defer w.Close()
	for u, err := range w.URLs() {
		must(t, err)
		out[u.URL] = fmt.Sprintf("%+v", *u)
	}
	for p, err := range w.Pages() {
		must(t, err)
		body, err := w.Body(p.ID, 1<<20)
		must(t, err)
		out["page "+p.URL] = fmt.Sprintf("%+v %x %x", *p, store.KeyOf(body), w.TermsOf(p.ID))
	}
	problems, err := store.CheckQuickly(w)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	return out
}

func sizeOf(t *testing.T, dir string) int64 {
	t.Helper()
	st, err := os.Stat(store.DatabasePath(dir))
	must(t, err)
	return st.Size()
}

func TestRoomIsGivenBack(t *testing.T) {
	dir := filled(t)
	want, before := rows(t, dir), sizeOf(t, dir)
	file, free, err := EstimateCompaction(dir)
	if err != nil || file != before || free < before/4 {
		t.Errorf("%d of %d bytes are free, %v", free, file, err)
	}
	must(t, os.Chmod(store.DatabasePath(dir), 0o640))
	told := false
	s, err := Compact(t.Context(), dir, func(done, total int64) { told = told || done > 0 && done <= total })
	if err != nil || s.Before != before || s.After != sizeOf(t, dir) || s.After > before*3/4 || s.Rows == 0 || !told {
		t.Errorf("%+v of %d bytes, %v", s, before, err)
	}
	if st, err := os.Stat(store.DatabasePath(dir)); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	got := rows(t, dir)
	if len(got) != len(want) {
		t.Errorf("%d rows of %d", len(got), len(want))
	}
	for k, v := range want {
		if got[k] != v {
			t.Fatalf("%s is %s, was %s", k, got[k], v)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*"+suffix)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	w, err := store.Open(dir) // it can be written
	must(t, err)
	if _, err := w.Seed([]string{"http://a.test/new"}); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestNothingHappensToAnOpenWorkspace(t *testing.T) {
	dir := filled(t)
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	if _, err := Compact(t.Context(), dir, func(int64, int64) {}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("%v", err)
	}
}

// TestCutOff cancels the copy at every point: the database is unchanged and no file is left.
func TestCutOff(t *testing.T) {
	dir := filled(t)
	want := rows(t, dir)
	for at := range 14 {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		if at == 0 {
			cancel()
		}
		_, err := Compact(ctx, dir, func(int64, int64) {
			if n++; n == at {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cut off at %d: %v", at, err)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*"+suffix)); err != nil || len(left) > 0 {
			t.Errorf("cut off at %d leaves %v, %v", at, left, err)
		}
	}
	if got := rows(t, dir); len(got) != len(want) {
		t.Errorf("%d rows of %d", len(got), len(want))
	}
}

// TestWhatAKilledProcessLeft: a file of a killed process is removed, whatever its content.
func TestWhatAKilledProcessLeft(t *testing.T) {
	dir := filled(t)
	want := rows(t, dir)
	must(t, os.WriteFile(store.DatabasePath(dir)+suffix, bytes.Repeat([]byte("half a database"), 1000), modes.File))
	if got := rows(t, dir); len(got) != len(want) {
		t.Errorf("%d rows of %d beside a half-written file", len(got), len(want))
	}
	if _, err := Compact(t.Context(), dir, func(int64, int64) {}); err != nil {
		t.Error(err)
	}
	if got := rows(t, dir); len(got) != len(want) {
		t.Errorf("%d rows of %d", len(got), len(want))
	}
}

func TestADamagedDatabaseIsLeftAlone(t *testing.T) {
	dir := filled(t)
	path := store.DatabasePath(dir)
	b, err := os.ReadFile(path)
	must(t, err)
	for i := 8 * 4096; i < len(b)-4096; i += 4096 {
		copy(b[i:], bytes.Repeat([]byte{0xee}, 64))
	}
	must(t, os.WriteFile(path, b, 0o600))
	if _, err := Compact(t.Context(), dir, func(int64, int64) {}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, b) {
		t.Errorf("the file has changed, %v", err)
	}
}
