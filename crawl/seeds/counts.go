package seeds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"angler/store"
	"angler/store/modes"
)

// This file keeps beside the database what it held when it was closed, so that a
// list of workspaces tells it without opening, and locking, one of them.

const countsFile = "crawl.db.counts"

// counts are what a database held when it was closed.
type counts struct {
	Pages   int       `json:"pages"`
	Notices int       `json:"notices"`
	As      time.Time `json:"as"` // when the database was written last; another time: it has changed since
}

// RecordClosing writes down what a workspace holds that was just closed. Without it a list
// of workspaces only says less, so a failure is none.
func RecordClosing(dir string, pages, notices int) {
	at, err := store.Written(dir)
	if err != nil {
		return
	}
	if b, err := json.Marshal(counts{pages, notices, at}); err == nil {
		_ = modes.Replace(filepath.Join(dir, countsFile), append(b, '\n'))
	}
}

// look fills what is known of a workspace without opening it.
func (p *WorkspacePlace) look() {
	p.Open = store.Held(p.Dir)
	at, err := store.Written(p.Dir)
	if err != nil {
		return
	}
	p.Used = at
	var c counts
	b, err := os.ReadFile(filepath.Join(p.Dir, countsFile))
	if err == nil && json.Unmarshal(b, &c) == nil && c.As.Equal(p.Used) && !p.Open {
		p.Counted, p.Pages, p.Notices = true, c.Pages, c.Notices
	}
}
