//go:build !linux

package modes

// Disk does not tell how much of a disk is free.
func Disk(dir string) (free, size int64, ok bool) { return 0, 0, false }
