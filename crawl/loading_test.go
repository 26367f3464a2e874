package crawl

import (
	"errors"
	"iter"
	"testing"
)

// numbers yields 0 … n-1, and an error behind them.
func numbers(n int, then error, left *bool) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		defer func() { *left = true }()
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if then != nil {
			yield(0, then)
		}
	}
}

// What is read ahead comes whole and in order, with the error that ended it, and no reader
// reads any more when the loop is left.
func TestReadingAhead(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		n, until int
		then     error
	}{{0, -1, nil}, {0, -1, broken}, {1, -1, nil}, {256, -1, nil}, {257, -1, broken}, {10_000, -1, nil}, {10_000, -1, broken}, {10_000, 0, nil}, {10_000, 300, broken}} {
		var left bool
		var got int
		var err error
		for v, e := range ahead(numbers(c.n, c.then, &left)) {
			if err = e; e != nil {
				continue
			}
			if v != got {
				t.Fatalf("%+v: %d came as number %d", c, v, got)
			}
			if got++; v == c.until {
				break
			}
		}
		want, ends := c.n, c.then
		if c.until >= 0 {
			want, ends = c.until+1, nil
		}
		if got != want || !errors.Is(err, ends) || !left {
			t.Errorf("%+v: %d came, %v, ended %v", c, got, err, left)
		}
	}
}
