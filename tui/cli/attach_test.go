package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

func TestAttachArgs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a workspace")
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, store.Create(dir, set))
	if _, err := attachArgs([]string{dir}, ""); err == nil || !strings.Contains(err.Error(), "angler serve") {
		t.Errorf("a workspace that is not served: %v", err)
	}
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	w.Announce("[::]:2345")
	const send = "-x -a -o ServerAliveInterval=15 -o ServerAliveCountMax=3 -o SendEnv=COLORTERM NO_COLOR COLORFGBG LANG LC_* "
	cases := []struct {
		name string
		args []string
		key  string
		want string // "" is an error
	}{
		{"a host", []string{"crawl.example.org"}, "", "-p 2222 " + send + "-t -- crawl.example.org"},
		{"a user and a port", []string{"wang@crawl.example.org:22"}, "", "-p 22 " + send + "-t -- wang@crawl.example.org"},
		{"IPv6", []string{"[2001:db8::1]:2222"}, "k", "-p 2222 " + send + "-i k -t -- 2001:db8::1"},
		{"a command", []string{"h", "status", "--json"}, "", "-p 2222 " + send + "-- h status --json"},
		{"a folder", []string{dir}, "", "-p 2345 " + send + "-o HostKeyAlias=angler -o UserKnownHostsFile=\"" + secrets.KnownHostsPath(dir) + "\" -o StrictHostKeyChecking=yes -t -- 127.0.0.1"},
		{"a folder that is none", []string{"./nowhere"}, "", ""},
		{"an option in the place of the host", []string{"-oProxyCommand=id"}, "", ""},
		{"an option in the place of the port", []string{"h:-oProxyCommand=id"}, "", ""},
		{"an option behind the user", []string{"@-oProxyCommand=id"}, "", ""},
		{"nothing", []string{""}, "", ""},
	}
	for _, c := range cases {
		got, err := attachArgs(c.args, c.key)
		if strings.Join(got, " ") != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// attach ends with the status of ssh, and prints a message only if the server cannot have printed
// one.
func TestAttachEnds(t *testing.T) {
	gone := errors.New("not found")
	cases := []struct {
		name   string
		ssh    int
		err    error
		told   bool
		status int
		says   string // "" = nothing
	}{
		{"left", 0, nil, false, 0, ""},
		{"the server said no", 1, nil, false, 1, ""},
		{"a command that it does not know", 2, nil, false, 2, ""},
		{"no connection", 255, nil, false, 255, "check that angler serve runs there"},
		{"interrupted", 255, nil, true, 255, ""},
		{"killed", -1, nil, false, 1, "a signal ended ssh"},
		{"no ssh", 0, gone, false, 1, "install the OpenSSH client"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			given := 0
			p := program{terminal: func() func() { return func() { given++ } }, exec: func(context.Context, string, []string, io.Writer) (int, error) {
				if c.told {
					cancel()
				}
				return c.ssh, c.err
			}}
			root := p.rootCommand()
			var says bytes.Buffer
			if got := status(&says, execute(ctx, root, []string{"attach", "crawl.example.org"})); got != c.status {
				t.Errorf("status %d, want %d", got, c.status)
			}
			if want := c.ssh != 0; (given == 1) != want || given > 1 {
				t.Errorf("the terminal was given back %d times", given)
			}
			if got := says.String(); !strings.Contains(got, c.says) || (got == "") != (c.says == "") || strings.Count(got, "\n") > 1 {
				t.Errorf("says %q, want %q", got, c.says)
			}
		})
	}
}
