package cli

import (
	"errors"
	"io"
	"testing"
)

type failingWriter struct {
	err    error
	writes int
}

func (f *failingWriter) Write(p []byte) (int, error) {
	f.writes++
	return 0, f.err
}

func TestOutputKeepsTheFirstError(t *testing.T) {
	full := errors.New("disk full")
	w := &failingWriter{err: full}
	out := &output{w: w}
	for range 2 {
		if _, err := io.WriteString(out, "row\n"); !errors.Is(err, full) {
			t.Errorf("a write returned %v", err)
		}
	}
	if w.writes != 1 || !errors.Is(out.err, full) {
		t.Errorf("%d writes reached the output, which kept %v", w.writes, out.err)
	}
}
