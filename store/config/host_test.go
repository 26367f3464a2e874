package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const hostTables = `name = "x"
[crawl]
delay = "1s"

# the office
[host."www.x.cn"] # why
delay = "5s" # asked for
headers = ["X-Token: abc", "X-Other: env:TOKEN"]

[host.'y.cn:8080']
user = "alice"
password_env = "Y_PASSWORD"

[harvest]
pages = 20
`

func TestHostSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	s, err := parse(path, []byte(hostTables))
	must(t, err)
	h := s.Host["www.x.cn"]
	if h.Delay == nil || time.Duration(*h.Delay) != 5*time.Second || !slices.Equal(h.Has(), []string{"delay", "headers"}) || h.Logs() {
		t.Errorf("%+v has %v", h, h.Has())
	}
	if y := s.Host["y.cn:8080"]; y.User != "alice" || !y.Logs() {
		t.Errorf("%+v", y)
	}
	c := s.Clone()
	*c.Host["www.x.cn"].Delay, c.Host["www.x.cn"].Headers[0] = 0, "changed"
	if time.Duration(*h.Delay) != 5*time.Second || h.Headers[0] != "X-Token: abc" {
		t.Error("a clone shares a host")
	}
	table := func(lines ...string) string { return "[host.\"www.x.cn\"]\n" + strings.Join(lines, "\n") + "\n" }
	for name, c := range map[string]struct{ text, says string }{
		"an address":             {"[host.\"http://x.cn/\"]\n", "is no host: write it as in addresses"},
		"the usual port":         {"[host.\"x.cn:80\"]\n", "names the usual port: write x.cn"},
		"in capitals":            {"[host.\"X.cn\"]\n", "is written x.cn in addresses"},
		"in its own letters":     {"[host.\"例子.cn\"]\n", "is written xn--fsqu00a.cn in addresses"},
		"a misspelt key":         {table(`dely = "1s"`), "unknown key host.www.x.cn.dely"},
		"a delay without a unit": {table(`delay = 2`), `host."www.x.cn".delay = 2 has no unit; write "2s"`},
		"a long delay":           {table(`delay = "48h"`), `"www.x.cn": delay: outside of 0 … 24h`},
		"too many at once":       {table(`per_host = 65`), "per_host: 65 is outside 1 … 64"},
		"a header that is none":  {table(`headers = ["X Token: 1"]`), "headers: number 1 is none"},
		"a header over lines":    {table(`headers = ["X: 1\r\nY: 2"]`), "holds a control character"},
		"a cookie as a header":   {table(`headers = ["cookie: a=b"]`), `write cookies = "FILE"`},
		"a header of ours":       {table(`headers = ["Content-Length: 1"]`), "Content-Length is set by the program itself"},
		"a proxy":                {table(`proxy = "ftp://x"`), "proxy: write it as http://HOST:PORT"},
		"a fingerprint":          {table(`certificate = "abc"`), "it is no SHA-256 of a certificate"},
		"a password in the env":  {table(`user = "a"`, `password_env = "my secret"`), "not the password itself"},
		"two passwords":          {table(`user = "a"`, `password_env = "A"`, `password_file = "b"`), "one of password_file, password_env"},
		"a user alone":           {table(`user = "a"`), "password_file: is missing, and there is a user"},
		"a password alone":       {table(`password_env = "A"`), "user: is missing, and there is a password"},
		"a login without one":    {table(`login_page = "http://x.cn/"`), "is missing, and there is a login_page"},
		"a login page":           {table(`login_page = "login"`, `password_env = "A"`), "login_page: it is no http address"},
		"fields without a page":  {table(`login_fields = ["a = b"]`), "login_page: is missing"},
		"a field that is none":   {table(`login_page = "http://x.cn/"`, `password_env = "A"`, `login_fields = ["alice"]`), "number 1 is none"},
		"rendering":              {table(`render = "maybe"`), `render: "maybe" is none of never, always`},
		"a tag":                  {table(`worker = "a/b"`), "worker: a letter or digit"},
	} {
		if _, err := parse(path, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), Name) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := parse(path, []byte(table(`certificate = "SHA256:`+strings.Repeat("AB:", 31)+`AB"`))); err != nil {
		t.Error(err)
	}
}

// Rows change a host's settings and keep the rest of the file.
func TestHostSettingsChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	must(t, os.WriteFile(path, []byte(hostTables), 0o600))
	now, err := Read(filepath.Dir(path))
	must(t, err)
	change := func(key, value string) {
		t.Helper()
		to, err := now.With(key, value)
		must(t, err)
		if now, err = now.Edit(path, &to); err != nil {
			t.Fatal(err)
		}
	}
	change(HostKey("www.x.cn", "delay"), "7s")
	change(HostKey("www.x.cn", "per_host"), "2")
	change(HostKey("www.x.cn", "headers"), `["A: 1"]`)
	change(HostKey("y.cn:8080", "user"), "bob")
	change(HostsKey, `["www.x.cn", "y.cn:8080", "z.cn"]`)
	change(HostKey("z.cn", "delay"), "0")
	b, _ := os.ReadFile(path)
	for _, want := range []string{"# the office\n[host.\"www.x.cn\"] # why\ndelay = '7s' # asked for\n", "per_host = 2\n", "'A: 1'", "[host.'y.cn:8080']\nuser = 'bob'\n", "[host.\"z.cn\"]\ndelay = '0s'", "[harvest]\npages = 20\n"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%q is missing in\n%s", want, b)
		}
	}
	if z := now.Host["z.cn"]; z.Delay == nil || *z.Delay != 0 {
		t.Errorf("%+v: no delay at all is a delay of its own", z)
	}
	change(HostKey("www.x.cn", "delay"), "")
	change(HostsKey, `["www.x.cn"]`)
	b, _ = os.ReadFile(path)
	if len(now.Host) != 1 || now.Host["www.x.cn"].Delay != nil || strings.Contains(string(b), "y.cn") || !strings.Contains(string(b), "[harvest]") {
		t.Errorf("%+v in\n%s", now.Host, b)
	}
	if _, err := now.With(HostKey("www.x.cn", "delay"), "soon"); err == nil {
		t.Error("any text is a delay")
	}
	if _, err := now.With(HostKey("www.x.cn", "nothing"), "1"); err == nil || !strings.Contains(err.Error(), "no setting is called") {
		t.Error(err)
	}
	if _, err := now.With(HostsKey, `["http://x"]`); err == nil {
		t.Error("any text is a host")
	}
}

// Redacted settings contain no header and no login field.
func TestRedactHosts(t *testing.T) {
	doc := hostTables + "\n[host.\"z.cn\"]\nlogin_page = \"http://z.cn/\"\npassword_env = \"Z\"\nlogin_fields = [\"form:pin = 1234\"]\n"
	out := string(Redact([]byte(doc)))
	if strings.Contains(out, "abc") || strings.Contains(out, "1234") || !strings.Contains(out, "X-Token: xxxxx") || !strings.Contains(out, "X-Other: env:TOKEN") || !strings.Contains(out, "form:pin = xxxxx") {
		t.Error(out)
	}
	if s, err := parse(Name, []byte(out)); err != nil || HoldsSecrets(&s) {
		t.Errorf("%v, and secrets are seen in\n%s", err, out)
	}
	if got := string(Redact([]byte("[[["))); got != "[[[" {
		t.Error(got)
	}
}

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
