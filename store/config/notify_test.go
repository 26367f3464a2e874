package config

import (
	"strings"
	"testing"
	"time"
)

func TestNotifyIsChecked(t *testing.T) {
	good := `[[notify]]
name = "morning"
rhythm = "daily"
at = "08:30"
zone = "Asia/Shanghai"
way = "smtp"
server = "smtp.example.com:587"
from = "angler@example.com"
to = ["wang@example.com"]
user = "angler"
password_file = "ssh/smtp"

[[notify]]
name = "群"
way = "dingtalk"
url_env = "DING"
secret_env = "DING_SECRET"
`
	set, err := parse(Name, []byte(good))
	if err != nil || len(set.Notify) != 2 || set.Notify[1].RhythmOf() != AtOnce || !set.Notify[0].Tells(TellLists) || set.Notify[1].Tells(TellDue) {
		t.Fatalf("%+v, %v", set.Notify, err)
	}
	row := func(lines string) string { return good + "\n[[notify]]\nname = \"x\"\n" + lines + "\n" }
	for name, c := range map[string]struct{ text, says string }{
		"no name":             {strings.Replace(good, `name = "morning"`, "", 1), `row 1: name: a letter or digit`},
		"a name twice":        {strings.Replace(good, "群", "morning", 1), `row 2 ("morning"): name: row 1 has the same`},
		"no way":              {row(""), `row 3 ("x"): way: "" is none of smtp`},
		"a rhythm":            {row(`rhythm = "hourly"`), `rhythm: "hourly" is none of at once, daily`},
		"an hour at once":     {row("way = \"webhook\"\nurl = \"http://x/\"\nat = \"08:30\""), `at: goes with rhythm`},
		"an hour":             {row("rhythm = \"daily\"\nat = \"8 Uhr\""), `at: "8 Uhr" is no time of day`},
		"a zone":              {row("rhythm = \"daily\"\nzone = \"Mars/Base\""), `zone: "Mars/Base" is no time zone`},
		"what is told":        {row(`tell = ["everything"]`), `tell: "everything" is none of new`},
		"a server":            {strings.Replace(good, ":587", "", 1), `row 1 ("morning"): server: "smtp.example.com" is not HOST:PORT`},
		"an address":          {strings.Replace(good, "wang@", "wang", 1), `to: "wangexample.com" is no mail address`},
		"nobody":              {strings.Replace(good, `to = ["wang@example.com"]`, "", 1), `to: is missing`},
		"no password":         {strings.Replace(good, `password_file = "ssh/smtp"`, "", 1), `password_file: is missing, and there is a user`},
		"in the open":         {strings.Replace(good, `user =`, "tls = \"none\"\nuser =", 1), `tls: a password would be sent in the open`},
		"another way's key":   {row("way = \"webhook\"\nurl = \"http://x/\"\nserver = \"a:1\""), `server: goes with way = "smtp" only`},
		"no http address":     {row("way = \"webhook\"\nurl = \"ftp://x/topsecret\""), `url: it is no http address`},
		"a secret for a name": {row("way = \"webhook\"\nurl_env = \"https://x/?token=1\""), `url_env: it is the name of an environment variable`},
		"an unknown key":      {row("way = \"webhook\"\nurk = \"x\""), `unknown key notify.urk`},
		"a deadline":          {row("way = \"webhook\"\nurl = \"http://x/\"\ndue = \"9000h\""), `due: outside of`},
		"a timeout":           {row("way = \"webhook\"\nurl = \"http://x/\"\ntimeout = \"1ms\""), `timeout: outside of`},
		"a removed command":   {row("way = \"command\"\ncommand = [\"/bin/tell\"]"), `row 3 ("x"): way: "command" was removed; use way = "webhook"`},
		"a removed feed":      {row("way = \"atom\"\nfile = \"feed.xml\"\nnewest = 5"), `row 3 ("x"): way: "atom" was removed; run: angler export DIR notices --format atom`},
		"a removed rhythm":    {row("way = \"webhook\"\nurl = \"http://x/\"\nrhythm = \"weekly\""), `row 3 ("x"): rhythm: "weekly" was removed; use rhythm = "daily"`},
		"a removed day":       {row("way = \"webhook\"\nurl = \"http://x/\"\nrhythm = \"weekly\"\nday = \"monday\""), `rhythm: "weekly" was removed; use rhythm = "daily"`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parse(Name, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "topsecret") {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
	clone := set.Clone()
	clone.Notify[0].To[0] = "other@example.com"
	if set.Notify[0].To[0] != "wang@example.com" {
		t.Error("a clone shares addresses")
	}
	if next, changed := set.Overlay(&set, &clone); len(changed) != 1 || changed[0].Key != "notify" || next.Notify[0].To[0] != "other@example.com" {
		t.Errorf("a change by hand is not taken up: %v", changed)
	}
}

func TestSlots(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	must(t, err)
	daily := Notify{Rhythm: Daily, At: "02:30", Zone: "Europe/Berlin"}
	shanghai := Notify{Rhythm: Daily, At: "08:30", Zone: "Asia/Shanghai"}
	for name, c := range map[string]struct {
		n          Notify
		now        time.Time
		slot, next string
	}{
		"in the morning":              {daily, time.Date(2026, 11, 20, 2, 29, 0, 0, berlin), "2026-11-19T02:30:00+01:00", "2026-11-20T02:30:00+01:00"},
		"at the hour":                 {daily, time.Date(2026, 11, 20, 2, 30, 0, 0, berlin), "2026-11-20T02:30:00+01:00", "2026-11-21T02:30:00+01:00"},
		"an hour that is none":        {daily, time.Date(2026, 3, 29, 12, 0, 0, 0, berlin), "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"},
		"an hour that is twice":       {daily, time.Date(2026, 10, 25, 12, 0, 0, 0, berlin), "2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00"},
		"before an hour that is none": {daily, time.Date(2026, 3, 28, 12, 0, 0, 0, berlin), "2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00"},
		"another zone":                {shanghai, time.Date(2026, 11, 23, 0, 29, 0, 0, time.UTC), "2026-11-22T08:30:00+08:00", "2026-11-23T08:30:00+08:00"},
		"the hour of another zone":    {shanghai, time.Date(2026, 11, 23, 0, 30, 0, 0, time.UTC), "2026-11-23T08:30:00+08:00", "2026-11-24T08:30:00+08:00"},
	} {
		t.Run(name, func(t *testing.T) {
			slot, next := c.n.Slot(c.now).Format(time.RFC3339), c.n.Next(c.now).Format(time.RFC3339)
			if slot != c.slot || next != c.next {
				t.Errorf("slot %s, next %s; want %s, %s", slot, next, c.slot, c.next)
			}
		})
	}
}
