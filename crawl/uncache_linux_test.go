package crawl_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// uncache has the system drop a file from its cache.
func uncache(b *testing.B, path string) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	must(b, err)
	defer f.Close()
	must(b, f.Sync())
	must(b, unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED))
}
