//go:build !linux

package crawl

// Other systems tell these in ways of their own; the metrics leave them out.

func descriptors() (open, most int, ok bool) { return 0, 0, false }

func resident() (bytes int64, ok bool) { return 0, false }

func usage() history.Usage { return history.Usage{} }

// Disk does not tell how much of a disk is free.
func Disk(dir string) (free, size int64, ok bool) { return 0, 0, false }
