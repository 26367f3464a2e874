package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/store/config"
	"angler/tui/screen"
)

// flatten removes what a line break in a pane adds.
func flatten(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '│' }), "")
}

// lineWith returns the first line of a screen that holds part.
func lineWith(screen, part string) string {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

// The column, the reader and Home show what the optional model answers. Its key is on no screen, in no file and no
// event, even if the server repeats it.
func TestModelIsShown(t *testing.T) {
	const key = "sk-topsecret-0123456789"
	t.Setenv("ANGLER_TEST_SHOWN_KEY", key)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%v, %v", r.Header, err)
		}
		if strings.Contains(string(body), demotest.Tender(2).Title) {
			http.Error(w, "no "+r.Header.Get("Authorization"), http.StatusBadRequest)
			return
		}
		content, _ := json.Marshal(`{"answer":"yes","quote":"` + demotest.Tender(1).Title + `"}`)
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%s}}],"usage":{"total_tokens":1234}}`, content)
	}))
	defer api.Close()
	first := demotest.Tender(1)
	first.FirstSeen = first.FirstSeen.Add(time.Hour) // asked about first
	dir := demotest.Stored(t, first, demotest.Tender(2))
	now := first.FirstSeen.AddDate(0, 0, 1)
	asleep := make(chan struct{}, 100)
	e, err := crawl.Open(context.Background(), dir, crawl.Options{By: "wang", Tell: true, Now: func() time.Time { return now },
		AfterFunc: func(d time.Duration, _ func()) func() bool {
			if d != 3*time.Minute { // of one answer
				asleep <- struct{}{}
			}
			return func() bool { return true }
		},
		Override: func(s *config.Settings) {
			s.Assistant = config.Assistant{URL: api.URL, Model: "small", KeyEnv: "ANGLER_TEST_SHOWN_KEY", Question: "海州", Budget: 100_000}
		}})
	must(t, err)
	defer e.Close()
	<-asleep // a failure ends its first round
	for code, x := range map[string]struct{ used, failed, column, yes, reader, rest string }{
		"en": {"model: 1 234 of 100 000 tokens, 1 answer", "1 answer · 127.0.0.1", "model", "yes", "small answered on", "it is no verdict"},
		"zh": {"模型：已用 1 234 / 100 000 词元，1 个回答", "1 个回答 · 127.0.0.1", "模型", "是", "small 于", "这不是人的判断"},
	} {
		quote := "“" + first.Title + "”"
		for _, size := range [][2]int{{80, 24}, {160, 45}} {
			d := begin(t, code, screen.PartsOf(e), size[0], size[1])
			d.settle()
			flat := func() string { return flatten(d.screen()) }
			check := func(want ...string) {
				t.Helper()
				if strings.Contains(flat(), key) {
					t.Errorf("%s %v shows the key:\n%s", code, size, d.screen())
				}
				for _, x := range want {
					if !strings.Contains(flat(), flatten(x)) {
						t.Errorf("%s %v lacks %q:\n%s", code, size, x, d.screen())
					}
				}
			}
			d.press("0")
			d.settle()
			check(x.used, x.failed)
			d.press("5")
			d.settle()
			if heads := lineWith(d.screen(), "▼"); !strings.Contains(heads, x.column) {
				t.Errorf("%s %v heads its columns %q", code, size, heads)
			}
			if row := lineWith(d.screen(), "› 2026"); !strings.Contains(row, " "+x.yes+" ") {
				t.Errorf("%s %v lists %q", code, size, row)
			}
			d.press("enter")
			d.settle()
			for range 9 { // 80×24 shows the end of the reader after some pages
				if !strings.Contains(flat(), flatten(x.rest)) {
					d.press("space")
					d.settle()
				}
			}
			check(x.column, x.yes, quote, x.reader, x.rest)
			for _, k := range []string{"esc", ",", "esc", "L"} {
				d.press(k)
				d.settle()
				check()
			}
		}
	}
	if s := fmt.Sprintf("%+v", e.Snapshot()); strings.Contains(s, key) || !strings.Contains(s, "xxxxx") {
		t.Errorf("the snapshot says %s", s)
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(p string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		b, err := fs.ReadFile(os.DirFS(dir), p)
		if strings.Contains(string(b), key) {
			t.Errorf("%s holds the key", p)
		}
		return err
	})
	must(t, err)
}
