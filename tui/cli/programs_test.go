package cli

import (
	"strings"
	"testing"

	"angler/store"
	"angler/store/config"
)

func TestTokenCommands(t *testing.T) {
	dir := t.TempDir() + "/ws"
	set := config.Default()
	set.Seeds = []string{"http://www.a.test/"}
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	token, _, err := call(t, "token", "add", dir, "calendar")
	if err != nil || !strings.HasPrefix(token, "angler_") {
		t.Fatal(token, err)
	}
	for _, args := range [][]string{{"--role", "admin", "x"}, {"--role", "root", "x"}, {"a/b"}, {"calendar"}} {
		if out, _, err := call(t, append([]string{"token", "add", dir}, args...)...); err == nil || out != "" {
			t.Errorf("%q makes the token %q", args, out)
		}
	}
	out, _, err := call(t, "token", "list", dir)
	if err != nil || !strings.Contains(out, "calendar") || strings.Contains(out, strings.TrimSpace(token)) {
		t.Error(out, err)
	}
	if _, _, err := call(t, "token", "remove", dir, "calendar"); err != nil {
		t.Error(err)
	}
	if _, _, err := call(t, "token", "remove", dir, "calendar"); err == nil {
		t.Error("a token is removed twice")
	}
}

// Tokens do not cross a network in plain text unless a person says so.
func TestHTTPFlags(t *testing.T) {
	for _, c := range []struct {
		f    httpFlags
		says string
	}{
		{httpFlags{}, ""},
		{httpFlags{address: "127.0.0.1:0"}, ""},
		{httpFlags{address: ":0", insecure: true}, ""},
		{httpFlags{address: ":0"}, "--http-insecure"},
		{httpFlags{address: "10.0.0.1:80"}, "--http-insecure"},
		{httpFlags{insecure: true}, "go with --http"},
		{httpFlags{address: ":0", cert: "a.pem"}, "go together"},
		{httpFlags{address: ":0", cert: "/none.pem", key: "/none.key"}, "--http-cert"},
	} {
		_, err := c.f.check()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.f, err)
		}
	}
}
