package secrets_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/secrets"
)

func workspace(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://www.x.com.cn/"}
	must(t, store.Create(dir, set))
	return dir
}

// with opens a workspace and its cookies, and closes both.
func with(t *testing.T, dir string, now time.Time, do func(*secrets.CookieJar)) {
	t.Helper()
	ws, err := store.Open(dir)
	must(t, err)
	j, err := secrets.OpenCookieJar(ws, !store.ReadOnly(ws), func() time.Time { return now })
	must(t, err)
	do(j)
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if err := ws.Close(); err != nil {
		t.Error(err)
	}
}

func at(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u
}

func sent(j *secrets.CookieJar, address string) string {
	var out []string
	for _, c := range j.Cookies(at(address)) {
		out = append(out, c.Name+"="+c.Value)
	}
	return strings.Join(out, " ")
}

func set(j *secrets.CookieJar, address string, lines ...string) {
	h := http.Header{}
	for _, l := range lines {
		h.Add("Set-Cookie", l)
	}
	j.SetCookies(at(address), (&http.Response{Header: h}).Cookies())
}

func TestCookiesOutliveARestart(t *testing.T) {
	dir, now := workspace(t), time.Now()
	with(t, dir, now, func(j *secrets.CookieJar) {
		set(j, "http://www.x.com.cn/a/b", "host=1", "site=2; Domain=x.com.cn; Path=/", "deep=3; Path=/a/", "soon=4; Max-Age=3600", "gone=5; Max-Age=3600", "secret=6; Secure")
		set(j, "http://www.x.com.cn/a/b", "gone=; Max-Age=0")
		must(t, j.LoggedIn("www.x.com.cn", "what"))
	})
	b, err := os.ReadFile(store.DatabasePath(dir))
	if err != nil || bytes.Contains(b, []byte("soon")) || bytes.Contains(b, []byte("\"site\"")) {
		t.Errorf("the database tells of cookies, %v", err)
	}
	with(t, dir, now, func(j *secrets.CookieJar) {
		for address, want := range map[string]string{
			"http://www.x.com.cn/a/c":  "host=1 deep=3 soon=4 site=2",
			"http://www.x.com.cn/":     "site=2",
			"https://www.x.com.cn/a/":  "host=1 deep=3 soon=4 secret=6 site=2",
			"http://other.x.com.cn/a/": "site=2",
			"http://y.com.cn/a/":       "",
		} {
			got := strings.Fields(sent(j, address))
			for _, c := range strings.Fields(want) {
				if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+c+" ") {
					t.Errorf("%s: %v, %s is missing", address, got, c)
				}
			}
			if len(got) != len(strings.Fields(want)) {
				t.Errorf("%s: %v, want %s", address, got, want)
			}
		}
		if what, _ := j.Login("www.x.com.cn"); what != "what" {
			t.Errorf("the login is %q", what)
		}
	})
	with(t, dir, now.Add(8*24*time.Hour), func(j *secrets.CookieJar) {
		if got := sent(j, "https://www.x.com.cn/a/b"); got != "" {
			t.Errorf("%s after a week", got)
		}
		if what, _ := j.Login("www.x.com.cn"); what != "" {
			t.Error("a login without cookies stands")
		}
	})
	// Without the key they are unreadable and are deleted.
	must(t, os.Remove(filepath.Join(dir, secrets.CookieKeyFile)))
	with(t, dir, now, func(j *secrets.CookieJar) {
		if got := sent(j, "https://www.x.com.cn/a/b"); got != "" {
			t.Errorf("%s without a key", got)
		}
	})
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	if problems, err := store.CheckQuickly(ws); err != nil || len(problems) > 0 {
		t.Errorf("%+v, %v", problems, err)
	}
}

// Cookies that a host may not set are refused, and no host fills the memory.
func TestCookiesAreBounded(t *testing.T) {
	with(t, workspace(t), time.Now(), func(j *secrets.CookieJar) {
		set(j, "http://www.x.com.cn/", "a=1; Domain=com.cn", "b=1; Domain=y.com.cn", "c="+strings.Repeat("x", 5000), "d=1; Domain=sub.www.x.com.cn")
		for _, address := range []string{"http://www.x.com.cn/", "http://y.com.cn/", "http://z.com.cn/", "http://sub.www.x.com.cn/"} {
			if got := sent(j, address); got != "" {
				t.Errorf("%s gets %s", address, got)
			}
		}
		for i := range 100 {
			set(j, "http://many.cn/", fmt.Sprintf("n%d=1", i))
		}
		if n := len(j.Cookies(at("http://many.cn/"))); n != secrets.MaxCookies {
			t.Errorf("%d cookies of one host", n)
		}
		big := strings.Repeat("x", 4000)
		for h := range 120 {
			for i := range secrets.MaxCookies {
				set(j, fmt.Sprintf("http://h%d.cn/", h), fmt.Sprintf("n%d=%s", i, big))
			}
		}
		total := 0
		for h := range 120 {
			for _, c := range j.Cookies(at(fmt.Sprintf("http://h%d.cn/", h))) {
				total += len(c.Name) + len(c.Value)
			}
		}
		if total > secrets.MaxCookieBytes || total < secrets.MaxCookieBytes/2 {
			t.Errorf("%d bytes of all", total)
		}
		j.Forget("h119.cn")
		if got := sent(j, "http://h119.cn/"); got != "" {
			t.Error("what was forgotten is sent")
		}
	})
}

// A key that others can read is refused with a remedy.
func TestAKeyThatOthersCanRead(t *testing.T) {
	dir := workspace(t)
	with(t, dir, time.Now(), func(j *secrets.CookieJar) { set(j, "http://www.x.com.cn/", "a=1") })
	must(t, os.Chmod(filepath.Join(dir, secrets.CookieKeyFile), 0o644))
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	j, err := secrets.OpenCookieJar(ws, !store.ReadOnly(ws), time.Now)
	if err == nil || !strings.Contains(err.Error(), "chmod 600") || sent(j, "http://www.x.com.cn/") != "" {
		t.Errorf("%v", err)
	}
}

const exported = "# Netscape HTTP Cookie File\n" +
	".x.cn\tTRUE\t/\tFALSE\t0\tsite\tone\n" +
	"#HttpOnly_www.x.cn\tFALSE\t/a\tTRUE\t4102444800\tsession\ttwo\r\n" +
	"www.y.cn\tFALSE\t/\tFALSE\t0\tother\tthree\n" +
	"www.x.cn\tFALSE\t/\tFALSE\t1000\told\tfour\n" +
	"www.x.cn FALSE / FALSE 0 spaced five\n"

func TestNetscape(t *testing.T) {
	now := time.Now()
	got := secrets.ReadNetscapeCookies([]byte(exported), "www.x.cn:8080", now)
	if len(got.Cookies) != 3 || got.Others != 1 || got.Expired != 1 || got.Bad != 0 {
		t.Fatalf("%+v", got)
	}
	if c := got.Cookies[1]; c.Name != "session" || !c.HttpOnly || !c.Secure || c.Path != "/a" || c.Domain != "" {
		t.Errorf("%+v", c)
	}
	if c := got.Cookies[0]; c.Domain != "x.cn" || !c.Expires.IsZero() {
		t.Errorf("%+v", c)
	}
	for name, line := range map[string]string{
		"too few fields":   "www.x.cn\tFALSE\t/\n",
		"no switch":        "www.x.cn\tmaybe\t/\tFALSE\t0\ta\tb\n",
		"no time":          "www.x.cn\tFALSE\t/\tFALSE\tNaN\ta\tb\n",
		"an endless time":  "www.x.cn\tFALSE\t/\tFALSE\t1e300\ta\tb\n",
		"a header":         "www.x.cn\tFALSE\t/\tFALSE\t0\ta b\tc\n",
		"control in value": "www.x.cn\tFALSE\t/\tFALSE\t0\ta\tgeheim\x01\n",
		"no path":          "www.x.cn\tFALSE\ta\tFALSE\t0\ta\tgeheim\n",
		"a public suffix":  ".cn\tTRUE\t/\tFALSE\t0\ta\tgeheim\n",
		"long":             "www.x.cn\tFALSE\t/\tFALSE\t0\ta\t" + strings.Repeat("x", 20<<10) + "\n",
	} {
		got := secrets.ReadNetscapeCookies([]byte(line), "www.x.cn", now)
		if got.Bad != 1 || len(got.Cookies) != 0 || strings.Contains(fmt.Sprint(got.Problems), "geheim") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := secrets.ReadNetscapeCookies([]byte(".x\x80.cn\tTRUE\t/\tFALSE\t0\ta\tb\n"), "www.x\x80.cn", now); got.Bad != 1 || len(got.Cookies) != 0 {
		t.Errorf("a host that no cookie can name: %+v", got)
	}
	with(t, workspace(t), now, func(j *secrets.CookieJar) {
		set(j, "http://www.x.cn/", "spaced=newer")
		j.Take("www.x.cn", got.Cookies, now.Add(-time.Hour))
		if got := sent(j, "http://www.x.cn/"); !strings.Contains(got, "site=one") || !strings.Contains(got, "spaced=newer") {
			t.Errorf("%s: what a host has set since the file was written must stay", got)
		}
	})
}

// Cookies read from any file fit the host and a header.
func FuzzNetscape(f *testing.F) {
	f.Add([]byte(exported), "www.x.cn")
	f.Add([]byte("\xef\xbb\xbf.com.cn\tTRUE\t/\tFALSE\t0\ta\tb"), "x.com.cn")
	f.Fuzz(func(t *testing.T, file []byte, host string) {
		got := secrets.ReadNetscapeCookies(file, host, time.Unix(1e9, 0))
		for _, c := range got.Cookies {
			if err := c.Valid(); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			name := strings.ToLower((&url.URL{Host: host}).Hostname())
			if c.Domain != "" && name != c.Domain && !strings.HasSuffix(name, "."+c.Domain) {
				t.Fatalf("%q is not a domain of %q", c.Domain, host)
			}
		}
		if len(got.Cookies) > secrets.MaxCookies {
			t.Fatal("too many")
		}
	})
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
