package store

import (
	"path/filepath"
)

// backlogFile holds what the frontier cannot keep in memory.
const backlogFile = "frontier.db"

// NewBacklog makes an empty backlog in the workspace's folder; one that a killed
// process left there is removed.
func (w *Workspace) NewBacklog() (*Backlog, error) {
	return newBacklog(filepath.Join(w.dir, backlogFile))
}
