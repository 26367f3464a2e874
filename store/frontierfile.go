package store

import (
	"path/filepath"
)

// backlogFile holds the part of the frontier that does not fit in memory.
const backlogFile = "frontier.db"

// NewBacklog makes an empty backlog in the workspace's folder and removes the file of a killed
// process.
func (w *Workspace) NewBacklog() (*Backlog, error) {
	return newBacklog(filepath.Join(w.dir, backlogFile))
}
