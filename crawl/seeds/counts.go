package seeds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"angler/store"
	"angler/store/modes"
)

// This file stores a closed database's counts beside it, so that a list of workspaces need not open and lock the
// database.

const countsFile = "crawl.db.counts"

// counts holds the counts of a closed database.
type counts struct {
	Pages   int       `json:"pages"`
	Notices int       `json:"notices"`
	As      time.Time `json:"as"` // last write of the database; if it differs, the counts are outdated
}

// RecordClosing stores the counts of a workspace just closed. It ignores errors, because a list of workspaces works
// without counts.
func RecordClosing(dir string, pages, notices int) {
	at, err := store.Written(dir)
	if err != nil {
		return
	}
	if b, err := json.Marshal(counts{pages, notices, at}); err == nil {
		_ = modes.Replace(filepath.Join(dir, countsFile), append(b, '\n'))
	}
}

// readCounts fills the data of a workspace that need no opening.
func (p *WorkspacePlace) readCounts() {
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
