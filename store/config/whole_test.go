package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A damaged angler.toml is refused with a remedy, and never read as defaults.
func TestSettingsFileDamaged(t *testing.T) {
	whole := func() string {
		path := filepath.Join(t.TempDir(), Name)
		set := Default()
		must(t, set.Write(path))
		b, err := os.ReadFile(path)
		must(t, err)
		return string(b)
	}()
	for name, c := range map[string]struct{ text, says string }{
		"empty":                   {"", "is empty; restore the file from a copy"},
		"white space":             {" \n\t\r\n", "is empty; restore the file from a copy"},
		"zeros":                   {strings.Repeat("\x00", 100), "line 1 holds a zero byte"},
		"zeros at the end":        {"name = \"x\"\n\x00\x00", "line 2 holds a zero byte"},
		"cut in a text":           {whole[:strings.Index(whole, "user_agent")+20], "restore the file from a copy"},
		"cut in a list":           {"name = \"x\"\nseeds = [\n  \"http://a.test/\",\n", "restore the file from a copy"},
		"cut in a comment":        {whole[:strings.Index(whole, "# regular")+5], "the last line has no end and [crawl] is missing"},
		"cut in a number":         {whole[:strings.Index(whole, "workers = 16")+11], "the last line has no end and [harvest] is missing"},
		"cut in a key":            {"name = \"x\"\n[crawl]\ndel", "restore the file from a copy"},
		"a mistake elsewhere":     {"name = \nseeds = []\n", "line 1"},
		"a delay without unit":    {"[crawl]\ndelay = 0.001\n", `crawl.delay = 0.001 has no unit; write "1ms" or "1s"`},
		"a whole number":          {"[crawl]\ntimeout = 20\n", `crawl.timeout = 20 has no unit; write "20s" or "20ms"`},
		"less than a nanosecond":  {"[crawl]\ndelay = 1e-12\n", `has no unit; write "500ms", "1s" or "2m"`},
		"negative without unit":   {"[crawl]\ndelay = -1\n", "has no unit"},
		"in another table":        {"[revisit]\nother_min = 6\n", "revisit.other_min = 6 has no unit"},
		"dotted":                  {"crawl.delay = 2\n", "crawl.delay = 2 has no unit"},
		"inline table":            {"crawl = { delay = 2.5 }\n", `crawl.delay = 2.5 has no unit; write "2.5s" or "2.5ms"`},
		"ip_delay without unit":   {"[crawl]\nip_delay = 0.25\n", "crawl.ip_delay = 0.25 has no unit"},
		"ip_delay that is none":   {"[crawl]\nip_delay = \"soon\"\n", "crawl.ip_delay"},
		"fewer than no host_urls": {"[crawl]\nhost_urls = -1\n", "crawl.host_urls: -1 is less than 0"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), Name)
			_, err := parse(path, []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), Name) {
				t.Errorf("%v, want the file's name and %q", err, c.says)
			}
			if name == "a mistake elsewhere" && strings.Contains(err.Error(), "cut short") {
				t.Errorf("%v: nothing was cut", err)
			}
		})
	}
	for text, want := range map[string]time.Duration{
		"[crawl]\ndelay = 0\n": 0, "[crawl]\ndelay = \"0\"\n": 0, "[crawl]\ndelay = \"1ms\"\n": time.Millisecond, "[crawl]\ndelay = \"2\"\n": 2 * time.Second, strings.TrimRight(whole, "\n"): time.Second, whole: time.Second,
	} {
		set, err := parse(Name, []byte(text))
		if err != nil || time.Duration(set.Crawl.Delay) != want {
			t.Errorf("%.40q: delay %v, %v; want %v", text, time.Duration(set.Crawl.Delay), err, want)
		}
	}
}
