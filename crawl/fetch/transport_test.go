package fetch

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestProxy(t *testing.T) {
	var asked atomic.Value
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, "from the proxy")
	})
	f := open(t, Config{Proxy: proxy})
	got, err := f.Fetch(t.Context(), Request{URL: "http://www.example.test/list.htm"})
	if err != nil || string(got.Body) != "from the proxy" || asked.Load() != "http://www.example.test/list.htm" {
		t.Fatalf("got %+v, %v; the proxy was asked for %v", got, err, asked.Load())
	}
	for _, u := range []string{"http://127.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://localhost:8080/", "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal./"} {
		if _, err := f.Fetch(t.Context(), Request{URL: u}); kindOf(err) != Guard {
			t.Errorf("%s through a proxy: got %v, want the guard to refuse it", u, err)
		}
	}
	if s := asked.Load(); s != "http://www.example.test/list.htm" {
		t.Errorf("the proxy was asked for %v", s)
	}
}

// A dialer of the caller's own reaches hosts no resolver knows, on loopback too.
func TestDial(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	var dialled atomic.Value
	f := open(t, Config{IgnoreRobots: true, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialled.Store(addr)
		var d net.Dialer
		return d.DialContext(ctx, network, strings.TrimPrefix(base, "http://"))
	}})
	got, err := f.Fetch(t.Context(), Request{URL: "http://zb.example.test/"})
	if err != nil || string(got.Body) != "zb.example.test" || dialled.Load() != "zb.example.test:80" {
		t.Errorf("got %+v, %v after dialling %v", got, err, dialled.Load())
	}
}

// A SOCKS5 proxy gets the host name, not an address: it resolves.
func TestSOCKS5(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "behind socks") })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	asked := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buf := make([]byte, 300)
		io.ReadFull(c, buf[:2])      // version, number of methods
		io.ReadFull(c, buf[:buf[1]]) // methods
		c.Write([]byte{5, 0})        // no authentication
		io.ReadFull(c, buf[:5])      // version, connect, 0, domain name, its length
		n := int(buf[4])
		io.ReadFull(c, buf[:n+2]) // name and port
		asked <- string(buf[:n])
		c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		up, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			return
		}
		defer up.Close()
		go io.Copy(up, c)
		io.Copy(c, up)
	}()
	f := open(t, Config{IgnoreRobots: true, Proxy: "socks5://" + l.Addr().String()})
	got, err := f.Fetch(t.Context(), Request{URL: "http://www.example.test/"})
	if err != nil || string(got.Body) != "behind socks" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if host := <-asked; host != "www.example.test" {
		t.Errorf("the proxy was asked for %q", host)
	}
	f.Close() // ends the proxy's copying
}

func FuzzRedirectTarget(f *testing.F) {
	for _, s := range []string{"/a", "//b.test/x", "http://[::1", "javascript:1", "\\\\evil.test", "?q=\xb9\xab", "http://a.test/%zz#f"} {
		f.Add(s)
	}
	base, err := parseURL("http://h.test/dir/page.htm")
	must(f, err)
	f.Fuzz(func(t *testing.T, location string) {
		got := redirectTarget(base, location)
		if got == "" {
			return
		}
		if !strings.HasPrefix(got, "http://") && !strings.HasPrefix(got, "https://") || strings.ContainsAny(got, "\r\n\x00 #") {
			t.Errorf("%q leads to %q", location, got)
		}
	})
}

func TestRedirectTargetsInOtherEncodings(t *testing.T) {
	base, err := parseURL("http://h.test/dir/page.htm")
	must(t, err)
	for location, want := range map[string]string{
		"/\xb9\xab\xb8\xe6/1.htm":            "http://h.test/%B9%AB%B8%E6/1.htm",
		"../x.htm?q=\xb9\xab&r=%E5#\xb9\xab": "http://h.test/x.htm?q=%B9%AB&r=%E5",
		"/公告/1.htm":                          "http://h.test/%E5%85%AC%E5%91%8A/1.htm",
		"http://\xb9\xab.test/":              "",
	} {
		if got := redirectTarget(base, location); got != want {
			t.Errorf("%q leads to %q, want %q", location, got, want)
		}
	}
}
