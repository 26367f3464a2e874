package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/tuitest"
)

// An invalid seed prevents the making of a workspace.
func TestSeedsOfANewWorkspace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "ws")
	file := func(text string) string {
		path := filepath.Join(root, "seeds")
		must(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	binary := "http://a.test/\n\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\xff\x13", 2000)
	for _, c := range []struct {
		args string
		says string
	}{
		{"--seed notaurl", "seed notaurl does not resolve; write a whole address, such as http://www.notaurl.com/"},
		{"--seed http://notaurl:8080/x", "seed notaurl does not resolve"},
		{"--seed ftp://a.test/", `seed "ftp://a.test/" is not a URL; write http://HOST/PATH`},
		{"--seeds " + file(binary), file(binary) + " line 2: "},
		{"--seeds " + file(binary), "a seeds file holds one URL per line, # starts a comment"},
	} {
		_, _, err := call(t, "new "+c.args, dir)
		var misuse *misuseError
		if !errors.As(err, &misuse) || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 400 || strings.ContainsFunc(err.Error(), unicode.IsControl) {
			t.Errorf("%q: %.500v, want %s", c.args, err, c.says)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%q made a workspace", c.args)
		}
	}
	out, _, err := call(t, "new", dir, "--seeds", file("\ufeff# ours\r\nhttp://localhost:8080/\r\n"))
	if want := "Created " + dir + " (1 seed, notices: tenders). Next: angler " + dir + "\n"; err != nil || out != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

// A wrong value is reported for its flag in plain words, as misuse.
func TestWrongValuesBlameTheFlag(t *testing.T) {
	dir := tuitest.Waiting(t)
	for args, want := range map[string]string{
		"crawl DIR --workers 5000":       "--workers: 5000 is outside 1 … 1024",
		"crawl DIR --workers -1":         "--workers -1 is less than 0",
		"crawl DIR --max-pages -1":       "--max-pages -1 is less than 0",
		"harvest DIR --for -5s":          "--for -5s is less than 0",
		"crawl DIR --strategy telepathy": "--strategy: ",
		"crawl DIR --proxy gopher://x":   "--proxy: write it as http://HOST:PORT or socks5://HOST:PORT",
		"crawl DIR --delay 5":            `--delay "5": write a time with its unit, such as 30s, 5m or 2h; angler crawl --help lists the flags`,
		"crawl DIR --until 0.95":         `--until "0.95": write a whole number from 50% to 99%, such as 95%; angler crawl --help lists the flags`,
		"crawl DIR --until 49%":          `--until "49%": write a whole number from 50% to 99%`,
		"crawl DIR --until 100":          `--until "100": write a whole number from 50% to 99%`,
		"demo --headless --until 100":    `--until "100": write a whole number from 50% to 99%, such as 95%; angler demo --help lists the flags`,
		"crawl DIR --until lists":        `--until "lists": write a whole number from 50% to 99%`,
		"crawl DIR --max-pages many":     `--max-pages "many": write a whole number; angler crawl --help lists the flags`,
		"terms DIR --threshold high":     `--threshold "high": write a number`,
		"terms DIR --method magic":       `--method: "magic" is neither ruled nor loose`,
		"export DIR notices -o x.pdf":    "the ending of x.pdf tells no format (",
		"notices export DIR -o x.docx":   "the ending of x.docx tells no format (",
	} {
		_, _, err := call(t, strings.Replace(args, "DIR", dir, 1))
		var b strings.Builder
		if code := status(&b, err); code != 2 || !strings.HasPrefix(b.String(), "angler: "+want) || strings.Contains(b.String(), "strconv") || strings.Contains(b.String(), "angler.toml") {
			t.Errorf("%s: exit status %d, %s", args, code, b.String())
		}
	}
	// A fault of the file is reported for the file.
	file := filepath.Join(dir, config.Name)
	b, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, []byte(strings.Replace(string(b), "\nworkers = 16", "\nworkers = 5000", 1)), 0o644))
	_, _, err = call(t, "crawl --delay 1s", dir)
	var out strings.Builder
	if code := status(&out, err); code != 1 || !strings.Contains(out.String(), "angler.toml: crawl.workers: 5000 is outside") {
		t.Errorf("exit status %d, %s", code, out.String())
	}
}

// A discovery without samples says that it judges nothing, in the command's line and on the
// screens.
func TestADiscoveryWithoutSamplesSaysSo(t *testing.T) {
	sum := run.Summary{Task: view.Discovery, Fetched: 53, Tally: view.Tally{Task: view.Discovery, Blind: true, Pages: 53, Took: 104 * time.Second}}
	var b strings.Builder
	say(&b, sum)
	if got := b.String(); !strings.Contains(got, unjudged) || strings.Contains(got, "aggregation pages") {
		t.Errorf("%s lacks %q", got, unjudged)
	}
	if got := screen.Outcome(nil, &sum.Tally); !strings.Contains(got, "53 new pages, not judged without samples") {
		t.Error(got)
	}
}

// A harvest without due lists says why, and when one is due.
func TestAHarvestOfNothingDueSaysSo(t *testing.T) {
	next := time.Date(2026, 11, 20, 9, 30, 0, 0, time.Local)
	sum := run.Summary{Task: view.Harvest, Aggregations: 46, Tally: view.Tally{Task: view.Harvest, NotDue: revisit.NotDue{N: 46, Next: next}}}
	var b strings.Builder
	say(&b, sum)
	if want := "46 lists not due, next 2026-11-20 09:30"; !strings.Contains(b.String(), want) {
		t.Errorf("%s lacks %q", b.String(), want)
	}
	zh, err := i18n.Pick("zh", os.Getenv)
	must(t, err)
	for l, want := range map[*i18n.Lang]string{nil: "46 lists not due, next 11-20 09:30", zh: "46 个列表页未到期，下次 11-20 09:30"} {
		if got := screen.Outcome(l, &sum.Tally); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A mistyped command is not taken for a workspace, but a folder of that name is.
func TestAMistypedCommandIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{"crwal": "angler crawl", "haverst x": "angler harvest", "exprt x notices": "angler export"} {
		misused(t, "did you mean: "+want, args)
	}
	if _, _, err := call(t, "tenders"); err == nil || err.Error() != `no command or workspace named "tenders"; see angler --help` {
		t.Errorf("no command's name: %v", err)
	}
	must(t, os.Mkdir("crwal", 0o755))
	for _, dir := range []string{"crwal", filepath.Join(".", "crwal")} {
		if _, _, err := call(t, dir); !errors.Is(err, config.ErrNone) {
			t.Errorf("a folder: %v", err)
		}
	}
}

func TestUntilTakesAShare(t *testing.T) {
	for text, want := range map[string]share{"95%": .95, "50": .5, "99 %": .99, " 60%": .6} {
		var s share
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}
