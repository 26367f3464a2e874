package store

import (
	"os"
	"path/filepath"
)

// Sizes are the bytes of a workspace's database file, and of those the ones that
// the next commits can use.
func Sizes(w *Workspace) (file, free int64) {
	if st, err := os.Stat(filepath.Join(w.dir, databaseFile)); err == nil {
		file = st.Size()
	}
	return file, w.db.Free()
}
