package cli

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestWhatSignalsDo(t *testing.T) {
	hup, term, interrupt := os.Signal(syscall.SIGHUP), os.Signal(syscall.SIGTERM), os.Interrupt
	for _, c := range []struct {
		name    string
		serving bool
		signals []os.Signal
		ended   bool
		said    bool
		exit    int
		reloads int
	}{
		{"nothing", false, nil, false, false, 0, 0},
		{"an interrupt", false, []os.Signal{interrupt}, true, false, 0, 0},
		{"a hangup", false, []os.Signal{hup}, true, false, 0, 0},
		{"hangups of shell and system", false, []os.Signal{hup, hup, hup}, true, false, 0, 0},
		{"impatience", false, []os.Signal{interrupt, interrupt}, true, true, 0, 0},
		{"a hangup while ending", false, []os.Signal{term, hup, hup}, true, false, 0, 0},
		{"no patience left", false, []os.Signal{interrupt, interrupt, interrupt}, true, true, 130, 0},
		{"terminated three times", false, []os.Signal{term, term, term}, true, true, 143, 0},
		{"a server hung up", true, []os.Signal{hup}, false, false, 0, 1},
		{"a server hung up in a row", true, []os.Signal{hup, hup, hup}, false, false, 0, 1},
		{"a server told to end", true, []os.Signal{hup, term}, true, false, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said bytes.Buffer
			exit := 0
			ended := false
			s := &signals{end: func() { ended = true }, say: &said, exit: func(status int) { exit = status }, hangups: make(chan struct{}, 1)}
			s.serving.Store(c.serving)
			for _, sig := range c.signals {
				s.take(sig)
			}
			if ended != c.ended || exit != c.exit || strings.Contains(said.String(), "waits until") != c.said || len(s.hangups) != c.reloads {
				t.Errorf("ended %v, exit %d, said %q, %d reloads", ended, exit, said.String(), len(s.hangups))
			}
		})
	}
}
