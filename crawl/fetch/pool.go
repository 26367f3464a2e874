package fetch

import (
	"errors"
	"os"
	"time"
)

// take returns the last used idle connection to an address that seems usable; nil = none.
func (t *plainHTTP) take(addr string) *conn {
	for {
		t.mu.Lock()
		all := t.idle[addr]
		if len(all) == 0 {
			t.mu.Unlock()
			return nil
		}
		c := all[len(all)-1]
		t.drop(addr, len(all)-1)
		t.mu.Unlock()
		if idle := time.Since(c.since); idle < checkAfter || idle < t.IdleTime && c.quiet() {
			return c
		}
		c.end()
	}
}

// quiet reports whether an idle connection is open and received nothing.
func (c *conn) quiet() bool {
	c.head.left = -1
	if c.net.SetReadDeadline(time.Now().Add(checkTime)) != nil {
		return false
	}
	_, err := c.r.Peek(1)
	return errors.Is(err, os.ErrDeadlineExceeded) && c.net.SetReadDeadline(time.Time{}) == nil
}

// drop removes a connection from idle. The caller holds t.mu.
func (t *plainHTTP) drop(addr string, i int) {
	all := t.idle[addr]
	copy(all[i:], all[i+1:])
	all[len(all)-1] = nil
	if all = all[:len(all)-1]; len(all) == 0 {
		delete(t.idle, addr)
	} else {
		t.idle[addr] = all
	}
	t.kept--
}

// keep adds a connection to the idle ones, or closes it if there are enough.
func (t *plainHTTP) keep(c *conn) {
	c.since = time.Now()
	t.mu.Lock()
	if len(t.idle[c.addr]) >= t.MaxIdlePerHost {
		t.mu.Unlock()
		c.end()
		return
	}
	if t.idle == nil {
		t.idle = map[string][]*conn{}
	}
	t.idle[c.addr] = append(t.idle[c.addr], c)
	t.kept++
	var old *conn
	if t.kept > t.MaxIdle {
		old = t.oldest()
	}
	if t.expiry == nil {
		t.expiry = time.AfterFunc(t.IdleTime, t.expire)
	}
	t.mu.Unlock()
	if old != nil {
		old.end()
	}
}

// oldest removes and returns the connection that is idle longest. The caller holds t.mu.
func (t *plainHTTP) oldest() *conn {
	var old *conn
	for _, all := range t.idle {
		if old == nil || all[0].since.Before(old.since) {
			old = all[0]
		}
	}
	t.drop(old.addr, 0)
	return old
}

// expire closes expired idle connections.
func (t *plainHTTP) expire() {
	now := time.Now()
	var ended []*conn
	t.mu.Lock()
	for addr, all := range t.idle {
		for len(all) > 0 && now.Sub(all[0].since) >= t.IdleTime {
			ended = append(ended, all[0])
			t.drop(addr, 0)
			all = t.idle[addr]
		}
	}
	if t.kept > 0 {
		t.expiry.Reset(t.IdleTime)
	} else {
		t.expiry = nil
	}
	t.mu.Unlock()
	for _, c := range ended {
		c.end()
	}
}

// CloseIdleConnections closes the idle connections.
func (t *plainHTTP) CloseIdleConnections() {
	t.mu.Lock()
	idle := t.idle
	t.idle, t.kept = nil, 0
	if t.expiry != nil {
		t.expiry.Stop()
		t.expiry = nil
	}
	t.mu.Unlock()
	for _, all := range idle {
		for _, c := range all {
			c.end()
		}
	}
}
