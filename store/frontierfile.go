package store

import (
	"path/filepath"

	"angler/store/backlog"
)

// backlogFile holds what the frontier cannot keep in memory.
const backlogFile = "frontier.db"

// NewBacklog makes an empty backlog in the workspace's folder; one that a killed
// process left there is removed.
func (w *Workspace) NewBacklog() (*backlog.Backlog, error) {
	return backlog.New(filepath.Join(w.dir, backlogFile))
}
