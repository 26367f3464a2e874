package command

import (
	"path/filepath"
	"strings"
	"testing"

	"angler/store"
)

func TestAttachArgs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a workspace")
	set := store.DefaultSettings()
	set.Seeds = []string{"http://a.test/"}
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	if _, err := attachArgs([]string{dir}, ""); err == nil || !strings.Contains(err.Error(), "angler serve") {
		t.Errorf("a workspace that nobody serves: %v", err)
	}
	w, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Announce("[::]:2345")
	const send = "-x -a -o SendEnv=COLORTERM NO_COLOR COLORFGBG LANG LC_* "
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
		{"a folder", []string{dir}, "", "-p 2345 " + send + "-o HostKeyAlias=angler -o UserKnownHostsFile=\"" + store.KnownHosts(dir) + "\" -o StrictHostKeyChecking=yes -t -- 127.0.0.1"},
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
