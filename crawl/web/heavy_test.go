//go:build heavy

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"angler/crawl"
	"angler/crawl/browser"
	"angler/crawl/demo/demotest"
	"angler/store"
)

// chromium runs the browser once with a profile of its own, and returns its output and its log.
func chromium(t *testing.T, args ...string) (out, log string) {
	t.Helper()
	path, err := browser.Find("")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), path, append([]string{"--headless", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--user-data-dir=" + t.TempDir(),
		"--enable-logging=stderr", "--v=0"}, args...)...)
	var o, l strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &l
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, l.String())
	}
	return o.String(), l.String()
}

// console are the lines of a log that a page caused: violations of its policy, errors, output of scripts.
func console(log string) (lines []string) {
	for l := range strings.Lines(log) {
		if strings.Contains(l, "CONSOLE") {
			lines = append(lines, l)
		}
	}
	return lines
}

// Chromium shows each page in both languages, runs no script of a hostile notice, and asks only for pages and
// the style sheet. ANGLER_PICTURES names a folder for pictures of the pages.
func TestInABrowser(t *testing.T) {
	list := []store.Notice{evil()}
	for i := range 60 {
		list = append(list, demotest.Tender(i+2))
	}
	dir := demotest.Stored(t, list...)
	read(t, dir, func(e *crawl.Engine) {
		must(t, e.Facts.SetValue(list[0].ID, "buyer", "<script>x()</script>大学"))
	})
	pages, demo := opened(t, dir), crawled(t)
	var mu sync.Mutex
	var asked []string
	serve := func(h http.Handler) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked = append(asked, r.URL.Path)
			mu.Unlock()
			h.ServeHTTP(w, r)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	base, found := serve(pages), serve(demo)
	notice := fmt.Sprintf("/notices/%d", list[0].ID)
	for _, c := range []struct{ name, address, en, zh string }{
		{"inbox", found + "/?", "New today", "今日新增"},
		{"found", base + "/?q=" + url.QueryEscape("招标 budget>1") + "&", "Relevance", "按相关度"},
		{"fault", base + "/?q=" + url.QueryEscape("设备 colour:red") + "&", "at 4", "第 4 字"},
		{"notice", base + notice + "?", "Read at", "出处"},
		{"tender", found + firstNotice(t, demo) + "?", "Read at", "出处"},
		{"lists", found + "/lists?", "Health", "状态"},
		{"run", found + "/run?", "Recent runs", "最近的运行"},
		{"login", base + "/login?failed=1&", "not valid", "令牌无效"},
		{"missing", base + "/nowhere?", "no such page", "没有这个页面"},
	} {
		for lang, says := range map[string]string{"en": c.en, "zh": c.zh} {
			t.Run(c.name+"-"+lang, func(t *testing.T) {
				address := c.address + "lang=" + lang
				dom, log := chromium(t, "--dump-dom", address)
				if lines := console(log); len(lines) > 0 {
					t.Errorf("%q", lines)
				}
				if !strings.Contains(dom, says) || !strings.Contains(dom, "<main") || strings.Contains(dom, "<script") ||
					strings.Contains(dom, "<iframe") || strings.Contains(dom, "<img") {
					t.Errorf("the page lacks %q or holds a script:\n%s", says, dom)
				}
				photograph(t, c.name+"-"+lang, address)
			})
		}
	}
	for _, path := range asked {
		if path != "/" && path != "/lists" && path != "/run" && path != "/login" && path != "/nowhere" &&
			!strings.HasPrefix(path, "/notices/") && !strings.HasPrefix(path, "/style/") {
			t.Errorf("the browser asks for %s", path)
		}
	}
}

// The console tells of a script that the policy refuses, and the policy is what refuses it.
func TestThePolicyRefusesScripts(t *testing.T) {
	const body = `<!DOCTYPE html><title>t</title><p id="p">still</p><script>document.getElementById("p").textContent="ran"</script>`
	for csp, want := range map[string]string{policy: "still", "": "ran"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if csp != "" {
				w.Header().Set("Content-Security-Policy", csp)
			}
			_, _ = w.Write([]byte(body))
		}))
		dom, log := chromium(t, "--dump-dom", s.URL)
		s.Close()
		if !strings.Contains(dom, `<p id="p">`+want) || (len(console(log)) > 0) != (csp != "") {
			t.Errorf("policy %q: %s\n%q", csp, dom, console(log))
		}
	}
}

func firstNotice(t *testing.T, h http.Handler) string {
	t.Helper()
	body, _ := pageOf(t, h, "/", 200)
	_, rest, _ := strings.Cut(body, `href="/notices/`)
	id, _, _ := strings.Cut(rest, `"`)
	return "/notices/" + id
}

// photograph keeps pictures of a page, wide and narrow, light and dark, and the print.
func photograph(t *testing.T, name, address string) {
	folder := os.Getenv("ANGLER_PICTURES")
	if folder == "" {
		return
	}
	for shape, args := range map[string][]string{
		"wide":        {"--window-size=1280,900"},
		"narrow":      {"--window-size=390,844"},
		"wide-dark":   {"--window-size=1280,900", "--blink-settings=preferredColorScheme=0"},
		"narrow-dark": {"--window-size=390,844", "--blink-settings=preferredColorScheme=0"},
	} {
		chromium(t, append(args, "--screenshot="+filepath.Join(folder, name+"-"+shape+".png"), address)...)
	}
	chromium(t, "--print-to-pdf="+filepath.Join(folder, name+".pdf"), "--no-pdf-header-footer", address)
}
