package view

import (
	"encoding/json"
	"io"
	"sync"
)

// Reporter is told what a run brings home; terminals and JSON writers
// implement it. Its methods are called by one goroutine at a time and must
// not block for long: they hold up commits.
type Reporter interface {
	Page(PageRow)
	Notice(NoticeJSON)
}

// Silent is a Reporter that tells nobody.
type Silent struct{}

// Page implements Reporter.
func (Silent) Page(PageRow) {}

// Notice implements Reporter.
func (Silent) Notice(NoticeJSON) {}

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
