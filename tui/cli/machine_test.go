package cli

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"angler/store/config"
	"angler/tui/widget"
)

func healthy(t *testing.T, env map[string]string) *machine {
	t.Helper()
	null, err := os.Open(os.DevNull)
	must(t, err)
	t.Cleanup(func() { null.Close() })
	return &machine{
		getenv: func(name string) string { return env[name] }, in: null, out: null, dir: t.TempDir(),
		now: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		lookup: func(_ context.Context, host string) ([]string, error) {
			if host == "gone.cn" {
				return nil, errors.New("no such host")
			}
			return []string{"192.0.2.1"}, nil
		},
	}
}

func said(t *testing.T, m *machine, set *config.Settings, name string) finding {
	t.Helper()
	for _, f := range m.findings(t.Context(), set) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("nothing is said of %s", name)
	return finding{}
}

// Each fault is found, with a remedy.
func TestMachine(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	listening := l.Addr().String()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	nobody := closed.Addr().String()
	closed.Close()
	defer l.Close()
	for _, c := range []struct {
		name  string
		env   map[string]string
		set   func(*config.Settings)
		clock time.Time
		ok    bool
		says  string
	}{
		{name: "locale", env: map[string]string{"LANG": "zh_CN.UTF-8"}, ok: true, says: "LANG=zh_CN.UTF-8"},
		{name: "locale", env: map[string]string{"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, says: "LC_ALL=C is no UTF-8"},
		{name: "locale", ok: true, says: "LANG is not set"},
		{name: "locale", env: map[string]string{"LC_CTYPE": "C.utf8"}, ok: true, says: "LC_CTYPE=C.utf8"},
		{name: "locale", env: map[string]string{"LANG": "zh_CN.GBK"}, says: "borders are ASCII"},
		{name: "colours", env: map[string]string{"NO_COLOR": "1"}, ok: true, says: "NO_COLOR"},
		{name: "terminal", ok: true, says: "standard output is none"},
		{name: "cells", ok: true, says: "only a terminal tells"},
		{name: "ssh", env: map[string]string{"SSH_CONNECTION": "192.0.2.7 1 2 3"}, ok: true, says: "comes from 192.0.2.7"},
		{name: "clock", ok: true, says: "2027-01-01"},
		{name: "clock", clock: time.Unix(0, 0).UTC(), says: "1970-01-01 00:00:00 UTC is before this program was made"},
		{name: "resolver", ok: true, says: "none of 0 seeds has a public host name"},
		{name: "resolver", set: func(s *config.Settings) { s.Seeds = []string{"http://a.cn/", "http://b.test/", "http://127.0.0.1:8/"} }, ok: true, says: "resolves 1 seed host"},
		{name: "resolver", set: func(s *config.Settings) { s.Seeds = []string{"http://a.cn/", "http://gone.cn:8080/"} }, says: "gone.cn has no address: no such host"},
		{name: "resolver", set: func(s *config.Settings) { s.Seeds, s.Crawl.Proxy = []string{"http://gone.cn/"}, "http://"+listening }, ok: true, says: "the proxy asks"},
		{name: "proxy", ok: true, says: "none"},
		{name: "proxy", env: map[string]string{"HTTPS_PROXY": "http://x"}, ok: true, says: "of the environment are not used"},
		{name: "proxy", set: func(s *config.Settings) { s.Crawl.Proxy = "socks5://u:secret@" + listening }, ok: true, says: "xxxxx@" + listening + " answers"},
		{name: "proxy", set: func(s *config.Settings) { s.Crawl.Proxy = "http://u:secret@" + nobody }, says: "cannot be reached"},
	} {
		m, set := healthy(t, c.env), config.Default()
		if c.set != nil {
			c.set(&set)
		}
		if !c.clock.IsZero() {
			m.now = c.clock
		}
		if f := said(t, m, &set, c.name); f.OK != c.ok || !strings.Contains(f.Says, c.says) || strings.Contains(f.Says, "secret") {
			t.Errorf("%s: %v %q, want %v %q", c.name, f.OK, f.Says, c.ok, c.says)
		} else if theme, err := widget.Pick("auto", false, m.getenv); c.name == "locale" && (err != nil || theme.ASCII() == f.OK) {
			t.Errorf("%v: doctor says %q, the workbench's borders are ASCII: %v, %v", c.env, f.Says, theme.ASCII(), err)
		}
	}
}

// A terminal is queried for its widths; a silent one is left alone.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		answers string
		ok      bool
		says    string
	}{
		{"\x1b[5;3R\x1b[5;2R\x1b[5;2R", true, "Chinese takes two"},
		{"\x1b[5;3R\x1b[5;3R\x1b[5;3R", false, "a line of borders takes 2 cells and should take 1: set ambiguous characters to narrow"},
		{"\x1b[5;2R\x1b[5;2R\x1b[5;2R", false, "a Chinese character takes 1 cells and should take 2"},
		{"", true, "does not say where its cursor is"},
	} {
		if f := askCells(strings.NewReader(c.answers), io.Discard); f.OK != c.ok || !strings.Contains(f.Says, c.says) {
			t.Errorf("%q: %+v", c.answers, f)
		}
	}
}
