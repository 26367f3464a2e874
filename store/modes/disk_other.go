//go:build !linux

package modes

// Disk returns false: this system is not supported.
func Disk(dir string) (free, size int64, ok bool) { return 0, 0, false }
