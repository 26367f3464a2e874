package modes

import "golang.org/x/sys/unix"

// Disk is how many bytes of the disk on which a folder lies are free to this
// process, and how many it has.
func Disk(dir string) (free, size int64, ok bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, 0, false
	}
	return int64(s.Bavail) * s.Bsize, int64(s.Blocks) * s.Bsize, true
}
