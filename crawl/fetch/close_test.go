package fetch

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// connections counts what a server has open.
type connections struct {
	mu     sync.Mutex
	open   map[net.Conn]bool
	opened int
	none   chan struct{} // gets a value when the last one was closed
}

func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.open[conn] = true
		c.opened++
	case http.StateClosed:
		if delete(c.open, conn); len(c.open) == 0 {
			select {
			case c.none <- struct{}{}:
			default:
			}
		}
	}
}

func (c *connections) count() (open, opened int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open), c.opened
}

// An idle connection outlives every test, so that only Close can have closed it.
func init() { idleTime = time.Hour }

// awaitNone waits until the server has no connection. A connection that Close leaves open
// ends in the timeout of go test.
func (c *connections) awaitNone() {
	for n, _ := c.count(); n > 0; n, _ = c.count() {
		<-c.none
	}
}

// Close leaves no connection open: not the idle ones, not that of a fetch in
// flight, not that of a fetch that begins too late.
func TestCloseClosesConnections(t *testing.T) {
	arrived, answer := make(chan struct{}), make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			arrived <- struct{}{}
			<-answer
		}
		io.WriteString(w, "list")
	}))
	c := &connections{open: map[net.Conn]bool{}, none: make(chan struct{}, 1)}
	s.Config.ConnState = c.changed
	s.Start()
	defer s.Close()
	f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
	fetch := func(path string) {
		if res, err := f.Fetch(t.Context(), Request{URL: s.URL + path}); err != nil || string(res.Body) != "list" {
			t.Errorf("%s: %+v, %v", path, res, err)
		}
	}
	var idle, inFlight sync.WaitGroup
	for range 3 {
		idle.Go(func() { fetch("/slow") })
	}
	for range 3 {
		<-arrived
	}
	for range 3 {
		answer <- struct{}{}
	}
	idle.Wait()
	inFlight.Go(func() { fetch("/slow") })
	<-arrived
	if open, opened := c.count(); open < 3 || opened < 3 {
		t.Fatalf("%d of %d connections are open, want those of three fetches at once", open, opened)
	}
	f.Close()
	answer <- struct{}{}
	inFlight.Wait()
	c.awaitNone()

	_, before := c.count()
	fetch("/late")
	if _, after := c.count(); after != before+1 {
		t.Errorf("%d connections were opened for a late fetch, want 1", after-before)
	}
	c.awaitNone()
}
