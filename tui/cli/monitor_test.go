package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDeadIsNotSaidToBeAlive: the service manager hears nothing of an engine that
// hangs, and hears again of one that goes on.
func TestDeadIsNotSaidToBeAlive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(t, err)
	defer c.Close()
	var log bytes.Buffer
	x := served{log: slog.New(slog.NewTextHandler(&log, nil)), manager: newServiceManager(func(k string) string {
		return map[string]string{"NOTIFY_SOCKET": path}[k]
	}, 1)}
	x.pulse(errors.New("no snapshot for 31s"))
	if !strings.Contains(log.String(), "no snapshot for 31s") {
		t.Errorf("the log: %s", &log)
	}
	x.manager.status("after")
	x.pulse(nil)
	for _, want := range []string{"STATUS=after", "WATCHDOG=1"} { // nothing came before
		b := make([]byte, 100)
		must(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
		n, err := c.Read(b)
		if err != nil || string(b[:n]) != want {
			t.Errorf("heard %q, %v, want %q", b[:n], err, want)
		}
	}
}

// buffer is a log file in memory.
type buffer struct {
	bytes.Buffer
	closed bool
}

func (b *buffer) Close() error { b.closed = true; return nil }

func TestLogFile(t *testing.T) {
	files := []*buffer{{}, {}}
	n, broken := 0, false
	p := Program{Append: func(string) (io.WriteCloser, error) {
		if broken {
			return nil, errors.New("read-only file system")
		}
		n++
		return files[n-1], nil
	}}
	log, f, err := p.logger(io.Discard, "log", "text")
	must(t, err)
	log.Info("first", "proxy", "http://u:secret@h", "err", fmt.Errorf("at http://u:secret@h"), "list", []string{"http://u:secret@h"})
	broken = true
	if err := f.reopen(); err == nil || !strings.Contains(err.Error(), "old file") {
		t.Errorf("a folder that is gone: %v", err)
	}
	log.Info("second")
	broken = false
	if err := f.reopen(); err != nil {
		t.Error(err)
	}
	log.Info("third")
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	old, now := files[0].String(), files[1].String()
	if !strings.Contains(old, "first") || !strings.Contains(old, "second") || strings.Contains(old, "third") || !strings.Contains(now, "third") ||
		!files[0].closed || !files[1].closed {
		t.Errorf("the old file:\n%s\nthe new one:\n%s", old, now)
	}
	if strings.Contains(old, "secret") || strings.Count(old, "http://u:xxxxx@h") != 3 {
		t.Errorf("the log: %s", old)
	}
}
