//go:build unix

package tuitest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
)

// TestPasswordsAreNotShown gives the program unreachable proxies with a password, and searches all
// output for the password.
func TestPasswordsAreNotShown(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	x := newCrawl(t, webtest.Options{})
	dir := x.dir
	seen := func(what, text string) {
		t.Helper()
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%s: %s", what, text[max(0, i-200):min(len(text), i+100)])
		}
	}
	lists := demo.TenderLists(x.web, 3)
	failed := 0
	run := func(args ...string) {
		t.Helper()
		r := Run(t, args...)
		seen(strings.Join(args, " "), r.Out+r.Err)
		if r.Status != 0 {
			failed++
		}
	}
	for _, proxy := range []string{"http://wang:" + secret + "@127.0.0.1:1", "socks5://wang:" + secret + "@127.0.0.1:1", "socks9://wang:" + secret + "@127.0.0.1:1",
		"http://wang:" + secret + "%zz@127.0.0.1:1", "wang:" + secret + "@127.0.0.1:1", "http://" + secret + "@127.0.0.1:1", "http://wang:" + secret + "/x@127.0.0.1:1"} {
		run("samples", "add", dir, lists[0], "--proxy", proxy)
		run("crawl", dir, "--proxy", proxy, "--json", "--delay", "0", "--max-pages", "3")
		run("topic", "score", dir, lists[0], "--proxy", proxy)
		run("topic", "explain", dir, lists[0], "--proxy", proxy)
		run("crawl", "--proxy", proxy, "--help")
		run("crawl", "--proxy", proxy)
	}
	if failed < 7 {
		t.Errorf("only %d commands failed: the proxies were not used", failed)
	}
	run("new", filepath.Join(t.TempDir(), "ws"), "--seed", "http://wang:"+secret+"@a.test/", "--seed", "nothing://wang:"+secret+"@a.test/")
	run("topic", "explain", dir, "http://wang:"+secret+"@a.test/")
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(os.DirFS(dir), p)
		if bytes.Contains(b, []byte(secret)) {
			t.Errorf("%s holds the password", p)
		}
		return err
	})
	must(t, err)
}

// TestServerShowsNoPassword searches a server's output to all users for the password of a proxy in
// angler.toml.
func TestServerShowsNoPassword(t *testing.T) {
	const secret = "hunter2"
	x := startServer(t, "--http", "127.0.0.1:0", "--log-format", "json", "--proxy", "http://wang:"+secret+"@127.0.0.1:1")
	eventually(t, "the first round has failed", func() bool { return strings.Contains(x.state(), `"state":"idle"`) })
	log, err := os.ReadFile(x.log)
	must(t, err)
	zhou := x.attach("zhou", 160, 45)
	zhou.samples()
	zhou.press("4")
	for what, text := range map[string]string{"log": string(log), "status": x.state(), "screen": zhou.wait("[4 Crawl]"),
		"frontier": x.ssh("li", "127.0.0.1", "export", "frontier").Out} {
		if strings.Contains(text, secret) || text == "" {
			t.Errorf("%s: %s", what, text)
		}
	}
}
