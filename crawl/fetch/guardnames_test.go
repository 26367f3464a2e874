package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/webtest"
)

// A name that leads into the private network is not followed, however it is
// brought there. 192.0.2.1 stands for a public address: no host answers there.
func TestGuardNames(t *testing.T) {
	var hits atomic.Int32
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		io.WriteString(w, "inside")
	})
	port := base[strings.LastIndexByte(base, ':')+1:]
	lo, out := []string{"127.0.0.1"}, []string{"192.0.2.1"}
	cases := map[string]struct {
		cfg     Config
		host    string
		answers [][]string
		kinds   []Kind // of one fetch after the other; "" is an answer, "shut" any failure
	}{
		"private name":                    {Config{}, "in.test", [][]string{lo}, []Kind{Guard}},
		"allowed by the settings":         {Config{AllowPrivate: true}, "in.test", [][]string{lo}, []Kind{""}},
		"first public, then private":      {Config{}, "in.test", [][]string{out, lo}, []Kind{"shut", Guard}},
		"public and private at once":      {Config{}, "in.test", [][]string{append(out, lo...)}, []Kind{"shut"}},
		"private and public at once":      {Config{}, "in.test", [][]string{append(lo, out...)}, []Kind{Guard}},
		"seed whose name is this machine": {Config{SeedHosts: []string{"in.test:" + port}}, "in.test", [][]string{lo}, []Kind{Guard}},
		"seed of a literal address":       {Config{SeedHosts: []string{"127.0.0.1:" + port}}, "127.0.0.1", nil, []Kind{""}},
		"seed of a literal, other port":   {Config{SeedHosts: []string{"127.0.0.1"}}, "127.0.0.1", nil, []Kind{Guard}},
		"name for a literal seed":         {Config{SeedHosts: []string{"127.0.0.1:" + port}}, "in.test", [][]string{lo}, []Kind{Guard}},
		"localhost as a seed":             {Config{SeedHosts: []string{"LOCALHOST:" + port}}, "localhost", nil, []Kind{""}},
		"localhost":                       {Config{}, "localhost", nil, []Kind{Guard}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			hits.Store(0)
			z := webtest.NewNameServer(map[string][][]string{c.host: c.answers})
			c.cfg.IgnoreRobots, c.cfg.Timeout, c.cfg.resolver = true, time.Minute, z.Resolver()
			f := open(t, c.cfg)
			reached := int32(0)
			for i, want := range c.kinds {
				ctx, cancel := t.Context(), func() {}
				if want == "shut" { // the public address may answer nothing
					ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
				}
				res, err := f.Fetch(ctx, Request{URL: "http://" + c.host + ":" + port + "/"})
				cancel()
				got := kindOf(err)
				if want == "shut" && err != nil {
					got = want
				}
				if got != want {
					t.Errorf("fetch %d: got %+v, %v; want kind %q", i, res, err, want)
				}
				if want == "" {
					reached++
				}
			}
			if hits.Load() != reached {
				t.Errorf("the private server was asked %d times, want %d", hits.Load(), reached)
			}
		})
	}
}

// What a seed opens, address by address.
func TestGuardSeeds(t *testing.T) {
	cases := map[string]struct {
		seed, host, port string
		addrs            string // tried one after the other
		open             string // for each: y or n
	}{
		"any other host":              {"a.test", "b.test", "80", "10.0.0.1 93.184.216.34", "ny"},
		"name of a private network":   {"a.test", "a.test", "80", "10.0.0.1 192.168.1.1 fd00::1 100.64.0.1", "yyyy"},
		"name on https":               {"a.test", "A.test.", "443", "10.0.0.1", "y"},
		"name on another port":        {"a.test", "a.test", "8080", "10.0.0.1", "n"},
		"host below a seed":           {"a.test", "www.a.test", "80", "10.0.0.1", "n"},
		"loopback, metadata, routers": {"a.test", "a.test", "80", "127.0.0.1 ::1 169.254.169.254 100.100.100.200 fd00:ec2::254 0.0.0.0 fe80::1 224.0.0.1", "nnnnnnnn"},
		"public before":               {"a.test", "a.test", "80", "10.0.0.1 93.184.216.34 10.0.0.1", "yyn"},
		"literal":                     {"10.0.0.1:81", "10.0.0.1", "81", "10.0.0.1 10.0.0.2", "yn"},
		"literal in IPv6":             {"[FD00::1]:81", "fd00::1", "81", "fd00::1", "y"},
		"literal in IPv6, bare":       {"[fd00::1]", "fd00::1", "80", "fd00::1", "y"},
		"literal in both":             {"[::ffff:10.0.0.1]", "10.0.0.1", "80", "10.0.0.1", "y"},
		"localhost":                   {"localhost:81", "localhost", "81", "127.0.0.1 ::1 169.254.169.254", "yyn"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := newGuard([]string{c.seed})
			for i, a := range strings.Fields(c.addrs) {
				g.set([]string{c.seed, "later.test"}) // forgets nothing
				err := g.check(c.host, c.port, netip.MustParseAddr(a))
				var ge *guardError
				if (err == nil) != (c.open[i] == 'y') || err != nil && !errors.As(err, &ge) {
					t.Errorf("%s: got %v, want %c", a, err, c.open[i])
				}
			}
		})
	}
}

// A seed added while the crawl runs opens its host from then on, and one taken
// away closes it again, for new connections.
func TestSetSeedHosts(t *testing.T) {
	f := open(t, Config{IgnoreRobots: true})
	for _, seed := range []bool{false, true, false} {
		base := serve(t, func(w http.ResponseWriter, r *http.Request) {})
		want := Guard
		if f.SetSeedHosts(nil); seed {
			f.SetSeedHosts([]string{strings.TrimPrefix(base, "http://")})
			want = ""
		}
		if _, err := f.Fetch(t.Context(), Request{URL: base}); kindOf(err) != want {
			t.Errorf("seed %v: got %v", seed, err)
		}
	}
}

// Behind a proxy no name is looked up here, and private spellings still stop,
// unless they are seeds; a redirect gains nothing.
func TestGuardBehindProxy(t *testing.T) {
	var asked atomic.Value
	asked.Store("")
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.Host)
		if r.URL.Path == "/away" {
			w.Header().Set("Location", "http://0x7f.1:6379/")
			w.WriteHeader(http.StatusFound)
		}
	})
	z := webtest.NewNameServer(map[string][][]string{"out.test": {{"127.0.0.1"}}})
	f := open(t, Config{Proxy: proxy, resolver: z.Resolver(), SeedHosts: []string{"127.0.0.1:8080", "localhost:9000"}})
	cases := map[string]struct {
		url  string
		kind Kind
	}{
		"a name":              {"http://out.test/", ""},
		"seed":                {"http://127.0.0.1:8080/", ""},
		"seed by name":        {"http://localhost:9000/", ""},
		"seed's other port":   {"http://127.0.0.1:6379/", Guard},
		"default port":        {"http://127.0.0.1/", Guard},
		"localhost elsewhere": {"http://localhost:9001/", Guard},
		"metadata":            {"http://169.254.169.254/", Guard},
		"in IPv6":             {"http://[::ffff:127.0.0.1]/", Guard},
		"redirect inside":     {"http://out.test/away", Guard},
		"full-width address":  {"http://１２７.０.０.１/", Guard},
		"full-width name":     {"http://ｌｏｃａｌｈｏｓｔ/", Guard},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			asked.Store("")
			_, err := f.Follow(t.Context(), Request{URL: c.url}, 3)
			if kindOf(err) != c.kind {
				t.Errorf("got %v, want kind %q", err, c.kind)
			}
			if got := asked.Load().(string); c.kind == Guard && got != "" && got != "out.test" {
				t.Errorf("the proxy was asked for %s", got)
			}
		})
	}
	if z.Asked() != 0 {
		t.Errorf("%d names were looked up beside the proxy", z.Asked())
	}
}

func FuzzSeedHost(f *testing.F) {
	for _, s := range []string{"a.test", "a.test:80", "[::1]:80", "::1", "[", "a:b:c", "127.0.0.1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		g := newGuard([]string{host})
		if g.check("other.test", "80", netip.MustParseAddr("10.0.0.1")) == nil && plainHost(strings.TrimSuffix(host, ":80")) != "other.test" {
			t.Errorf("%q opens another host", host)
		}
	})
}
