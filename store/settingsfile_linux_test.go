package store

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full while the settings are rewritten leaves the old file, whole,
// and nothing beside it.
func TestSettingsFileOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, settingsFile)
	if err := replaceFile(path, []byte("name = \"old\"\n")); err != nil {
		t.Fatal(err)
	}
	// Files may not grow beyond 8 bytes: what a full disk does, without a disk.
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 8, Max: was.Max}); err != nil {
		t.Skip(err)
	}
	err := replaceFile(path, []byte("name = \"new and longer than the disk has room for\"\n"))
	if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); e != nil {
		t.Fatal(e)
	}
	if err == nil || !strings.Contains(err.Error(), "it is as it was") {
		t.Errorf("writing on a full disk: %v", err)
	}
	b, readErr := os.ReadFile(path)
	if string(b) != "name = \"old\"\n" {
		t.Errorf("the file is now %q, %v", b, readErr)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 {
		t.Errorf("left in the folder: %v", left)
	}
}
