package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store/config"
)

// Where a seed may lead depends on who named it: the resolver and the dialer are
// the real ones, only the name server's answers are made up. inside.test has an
// address of a private network where no host answers: what counts is whether the
// guard stops the dial.
func TestSeedsOfRemotePeopleArePublic(t *testing.T) {
	var hits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hits.Add(1) }))
	defer server.Close()
	here := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := net.SplitHostPort(here)
	const inside = "http://inside.test:81/"
	add := func(e *crawl.Engine, u string) error { _, err := e.Settings.AddSeeds([]string{u}); return err }
	set := func(e *crawl.Engine, list ...string) error {
		_, err := e.Settings.ChangeSetting("seeds", fmt.Sprintf("[%q]", strings.Join(list, `", "`)))
		return err
	}
	cases := map[string]struct {
		do      func(local, remote *crawl.Engine) error
		private bool     // allow_private
		url     string   // whose outcome counts
		guarded bool     // the guard refused it
		hit     bool     // the server on loopback was asked
		closed  []string // crawl.public_only afterwards
	}{
		"named here":                {do: func(local, _ *crawl.Engine) error { return add(local, inside) }, url: inside},
		"named remotely":            {do: func(_, remote *crawl.Engine) error { return add(remote, inside) }, url: inside, guarded: true, closed: []string{"inside.test:81"}},
		"remotely, in the settings": {do: func(_, remote *crawl.Engine) error { return set(remote, inside) }, url: inside, guarded: true, closed: []string{"inside.test:81"}},
		"here, in the settings":     {do: func(local, _ *crawl.Engine) error { return set(local, inside) }, url: inside},
		"here first": {do: func(local, remote *crawl.Engine) error {
			return errors.Join(add(local, inside), add(remote, inside+"a"))
		}, url: inside + "a"},
		"remotely first": {do: func(local, remote *crawl.Engine) error { return errors.Join(add(remote, inside), add(local, inside)) }, url: inside},
		"another port": {do: func(local, remote *crawl.Engine) error {
			return errors.Join(add(local, inside), add(remote, "http://inside.test:82/"))
		}, url: "http://inside.test:82/", guarded: true, closed: []string{"inside.test:82"}},
		"remotely, taken out and again": {do: func(local, remote *crawl.Engine) error {
			return errors.Join(add(local, inside), set(remote, "http://outside.test/"), add(remote, inside))
		}, url: inside, guarded: true, closed: []string{"inside.test:81", "outside.test"}},
		"a name of this machine":   {do: func(local, _ *crawl.Engine) error { return add(local, "http://loop.test:"+port+"/") }, url: "http://loop.test:" + port + "/", guarded: true},
		"this machine, named here": {do: func(local, _ *crawl.Engine) error { return add(local, server.URL+"/") }, url: server.URL + "/", hit: true},
		"this machine, closed": {do: func(local, remote *crawl.Engine) error {
			if err := add(remote, server.URL+"/"); err == nil || !strings.Contains(err.Error(), "is a number") {
				return fmt.Errorf("a remote person may name this machine: %v", err)
			}
			if err := add(local, server.URL+"/"); err != nil {
				return err
			}
			_, err := local.Settings.ChangeSetting("crawl.public_only", fmt.Sprintf("[%q]", here))
			return err
		}, url: server.URL + "/", guarded: true, closed: []string{here}},
		"the settings allow all": {do: func(_, remote *crawl.Engine) error { return add(remote, "http://loop.test:"+port+"/") }, private: true, url: "http://loop.test:" + port + "/", hit: true, closed: []string{"loop.test:" + port}},
	}
	system := net.DefaultResolver
	defer func() { net.DefaultResolver = system }()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			zone := webtest.NewNameServer(map[string][][]string{"inside.test": {{"10.255.255.254"}}, "loop.test": {{"127.0.0.1"}}})
			net.DefaultResolver = zone.Resolver()
			hits.Store(0)
			dir := created(t, func(s *config.Settings) {
				s.Seeds = []string{"http://other.test/"}
				s.Crawl.AllowPrivate, s.Crawl.Timeout, s.Crawl.Retries, s.Crawl.Depth = c.private, config.Duration(time.Minute), 0, 0
				if !c.hit && !c.guarded { // no host will answer
					s.Crawl.Timeout = config.Duration(300 * time.Millisecond)
				}
			})
			forget(t, dir)
			for _, first := range []bool{true, false} { // a restart changes nothing
				e := opened(t, dir, crawl.Options{By: "owner"})
				if first {
					must(t, c.do(e, e.As(auth.Actor{Name: "zhou", Role: auth.Admin, Remote: true})))
				}
				_, _ = e.Runs.Discover(context.Background(), run.Options{}) // that no seed answers is no matter
				why := ""
				for _, r := range exported[linkorder.URLRow](t, e, "frontier") {
					if r.URL == c.url {
						why = r.Why
					}
				}
				if (why == "") != c.hit {
					t.Errorf("first %v: %s ended with %q", first, c.url, why)
				}
				if got := strings.Contains(why, "guard"); got != c.guarded {
					t.Errorf("first %v: %s ended with %q; want it guarded: %v", first, c.url, why, c.guarded)
				}
				if got := e.Set().Crawl.PublicOnly; !slices.Equal(got, c.closed) && len(got)+len(c.closed) > 0 {
					t.Errorf("public_only is %q, want %q", got, c.closed)
				}
				must(t, e.Close())
			}
			if got := hits.Load() > 0; got != c.hit {
				t.Errorf("the server on loopback was asked %d times", hits.Load())
			}
		})
	}
}

// forget takes a key out of the settings file, as it was before there was one.
func forget(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, "angler.toml")
	b, err := os.ReadFile(path)
	must(t, err)
	old := strings.Replace(string(b), "public_only = []\n", "", 1)
	if old == string(b) {
		t.Fatal("the file has no public_only")
	}
	must(t, os.WriteFile(path, []byte(old), 0o644))
}
