package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
)

func numbered(n int) iter.Seq2[checkpointRow, error] {
	return func(yield func(checkpointRow, error) bool) {
		for i := range n {
			if !yield(checkpointRow{uint64(3*i + 1), fmt.Appendf(nil, "row %d", i)}, nil) {
				return
			}
		}
	}
}

// checkpointIsWritten writes a checkpoint of two parts and of n rows.
func checkpointIsWritten(t testing.TB, path string, name checkpointName, n int) {
	t.Helper()
	text := func(s string) func(*bufio.Writer) error {
		return func(w *bufio.Writer) error { _, err := w.WriteString(s); return err }
	}
	err := writeCheckpoint(path, name, CheckpointPart{"one", text("the first part")}, CheckpointPart{"none", text("")},
		CheckpointPart{"rows", func(w *bufio.Writer) error { return writeCheckpointRows(w, numbered(n)) }})
	must(t, err)
}

// look reads a whole checkpoint and returns the first error.
func look(path string, name checkpointName) (all []byte, err error) {
	f, err := openCheckpoint(path, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, part := range []string{"one", "none"} {
		b, err := f.part(part)
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	for row, err := range f.Rows("rows") {
		if err != nil {
			return nil, err
		}
		all = fmt.Appendf(all, ";%d %s", row.ID, row.Value)
	}
	return all, nil
}

// Only the written file is read: no file of another name, cut off anywhere, or with any changed
// byte.
func TestOnlyWhatWasWritten(t *testing.T) {
	path, name := filepath.Join(t.TempDir(), "checkpoint"), checkpointName{1, 2, 3}
	checkpointIsWritten(t, path, name, 3)
	want := "the first part;1 row 0;4 row 1;7 row 2"
	if all, err := look(path, name); err != nil || string(all) != want {
		t.Fatalf("%q, %v", all, err)
	}
	if _, err := look(path, checkpointName{1, 2, 4}); !errors.Is(err, errNoCheckpoint) {
		t.Errorf("of another name: %v", err)
	}
	if _, err := look(path+"-", name); !errors.Is(err, errNoCheckpoint) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	whole, err := os.ReadFile(path)
	must(t, err)
	spoiled := func(what string, b []byte) {
		t.Helper()
		must(t, os.WriteFile(path, b, 0o600))
		if all, err := look(path, name); !errors.Is(err, errNoCheckpoint) {
			t.Errorf("%s: %q, %v", what, all, err)
		}
	}
	for i := range whole {
		spoiled(fmt.Sprintf("cut off at %d", i), whole[:i])
		b := bytes.Clone(whole)
		b[i] ^= 0x10
		spoiled(fmt.Sprintf("byte %d of %d changed", i, len(whole)), b)
	}
}

// Rows cross the ends of chunks unchanged, and reading may stop anywhere.
func TestManyRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	const n = 100_000
	checkpointIsWritten(t, path, checkpointName{}, n)
	f, err := openCheckpoint(path, checkpointName{})
	must(t, err)
	defer f.Close()
	i := 0
	for row, err := range f.Rows("rows") {
		if want := fmt.Sprintf("row %d", i); err != nil || row.ID != uint64(3*i+1) || string(row.Value) != want {
			t.Fatalf("%d %q, %v, not %q", row.ID, row.Value, err, want)
		}
		i++
	}
	if i != n {
		t.Errorf("%d rows of %d", i, n)
	}
	for range f.Rows("rows") {
		break
	}
}

// A failed write leaves the old file, and no other file.
func TestFailedWriting(t *testing.T) {
	path, name := filepath.Join(t.TempDir(), "checkpoint"), checkpointName{7}
	checkpointIsWritten(t, path, name, 1)
	full := errors.New("full")
	if err := writeCheckpoint(path, checkpointName{8}, CheckpointPart{"one", func(*bufio.Writer) error { return full }}); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if _, err := look(path, name); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// FuzzOpen reads any file as a checkpoint, also with valid checksums.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "checkpoint")
	checkpointIsWritten(f, path, checkpointName{}, 5)
	whole, err := os.ReadFile(path)
	must(f, err)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "checkpoint")
		must(t, os.WriteFile(path, b, 0o600))
		if all, err := look(path, checkpointName{}); err != nil && !errors.Is(err, errNoCheckpoint) {
			t.Errorf("%q, %v", all, err)
		}
	})
}
