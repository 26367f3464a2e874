package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"angler/store"
	"angler/store/config"
)

// The workbench checks write permission before it opens a workspace.
func TestUnwritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds, set.Store.ExpectedURLs = []string{"http://a.test/"}, 1000
	must(t, store.Create(dir, set))
	if store.Unwritable(dir) || store.Unwritable(filepath.Join(dir, "none")) {
		t.Error("one's own workspace, or none, counts as one that cannot be written")
	}
	must(t, os.Chmod(filepath.Join(dir, "crawl.db"), 0o444))
	said := make(chan bool)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Getuid() == 0 {  // root may write everything, so this thread drops its rights
			_ = syscall.Setfsuid(65534)
		}
		said <- store.Unwritable(dir)
	}()
	if !<-said {
		t.Error("a database without a right to write counts as writable")
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
