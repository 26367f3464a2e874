package crawl

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"sync"
)

// Reporter is told what a run brings home; terminals and JSON writers
// implement it. Its methods are called by one goroutine at a time and must
// not block for long: they hold up commits.
type Reporter interface {
	Page(PageRow)
	Notice(NoticeJSON)
}

type silent struct{}

func (silent) Page(PageRow)      {}
func (silent) Notice(NoticeJSON) {}

// largest returns at most n of ids with the largest keys, largest first; ties
// go to the smaller id. It leaves ids alone.
func largest(ids []uint64, n int, key func(uint64) float64) []uint64 {
	type item struct {
		id  uint64
		key float64
	}
	less := func(a, b item) int {
		if c := cmp.Compare(b.key, a.key); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	}
	top := make([]item, 0, min(n, len(ids))+1)
	for _, id := range ids {
		x := item{id, key(id)}
		if len(top) == n && (n == 0 || less(x, top[n-1]) >= 0) {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, x, less)
		top = slices.Insert(top, i, x)
		if len(top) > n {
			top = top[:n]
		}
	}
	out := make([]uint64, len(top))
	for i, x := range top {
		out[i] = x.id
	}
	return out
}

// JSONLines reports pages or notices as JSON lines.
type JSONLines struct {
	mu      sync.Mutex
	enc     *json.Encoder
	pages   bool
	notices bool
}

// NewJSONLines returns a reporter that writes what the flags choose to w.
func NewJSONLines(w io.Writer, pages, notices bool) *JSONLines {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &JSONLines{enc: enc, pages: pages, notices: notices}
}

// Page implements Reporter.
func (j *JSONLines) Page(p PageRow) { j.put(j.pages, p) }

// Notice implements Reporter.
func (j *JSONLines) Notice(n NoticeJSON) { j.put(j.notices, n) }

func (j *JSONLines) put(wanted bool, row any) {
	if wanted {
		j.mu.Lock()
		defer j.mu.Unlock()
		// A closed pipe is noticed by the command that owns it.
		_ = j.enc.Encode(row)
	}
}
