package store

import (
	"os"
	"path/filepath"
)

// Sizes returns the bytes of a workspace's database file, and how many of them later commits can
// reuse.
func Sizes(w *Workspace) (file, free int64) {
	if st, err := os.Stat(filepath.Join(w.dir, databaseFile)); err == nil {
		file = st.Size()
	}
	return file, w.db.Free()
}
