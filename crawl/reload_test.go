package crawl

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"angler/crawl/auth"
	"angler/store"
	"angler/store/config"
)

// edited opens an engine on a new workspace and returns a function that edits its
// settings as a person does by hand.
func edited(t *testing.T, opt Options) (*Engine, func(was, is string)) {
	t.Helper()
	dir := t.TempDir()
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, store.Create(dir, set))
	e, err := Open(t.Context(), dir, opt)
	must(t, err)
	t.Cleanup(func() { e.Close() })
	return e, func(was, is string) {
		t.Helper()
		toml := filepath.Join(dir, "angler.toml")
		b, err := os.ReadFile(toml)
		if err != nil || !strings.Contains(string(b), was) {
			t.Fatalf("no %q in %s, %v", was, b, err)
		}
		must(t, os.WriteFile(toml, []byte(strings.Replace(string(b), was, is, 1)), 0o600))
	}
}

// lastEvent is the newest line of the event pane.
func lastEvent(e *Engine) string {
	tail := e.events.Tail()
	if len(tail) == 0 {
		return ""
	}
	return tail[len(tail)-1].Text.String()
}

func TestReload(t *testing.T) {
	e, edit := edited(t, Options{Override: func(s *config.Settings) { s.Crawl.Workers = 3 }})
	reload := func(keys, event string) {
		t.Helper()
		got, err := e.Reload()
		if err != nil || strings.Join(got, " ") != keys || !strings.Contains(lastEvent(e), event) {
			t.Errorf("reloaded %q, %v, and said %q; want %q and %q", got, err, lastEvent(e), keys, event)
		}
	}
	reload("", "nothing has changed")
	edit("delay = '1s'", "delay = '3s'")
	reload("crawl.delay", "crawl.delay = 3s")
	if s := e.Snapshot(); s.Delay != 3*time.Second || e.Set().Crawl.Workers != 3 {
		t.Errorf("delay %v, %d workers", s.Delay, e.Set().Crawl.Workers)
	}
	reload("", "nothing has changed")

	// What is broken changes nothing, also not what was right beside it.
	edit("depth = 5", "depth = 2000")
	edit("delay = '3s'", "delay = '4s'")
	if _, err := e.Reload(); err == nil || !strings.Contains(err.Error(), "crawl.depth") || !strings.Contains(lastEvent(e), "stay as they were") {
		t.Errorf("a broken file: %v, %q", err, lastEvent(e))
	}
	if s := e.Snapshot(); s.Delay != 3*time.Second || s.Depth != 5 {
		t.Errorf("delay %v, depth %d", s.Delay, s.Depth)
	}
	edit("depth = 2000", "depth = 7")
	reload("crawl.depth crawl.delay", "crawl.depth = 7, crawl.delay = 4s")

	// What was changed in the workbench is no news; what was edited beside it is.
	edit("retries = 3", "retries = 4")
	must(t, e.Settings.SetDelay(6*time.Second))
	reload("crawl.retries", "crawl.retries = 4")
	edit("timeout = '20s'", "timeout = '21s'")
	reload("crawl.timeout", "counts from the next start")

	// A line of the file counts against a flag when it changes, not before.
	edit("workers = 16", "workers = 8")
	reload("crawl.workers", "crawl.workers = 8")
	if e.Set().Crawl.Workers != 8 || e.Snapshot().Delay != 6*time.Second {
		t.Errorf("%d workers, delay %v", e.Set().Crawl.Workers, e.Snapshot().Delay)
	}

	edit("'http://a.test/'", "'http://a.test/', 'b.test'")
	reload("seeds", "seeds = ")
	if got := strings.Join(e.Set().Seeds, " "); got != "http://a.test/ http://b.test/" {
		t.Errorf("seeds %q", got)
	}
	reload("", "nothing has changed")
}

// What hides a secret comes back whole to the person who has changed it, from what was
// shown, and to no other person; a host that comes back to the list of hosts has its settings.
func TestHiddenValuesComeBack(t *testing.T) {
	e, _ := edited(t, Options{})
	shown := func(key string) string {
		for _, row := range e.Settings.SettingRows() {
			if row.Key == key {
				return row.Value
			}
		}
		return ""
	}
	set := func(key, value string) {
		t.Helper()
		if _, err := e.Settings.ChangeSetting(key, value); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	set("host", `["a.test"]`)
	headers := config.HostKey("a.test", "headers")
	proxy := config.HostKey("a.test", "proxy")
	changes := [][3]string{
		{"crawl.proxy", "http://wang:hunter2@proxy:1", "http://other:1"},
		{proxy, "http://li:hunter3@proxy:2", ""},
		{headers, `["X-Token: hunter4", "B: 2"]`, `["B: 2"]`},
		{"host", `["a.test"]`, `[]`},
	}
	for _, c := range changes {
		set(c[0], c[1])
	}
	want := *e.Set()
	for _, c := range changes {
		was := shown(c[0])
		if strings.Contains(was, "hunter") {
			t.Errorf("%s is shown as %s", c[0], was)
		}
		set(c[0], c[2])
		if err := e.As(auth.Actor{Name: "wang", Role: auth.Owner}).Settings.CheckSetting(c[0], was); (err == nil) != (c[0] == "host") {
			t.Errorf("%s: another person may write %s: %v", c[0], was, err)
		}
		set(c[0], was)
		if got := e.Set(); got.Crawl.Proxy != want.Crawl.Proxy || !reflect.DeepEqual(got.Host, want.Host) {
			t.Errorf("%s came back as %q, %+v; want %q, %+v", c[0], got.Crawl.Proxy, got.Host, want.Crawl.Proxy, want.Host)
		}
	}
}

// TestProxyPassword: the settings screen shows no password, and what is confirmed
// there without a change keeps it.
func TestProxyPassword(t *testing.T) {
	e, _ := edited(t, Options{})
	const proxy = "http://wang:hunter2@proxy:1"
	if _, err := e.Settings.ChangeSetting("crawl.proxy", proxy); err != nil {
		t.Fatal(err)
	}
	shown := ""
	for _, row := range e.Settings.SettingRows() {
		if row.Key == "crawl.proxy" {
			shown = row.Value
		}
	}
	if shown != "http://wang:xxxxx@proxy:1" || strings.Contains(lastEvent(e), "hunter2") || !strings.Contains(lastEvent(e), "crawl.proxy = ") {
		t.Errorf("shown %q, event %q", shown, lastEvent(e))
	}
	for _, c := range [][2]string{{shown, proxy}, {"http://other:1", "http://other:1"}} {
		if err := e.Settings.CheckSetting("crawl.proxy", c[0]); err != nil {
			t.Error(err)
		}
		if _, err := e.Settings.ChangeSetting("crawl.proxy", c[0]); err != nil || e.Set().Crawl.Proxy != c[1] {
			t.Errorf("%q made it %q, %v", c[0], e.Set().Crawl.Proxy, err)
		}
	}
}
