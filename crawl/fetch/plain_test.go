package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func plainTransport(dial func(context.Context, string, string) (net.Conn, error)) *plainHTTP {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return &plainHTTP{Dial: dial, MaxHead: 64 << 10, MaxIdlePerHost: 2, MaxIdle: 3, IdleTime: 30 * time.Second}
}

func get(t *testing.T, ctx context.Context, rt http.RoundTripper, url string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	must(t, err)
	res, err := rt.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// scripted dials to servers in memory. Each connection is played by the script; n counts
// them from 1.
func scripted(play func(n int, c net.Conn, r *bufio.Reader)) (dial func(context.Context, string, string) (net.Conn, error), dialled *atomic.Int32) {
	dialled = new(atomic.Int32)
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		n := int(dialled.Add(1))
		go func() {
			defer server.Close()
			play(n, server, bufio.NewReader(server))
		}()
		return client, nil
	}, dialled
}

// asked reads one request and reports whether there was one.
func asked(r *bufio.Reader) bool {
	_, err := http.ReadRequest(r)
	return err == nil
}

func answer(c net.Conn, body string) {
	fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func TestTakes(t *testing.T) {
	cases := map[string]struct {
		method, url string
		body        io.Reader
		want        bool
	}{
		"get":           {"GET", "http://a.test/", nil, true},
		"https":         {"GET", "https://a.test/", nil, false},
		"post":          {"POST", "http://a.test/", strings.NewReader("x"), false},
		"get with body": {"GET", "http://a.test/", strings.NewReader("x"), false},
	}
	for name, c := range cases {
		req := httptest.NewRequest(c.method, c.url, c.body)
		if c.body == nil {
			req.Body = nil
		}
		if got := plainTakes(req); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// One connection serves one request after the other, bodies with a length, in chunks and
// without any.
func TestConnectionsAreUsedAgain(t *testing.T) {
	var opened atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/chunks":
			for range 3 {
				io.WriteString(w, strings.Repeat("x", 5000))
				w.(http.Flusher).Flush()
			}
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		case "/early":
			w.WriteHeader(http.StatusEarlyHints)
			io.WriteString(w, "page")
		default:
			io.WriteString(w, "page")
		}
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	rt := plainTransport(nil)
	for _, c := range []struct{ path, want string }{
		{"/", "page"}, {"/chunks", strings.Repeat("x", 15000)}, {"/none", ""}, {"/early", "page"}, {"/", "page"},
	} {
		if got, err := get(t, t.Context(), rt, s.URL+c.path); got != c.want || err != nil {
			t.Errorf("%s: %d bytes, %v", c.path, len(got), err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections for requests one after the other", n)
	}
	rt.CloseIdleConnections()
	if rt.kept != 0 || len(rt.idle) != 0 || rt.expiry != nil {
		t.Errorf("%d connections are kept after closing", rt.kept)
	}
}

// A server that closes idle connections is asked again on a new one, and only then.
func TestClosedWhileIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			idle time.Duration
			want int32 // connections
		}{
			"at once": {0, 2}, "later, seen before the request": {2 * time.Second, 2},
		} {
			dial, dialled := scripted(func(n int, c net.Conn, r *bufio.Reader) {
				for asked(r) {
					answer(c, fmt.Sprint("from ", n))
					if n == 1 {
						return
					}
				}
			})
			rt := plainTransport(dial)
			for i := range 2 {
				got, err := get(t, t.Context(), rt, "http://a.test/")
				if want := fmt.Sprint("from ", i+1); got != want || err != nil {
					t.Errorf("%s: request %d got %q, %v", name, i+1, got, err)
				}
				synctest.Wait()
				<-time.After(c.idle) // of the bubble
			}
			if n := dialled.Load(); n != c.want {
				t.Errorf("%s: %d connections", name, n)
			}
			rt.CloseIdleConnections()
		}
	})
}

// A new connection that ends without a word is an error and no reason to ask again.
func TestClosedWithoutAWord(t *testing.T) {
	dial, dialled := scripted(func(_ int, _ net.Conn, r *bufio.Reader) { asked(r) })
	if _, err := get(t, t.Context(), plainTransport(dial), "http://a.test/"); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
	if n := dialled.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// What a server says unasked is never taken for an answer: neither what follows an answer
// nor what comes while the connection is idle.
func TestUnaskedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
		for name, late := range map[string]time.Duration{"with the answer": 0, "while idle": time.Second} {
			dial, _ := scripted(func(n int, c net.Conn, r *bufio.Reader) {
				for asked(r) {
					said := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n%04d", n)
					if late == 0 {
						io.WriteString(c, said+evil)
						continue
					}
					io.WriteString(c, said)
					<-time.After(late)
					io.WriteString(c, evil)
				}
			})
			rt := plainTransport(dial)
			for i := range 3 {
				if got, err := get(t, t.Context(), rt, "http://a.test/"); got != fmt.Sprintf("%04d", i+1) || err != nil {
					t.Errorf("%s: request %d got %q, %v", name, i+1, got, err)
				}
				<-time.After(2 * late)
			}
			rt.CloseIdleConnections()
		}
	})
}

// The context ends a request wherever it is, and the connection with it.
func TestContextEnds(t *testing.T) {
	said := map[string]string{
		"before the head": "", "in the head": "HTTP/1.1 200 OK\r\nX: ", "in the body": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
	}
	for name, said := range said {
		synctest.Test(t, func(t *testing.T) {
			closed := make(chan struct{})
			dial, _ := scripted(func(_ int, c net.Conn, r *bufio.Reader) {
				asked(r)
				io.WriteString(c, said)
				io.Copy(io.Discard, c)
				close(closed)
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			if _, err := get(t, ctx, plainTransport(dial), "http://a.test/"); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(start))
			}
			<-closed
		})
	}
}

// A body that is not read to its end costs the connection: what is left of it has no bound.
func TestUnreadBody(t *testing.T) {
	poured := make(chan int, 1)
	dial, dialled := scripted(func(_ int, c net.Conn, r *bufio.Reader) {
		asked(r)
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", 1<<30)
		n, err := 0, error(nil)
		for chunk := make([]byte, 1<<16); err == nil; n++ {
			_, err = c.Write(chunk)
		}
		poured <- n << 16
	})
	rt := plainTransport(dial)
	req, _ := http.NewRequest(http.MethodGet, "http://a.test/", nil)
	res, err := rt.RoundTrip(req)
	must(t, err)
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
	if n := <-poured; n > 1<<20 {
		t.Errorf("the server got rid of %d bytes", n)
	}
	if rt.kept != 0 || dialled.Load() != 1 {
		t.Errorf("%d connections are kept", rt.kept)
	}
}

// The head is bounded, all interim answers together.
func TestLongHead(t *testing.T) {
	big := strings.Repeat("x", 100<<10)
	for name, c := range map[string]struct{ head, want string }{
		"one line":   {"HTTP/1.1 200 OK\r\nX: " + big + "\r\n\r\n", "headers exceeded"},
		"interim":    {strings.Repeat("HTTP/1.1 103 Early\r\nX: "+big[:30<<10]+"\r\n\r\n", 3), "headers exceeded"},
		"many short": {strings.Repeat("HTTP/1.1 103 Early\r\n\r\n", 10), "too many 1xx"},
	} {
		dial, _ := scripted(func(_ int, conn net.Conn, r *bufio.Reader) {
			asked(r)
			io.WriteString(conn, c.head)
		})
		if _, err := get(t, t.Context(), plainTransport(dial), "http://a.test/"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// No more connections are kept than were asked for, of one host and of all, and none longer
// than it was asked for.
func TestFewAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var open atomic.Int32
		meet := make(chan struct{})
		dial, _ := scripted(func(_ int, c net.Conn, r *bufio.Reader) {
			open.Add(1)
			defer open.Add(-1)
			for asked(r) {
				<-meet
				answer(c, "page")
			}
		})
		rt := plainTransport(dial)
		together := func(urls ...string) {
			var all sync.WaitGroup
			for _, u := range urls {
				all.Go(func() {
					if got, err := get(t, t.Context(), rt, u); got != "page" || err != nil {
						t.Errorf("%s: %q, %v", u, got, err)
					}
				})
			}
			synctest.Wait()
			for range urls {
				meet <- struct{}{}
			}
			all.Wait()
			synctest.Wait()
		}
		together("http://a.test/", "http://a.test/", "http://a.test/")
		if n := open.Load(); n != 2 {
			t.Errorf("%d connections of one host are kept", n)
		}
		<-time.After(time.Second)
		together("http://b.test/", "http://b.test/")
		rt.mu.Lock()
		ofB := len(rt.idle["b.test:80"])
		rt.mu.Unlock()
		if n := open.Load(); n != 3 || ofB != 2 {
			t.Errorf("%d connections of all hosts are kept, %d of the one used last", n, ofB)
		}
		<-time.After(rt.IdleTime)
		<-time.After(rt.IdleTime)
		synctest.Wait()
		if n := open.Load(); n != 0 {
			t.Errorf("%d connections are open after their time", n)
		}
	})
}

// Whatever a server sends, there is an answer or an error, and never more than was asked
// for in the head; what net/http takes for a whole answer is one here, too.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"))
	f.Add([]byte("HTTP/1.0 304 Not Modified\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\nno"))
	f.Fuzz(func(t *testing.T, said []byte) {
		dial, _ := scripted(func(_ int, c net.Conn, r *bufio.Reader) {
			asked(r)
			c.Write(said)
		})
		rt := plainTransport(dial)
		got, err := get(t, t.Context(), rt, "http://a.test/")
		rt.CloseIdleConnections()
		req, _ := http.NewRequest(http.MethodGet, "http://a.test/", nil)
		res, wrong := http.ReadResponse(bufio.NewReaderSize(bytes.NewReader(said), readBuffer), req)
		if wrong != nil || res.StatusCode < 200 {
			return
		}
		want, wrong := io.ReadAll(res.Body)
		if (wrong == nil) != (err == nil) || wrong == nil && got != string(want) {
			t.Errorf("got %q, %v; want %q, %v", got, err, want, wrong)
		}
	})
}
