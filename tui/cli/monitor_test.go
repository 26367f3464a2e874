package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeadIsNotSaidToBeAlive: the service manager hears nothing of an engine that
// hangs, and hears again of one that goes on.
func TestDeadIsNotSaidToBeAlive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	c := manager(t, path)
	var log bytes.Buffer
	x := served{log: slog.New(slog.NewTextHandler(&log, nil)),
		manager: newServiceManager(env(map[string]string{"NOTIFY_SOCKET": path}), 1)}
	x.pulse(errors.New("no snapshot for 31s"))
	if !strings.Contains(log.String(), "no snapshot for 31s") {
		t.Errorf("the log: %s", &log)
	}
	x.manager.status("after")
	x.pulse(nil)
	for _, want := range []string{"STATUS=after", "WATCHDOG=1"} { // nothing came before
		if got := heard(t, c); got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	}
}

// A log goes on in the old file until its name can be opened again, as after logrotate.
func TestLogFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	path := filepath.Join(dir, "log")
	must(t, os.Mkdir(dir, 0o755))
	log, f, err := logger(io.Discard, path, "text")
	must(t, err)
	log.Info("first", "proxy", "http://u:secret@h", "err", fmt.Errorf("at http://u:secret@h"), "list", []string{"http://u:secret@h"})
	must(t, errors.Join(os.Rename(path, path+".1"), os.Rename(dir, dir+".gone")))
	if err := f.reopen(); err == nil || !strings.Contains(err.Error(), "old file") {
		t.Errorf("a folder that is gone: %v", err)
	}
	log.Info("second")
	must(t, os.Rename(dir+".gone", dir))
	first := f.w
	must(t, f.reopen())
	log.Info("third")
	must(t, f.Close())
	for _, w := range []io.Closer{first, f.w} {
		if err := w.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("a file is left open: %v", err)
		}
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		must(t, err)
		return string(b)
	}
	old, now := read(path+".1"), read(path)
	if !strings.Contains(old, "first") || !strings.Contains(old, "second") || strings.Contains(old, "third") || !strings.Contains(now, "third") {
		t.Errorf("the old file:\n%s\nthe new one:\n%s", old, now)
	}
	if strings.Contains(old, "secret") || strings.Count(old, "http://u:xxxxx@h") != 3 {
		t.Errorf("the log: %s", old)
	}
}
