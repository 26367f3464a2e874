package modes

import "golang.org/x/sys/unix"

// Disk returns the bytes that are free to this process on the disk of a folder, and the size of the
// disk.
func Disk(dir string) (free, size int64, ok bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, 0, false
	}
	return int64(s.Bavail) * s.Bsize, int64(s.Blocks) * s.Bsize, true
}
