package fetch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// script plays one connection of a hostile server; the request's head has been
// read, if it was one. The connection is closed when it returns.
type script func(c net.Conn)

func say(answer string) script { return func(c net.Conn) { io.WriteString(c, answer) } }

// hang waits until the client gives up.
func hang(c net.Conn) { io.Copy(io.Discard, c) }

// sayAndHang leaves the answer open.
func sayAndHang(answer string) script {
	return func(c net.Conn) { io.WriteString(c, answer); hang(c) }
}

func sayAndReset(answer string) script {
	return func(c net.Conn) {
		io.WriteString(c, answer)
		c.(*net.TCPConn).SetLinger(0) // close sends a reset
	}
}

// pour writes head and then what grow gives until the client has had enough or
// size bytes are out.
func pour(head string, grow []byte, size int, out *atomic.Int64) script {
	return func(c net.Conn) {
		io.WriteString(c, head)
		for int(out.Load()) < size {
			n, err := c.Write(grow)
			out.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
}

// hostile listens on loopback and plays s to every connection. When the test
// ends it asserts that the client has deleted every one of them.
func hostile(t *testing.T, s script) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var open sync.WaitGroup
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer c.Close()
				http.ReadRequest(bufio.NewReader(c)) // an error is all the same to it
				s(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		open.Wait() // a connection that the closed fetcher leaves open ends in the timeout of go test
	})
	return "http://" + l.Addr().String() + "/"
}

// noneLeft waits until no goroutine of a client is left. One that stays ends in the
// timeout of go test, which prints it.
func noneLeft() {
	for {
		var b bytes.Buffer
		pprof.Lookup("goroutine").WriteTo(&b, 2)
		if !strings.Contains(b.String(), "net/http.(*persistConn)") && !strings.Contains(b.String(), "fetch.(*robots).load") {
			return
		}
		runtime.Gosched()
	}
}

const ok = "HTTP/1.1 200 OK\r\n"

// Whatever a host does, a fetch ends with a typed error or with an answer that
// is marked as cut, and leaves neither connection nor goroutine behind.
func TestHostileHosts(t *testing.T) {
	big := strings.Repeat("x", 300<<10)
	cases := map[string]struct {
		play script
		kind Kind   // "" for an answer
		body string // of the answer
	}{
		"closes without a word":              {say(""), Connect, ""},
		"resets without a word":              {sayAndReset(""), Connect, ""},
		"hangs before the headers":           {hang, Timeout, ""},
		"hangs within the headers":           {sayAndHang(ok + "Content-Ty"), Timeout, ""},
		"hangs after the headers":            {sayAndHang(ok + "Content-Length: 5\r\n\r\n"), Timeout, ""},
		"hangs within the body":              {sayAndHang(ok + "Content-Length: 5\r\n\r\nhal"), Timeout, ""},
		"hangs after a complete body":        {sayAndHang(ok + "Content-Length: 4\r\n\r\npage"), "", "page"},
		"never ends a body without a length": {sayAndHang(ok + "\r\npage"), Timeout, ""},
		"resets within the body":             {sayAndReset(ok + "Content-Length: 5\r\n\r\nhal"), Body, ""},
		"length longer than the body":        {say(ok + "Content-Length: 5\r\n\r\nhal"), Body, ""},
		"length shorter than the body":       {say(ok + "Content-Length: 4\r\n\r\npage and then some"), "", "page"},
		"a second answer in the body":        {say(ok + "Content-Length: 4\r\n\r\npage" + ok + "Content-Length: 4\r\n\r\nevil"), "", "page"},
		"two lengths that agree":             {say(ok + "Content-Length: 4\r\nContent-Length: 4\r\n\r\npage"), "", "page"},
		"two lengths that differ":            {say(ok + "Content-Length: 4\r\nContent-Length: 5\r\n\r\npage"), Protocol, ""},
		"negative length":                    {say(ok + "Content-Length: -1\r\n\r\npage"), Protocol, ""},
		"length past all numbers":            {say(ok + "Content-Length: 99999999999999999999\r\n\r\npage"), Protocol, ""},
		"length of an exabyte":               {say(ok + "Content-Length: 1000000000000000000\r\n\r\npage"), Body, ""},
		"length and chunks":                  {say(ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n"), "", "page"},
		"chunk size is no number":            {say(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\npage\r\n0\r\n\r\n"), Body, ""},
		"chunk longer than it says":          {say(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\npage\r\n0\r\n\r\n"), Body, ""},
		"chunk size past all numbers":        {say(ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\npage"), Body, ""},
		"chunks without an end":              {say(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\npage\r\n"), Body, ""},
		"endless trailer":                    {say(ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + big + "\r\n\r\n"), Body, ""},
		"unknown transfer encoding":          {say(ok + "Transfer-Encoding: mime\r\n\r\npage"), Protocol, ""},
		"header without a colon":             {say(ok + "Nonsense\r\n\r\npage"), Protocol, ""},
		"header with a blank in its name":    {say(ok + "Content Length: 4\r\n\r\npage"), "", "page"},
		"header of 300 KB":                   {say(ok + "X: " + big + "\r\n\r\npage"), Protocol, ""},
		"40 000 headers":                     {say(ok + strings.Repeat("X: 1\r\n", 60_000) + "\r\npage"), Protocol, ""},
		"100 Continue for ever":              {say(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 20_000)), Protocol, ""},
		"switches protocols":                 {sayAndHang("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), Protocol, ""},
		"status 0":                           {say("HTTP/1.1 000 Zero\r\nContent-Length: 4\r\n\r\npage"), Protocol, ""},
		"status 99":                          {say("HTTP/1.1 099 Low\r\nContent-Length: 4\r\n\r\npage"), Protocol, ""},
		"status 1000":                        {say("HTTP/1.1 1000 High\r\nContent-Length: 4\r\n\r\npage"), Protocol, ""},
		"status -20":                         {say("HTTP/1.1 -20 Odd\r\nContent-Length: 4\r\n\r\npage"), Protocol, ""},
		"status is a word":                   {say("HTTP/1.1 abc Odd\r\n\r\npage"), Protocol, ""},
		"304 to an unconditional request":    {say("HTTP/1.1 304 Not Modified\r\n\r\n"), Protocol, ""},
		"HTTP 0.9":                           {say("<html>page</html>\r\n"), Protocol, ""},
		"another service":                    {say("SSH-2.0-OpenSSH_9.6\r\n"), Protocol, ""},
		"noise":                              {say("\x00\xff\x1b[2J\x07\r\n\r\n"), Protocol, ""},
		"version of another century":         {say("HTTP/9000.1 200 OK\r\n\r\npage"), Protocol, ""},
		"padding after the gzip stream":      {say(ok + "Content-Encoding: gzip\r\n\r\n" + string(packed(t, asGzip, []byte("page"))) + "\x00\x00\x00\x00padding"), "", "page"},
		"gzip cut in the middle":             {say(ok + "Content-Encoding: gzip\r\n\r\n" + string(packed(t, asGzip, []byte(big))[:100])), Body, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base := hostile(t, c.play)
			timeout := time.Minute
			if c.kind == Timeout {
				timeout = 50 * time.Millisecond
			}
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Timeout: timeout})
			res, err := f.Fetch(t.Context(), Request{URL: base})
			if kindOf(err) != c.kind {
				t.Fatalf("got %+v, %v; want kind %q", res, err, c.kind)
			}
			if err == nil && (string(res.Body) != c.body || res.Status != 200) {
				t.Errorf("got status %d %q, want %q", res.Status, res.Body, c.body)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\x00\x1b\x07\r\n") {
				t.Errorf("message %q is not one plain line", err)
			}
		})
	}
	noneLeft()
}

// 100 MB are not read to their end, however they are wrapped.
func TestHostileFlood(t *testing.T) {
	const limit, flood = 64 << 10, 100 << 20
	chunk := append([]byte("10000\r\n"), append(make([]byte, 1<<16), "\r\n"...)...)
	cases := map[string]struct {
		head string
		grow []byte
		kind Kind
	}{
		"plain":   {ok + fmt.Sprintf("Content-Length: %d\r\n\r\n", flood), make([]byte, 1<<16), ""},
		"chunked": {ok + "Transfer-Encoding: chunked\r\n\r\n", chunk, ""},
		"packed":  {ok + "Content-Encoding: gzip\r\n\r\n", packed(t, asGzip, make([]byte, 8<<20)), ""},
		"headers": {ok, bytes.Repeat([]byte("X-Flood: 12345678\r\n"), 1000), Protocol},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out atomic.Int64
			base := hostile(t, pour(c.head, c.grow, flood, &out))
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, MaxBody: limit})
			res, err := f.Fetch(t.Context(), Request{URL: base})
			if kindOf(err) != c.kind {
				t.Fatalf("got %+v, %v; want kind %q", res, err, c.kind)
			}
			if err == nil && (!res.Truncated || len(res.Body) != limit) {
				t.Errorf("kept %d bytes, truncated %v", len(res.Body), res.Truncated)
			}
			if n := out.Load(); n > flood/2 {
				t.Errorf("the server got rid of %d bytes", n)
			}
		})
	}
	noneLeft()
}

// A host that sends a byte a second keeps a worker no longer than one that
// sends nothing: the time limit is of the whole exchange. The bubble's clock
// moves by itself, and the test fails if it leaves a goroutine behind.
func TestHostileDrip(t *testing.T) {
	cases := map[string]struct{ head, drop string }{
		"headers": {ok, "X: 1\r\n"},
		"body":    {ok + "\r\n", "x"},
		"chunks":  {ok + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"},
		"robots":  {ok + "\r\n", "#"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const timeout = 20 * time.Second
				var servers sync.WaitGroup
				dial := func(_ context.Context, _, _ string) (net.Conn, error) {
					client, server := net.Pipe()
					servers.Go(func() {
						defer server.Close()
						if _, err := http.ReadRequest(bufio.NewReader(server)); err != nil {
							return
						}
						io.WriteString(server, c.head)
						tick := time.NewTicker(time.Second)
						defer tick.Stop()
						for range tick.C {
							if _, err := io.WriteString(server, c.drop); err != nil {
								return
							}
						}
					})
					return client, nil
				}
				f, err := New(Config{Dial: dial, IgnoreRobots: name != "robots", Timeout: timeout})
				must(t, err)
				defer f.Close()
				start, want := time.Now(), Timeout
				if name == "robots" {
					want = RobotsUnavailable
				}
				res, err := f.Fetch(t.Context(), Request{URL: "http://drip.test/"})
				if took := time.Since(start); kindOf(err) != want || took != timeout {
					t.Errorf("got %+v, %v after %v; want %q after %v", res, err, took, want, timeout)
				}
				f.Close()
				servers.Wait() // they end on a closed connection only
			})
		})
	}
}

// Redirects are followed only for one-off commands, so many times and no more,
// and only to what can be fetched.
func TestHostileRedirects(t *testing.T) {
	var base string
	base = serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := map[string]string{
			"/ping": "/pong", "/pong": "/ping", // a circle of two
			"/file": "file:///etc/passwd", "/script": "javascript:alert(1)", "/ftp": "ftp://ftp.test/",
			"/secure": strings.Replace(base, "http:", "https:", 1) + "/",
		}[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, "/grow") {
			to = r.URL.Path + "x"
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	})
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	cases := map[string]struct {
		path string
		kind Kind
	}{
		"a circle":                 {"/ping", Redirect},
		"always a new address":     {"/grow", Redirect},
		"to a file":                {"/file", ""},
		"to a script":              {"/script", ""},
		"to another protocol":      {"/ftp", ""},
		"to https on a plain port": {"/secure", TLS},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			res, err := f.Follow(t.Context(), Request{URL: base + c.path}, 10)
			if kindOf(err) != c.kind {
				t.Fatalf("got %+v, %v; want kind %q", res, err, c.kind)
			}
			if err == nil && res.URL != base+c.path && res.Location != "" {
				t.Errorf("went on to %s", res.URL)
			}
		})
	}
}

// A server that takes the connection but never shakes hands does not hold it.
func TestHostileHandshake(t *testing.T) {
	base := hostile(t, hang)
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Timeout: 50 * time.Millisecond})
	if _, err := f.Fetch(t.Context(), Request{URL: strings.Replace(base, "http:", "https:", 1)}); kindOf(err) != Timeout {
		t.Errorf("got %v, want a timeout", err)
	}
}
