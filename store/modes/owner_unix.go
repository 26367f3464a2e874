//go:build unix

package modes

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f the owner of the file it replaces, if this process may.
func keepOwner(f *os.File, before fs.FileInfo) {
	if s, ok := before.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = f.Chown(int(s.Uid), int(s.Gid)) // file systems without owners lose nothing
	}
}

// LetsOthers reports whether others have one of the rights in what, which are bits of a mode.
func LetsOthers(st fs.FileInfo, what fs.FileMode) bool { return st.Mode().Perm()&what != 0 }
