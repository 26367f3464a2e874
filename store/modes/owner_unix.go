//go:build unix

package modes

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f to the owner of what it replaces, if this process may.
func keepOwner(f *os.File, before fs.FileInfo) {
	if s, ok := before.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = f.Chown(int(s.Uid), int(s.Gid)) // on file systems without owners nothing is lost
	}
}

// LetsOthers tells whether others have one of the rights of what, which are bits of a
// mode.
func LetsOthers(st fs.FileInfo, what fs.FileMode) bool { return st.Mode().Perm()&what != 0 }
