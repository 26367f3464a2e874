//go:build unix

package export

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWhoMayReadAnExport: the user's mask sets the mode of a new file, and a replaced file keeps
// its mode.
func TestWhoMayReadAnExport(t *testing.T) {
	write := func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }
	for mask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664} {
		path := filepath.Join(t.TempDir(), "rows")
		before := syscall.Umask(mask)
		err := WriteFile(path, false, write)
		syscall.Umask(before)
		must(t, err)
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("under the mask %04o: %v, %v", mask, st.Mode(), err)
		}
		must(t, os.Chmod(path, 0o640))
		must(t, WriteFile(path, true, write))
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o640 {
			t.Errorf("replaced: %v, %v", st.Mode(), err)
		}
	}
}
