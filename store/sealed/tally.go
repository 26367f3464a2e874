package sealed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Tally counts the damaged rows that were skipped. It is safe for concurrent use; its zero value is
// empty.
type Tally struct {
	mu   sync.Mutex
	rows map[string]map[string]string // bucket → key → fault
	n    int
}

// mostTallied bounds the remembered rows. Rows beyond it are counted each time they are read.
const mostTallied = 10_000

// Add counts a damaged row once.
func (t *Tally) Add(bucket, key []byte, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.rows[string(bucket)]
	if _, ok := of[string(key)]; ok {
		return
	}
	if t.n++; t.n > mostTallied {
		return
	}
	if of == nil {
		if t.rows == nil {
			t.rows = map[string]map[string]string{}
		}
		of = map[string]string{}
		t.rows[string(bucket)] = of
	}
	of[string(key)] = why.Error()
}

// Len returns the number of damaged rows found.
func (t *Tally) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// String says how many rows of which buckets are damaged; "" if none is.
func (t *Tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, b := range slices.Sorted(maps.Keys(t.rows)) {
		parts = append(parts, fmt.Sprintf("%d of %s", len(t.rows[b]), b))
	}
	if t.n == 0 {
		return ""
	}
	noun := "rows are"
	if t.n == 1 {
		noun = "row is"
	}
	return fmt.Sprintf("%d %s damaged and left out (%s)", t.n, noun, strings.Join(parts, ", "))
}
