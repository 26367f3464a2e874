package store

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"angler/store/config"
	"angler/store/modes"
)

// fullDisk names the file that a child process writes while no file may grow: the limit holds for
// the whole process.
const fullDisk = "ANGLER_TEST_FULL_DISK"

// A full disk during a rewrite of the settings leaves the old file complete, and no other file.
func TestSettingsFileOnAFullDisk(t *testing.T) {
	if path := os.Getenv(fullDisk); path != "" {
		writeOnAFullDisk(path)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, config.Name)
	must(t, modes.Replace(path, []byte("name = \"old\"\n")))
	c := exec.Command(os.Args[0], "-test.run=^TestSettingsFileOnAFullDisk$")
	c.Env = append(os.Environ(), fullDisk+"="+path)
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "it is as it was") {
		t.Errorf("writing on a full disk: %v, %s", err, out)
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

// writeOnAFullDisk writes the file while files may not exceed 8 bytes, like a full disk. It ends
// the process.
func writeOnAFullDisk(path string) {
	signal.Ignore(syscall.SIGXFSZ)
	err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 8, Max: 8})
	if err == nil {
		err = modes.Replace(path, []byte("name = \"new and longer than the disk has room for\"\n"))
	}
	if err == nil {
		os.Exit(0)
	}
	os.Stderr.WriteString(err.Error())
	os.Exit(1)
}
