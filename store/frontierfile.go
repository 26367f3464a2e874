package store

import (
	"path/filepath"

	"angler/store/backlog"
)

// backlogFile holds what the frontier cannot keep in memory.
const backlogFile = "frontier.db"

// The types of the frontier's backlog.
type (
	Backlog      = backlog.Backlog
	BacklogRow   = backlog.BacklogRow
	BacklogTake  = backlog.BacklogTake
	BacklogHead  = backlog.BacklogHead
	BacklogTaken = backlog.BacklogTaken
)

// CompareBacklogRows orders rows as they stand on disk: by lane, the better one
// first.
func CompareBacklogRows(a, b BacklogRow) int { return backlog.CompareBacklogRows(a, b) }

// NewBacklog makes an empty backlog in the workspace's folder; one that a killed
// process left there is removed.
func (w *Workspace) NewBacklog() (*Backlog, error) {
	return backlog.New(filepath.Join(w.dir, backlogFile))
}
