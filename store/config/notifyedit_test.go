package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const toldFile = `name = "x"
seeds = ["http://a.edu.cn/"]

# the team
[[notify]]
name = "morning" # every day
rhythm = "daily"
at = "08:30"
way = "smtp"
server = "smtp.example.com:587"
from = "angler@example.com"
to = ["wang@example.com"]

[[notify]]
name = "v1.2 feed"
way = "webhook"
url = "http://feed.test/"

# disk
[store]
expected_urls = 5000
`

// A row changes as a whole, and the file keeps comments around it.
func TestNotifyIsEdited(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	must(t, os.WriteFile(path, []byte(toldFile), 0o600))
	set, err := parse(path, []byte(toldFile))
	must(t, err)
	change := func(key, value string) string {
		t.Helper()
		to, err := set.With(key, value)
		if err == nil {
			set, err = set.Edit(path, &to)
		}
		must(t, err)
		doc, _ := os.ReadFile(path)
		return string(doc)
	}
	row := set.Notify[0]
	if row, err = row.With("at", "9:15"); err != nil {
		t.Fatal(err)
	}
	row.Off = true
	if doc := change(NotifyOf("morning"), row.Text()); !strings.Contains(doc, `name = "morning" # every day`) || !strings.Contains(doc, "at = '9:15'\n") || !strings.Contains(doc, "off = true\n\n[[notify]]") {
		t.Errorf("changed:\n%s", doc)
	}
	row.Off, row.Rhythm, row.At = false, AtOnce, ""
	if doc := change(NotifyOf("morning"), row.Text()); strings.Contains(doc, "off =") || strings.Contains(doc, "at =") || !strings.Contains(doc, "rhythm = 'at once'") {
		t.Errorf("keys that are gone:\n%s", doc)
	}
	n := Notify{Name: "群", Way: WayDingTalk, URLEnv: "DING"}
	if doc := change(NotifyOf("群"), n.Text()); !strings.Contains(doc, "feed.test/\"\n\n[[notify]]\nname = '群'\nway = 'dingtalk'\nurl_env = 'DING'\n\n# disk\n[store]") {
		t.Errorf("added:\n%s", doc)
	}
	if doc := change(NotifyOf("v1.2 feed"), ""); strings.Contains(doc, "feed.test") || !strings.Contains(doc, "# the team") || len(set.Notify) != 2 {
		t.Errorf("removed:\n%s", doc)
	}
	for name, c := range map[string]struct{ key, value, says string }{
		"no such row":       {NotifyOf("nobody"), "", "no row of [[notify]]"},
		"what cannot work":  {NotifyOf("a"), "way = 'smtp'\n", "server: is missing"},
		"no TOML":           {NotifyOf("a"), "way", "notify.a"},
		"an unknown key":    {NotifyOf("a"), "way = 'webhook'\nurl = 'http://x/'\nfoo = 1\n", "notify.a"},
		"a name that is no": {NotifyOf("?"), "way = 'webhook'\nurl = 'http://x/'\n", "name: a letter or digit"},
	} {
		if _, err := set.With(c.key, c.value); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A form checks a row key by key; the row may be incomplete until it is saved.
func TestNotifyRowIsTyped(t *testing.T) {
	n := Notify{Name: "x", Way: WaySMTP}
	for _, c := range []struct{ key, value, wrong string }{
		{"user", "angler", ""}, {"password_env", "a b", "it is the name of an environment variable"}, {"rhythm", "weekly", `use rhythm = "daily"`}, {"rhythm", "daily", ""}, {"at", "8 Uhr", "is no time of day"}, {"at", "9:15", ""},
		{"server", "smtp", "is not HOST:PORT"}, {"server", "smtp.example.com:587", ""}, {"due", "3 Tage", "is no duration"}, {"tell", `["new", "x"]`, "is none of new"}, {"to", `["a@b.test"]`, ""}, {"url", "http://x/", "goes with way"}, {"nothing", "1", "no key"},
	} {
		next, err := n.With(c.key, c.value)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s = %q: %v, want %q", c.key, c.value, err, c.wrong)
		}
		n = next
	}
	if key, why := n.Wrong(); key != "from" || why != "is missing" {
		t.Errorf("%s: %s", key, why)
	}
	n, _ = n.With("rhythm", AtOnce)
	if n.At != "" {
		t.Error("at once has a time of day")
	}
	for _, r := range n.Rows() {
		if r.Key == "url" || r.Key == "at" || r.Key == "name" {
			t.Errorf("a mail at once has %s", r.Key)
		}
		if r.Comment == "" {
			t.Errorf("%s is not explained", r.Key)
		}
	}
}
