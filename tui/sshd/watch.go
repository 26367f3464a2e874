package sshd

import (
	"context"
	"errors"
	"time"

	"angler/tui/widget"
)

// Reasons why a workbench ends other than its user quitting.
var (
	errIdle    = errors.New("no key was pressed for too long")
	errRevoked = errors.New("the key was taken out of authorized_keys, or its role changed")
)

const (
	// recheck is how often the keys of logged-in people are checked again.
	recheck = time.Second
	// surely is the time before a missing key is checked once more: an editor may empty the file before
	// it writes the new one.
	surely = 200 * time.Millisecond
	// unread is the number of failed reads of the file during which no session ends: there may be a
	// lack of descriptors.
	unread = 10
)

// watch drops clients that do not read, and ends sessions whose key has lost its rights, until ctx
// ends.
func (s *Server) watch(ctx context.Context) {
	every := max(time.Millisecond, min(recheck, s.c.Limits.Stall/10))
	told := s.c.Now()
	var missed map[string]bool // keys
	failed := 0                // failed reads in a row
	for {
		next := widget.Either(len(missed) > 0, min(every, surely), every)
		select {
		case <-ctx.Done():
			return
		case <-s.c.After(next):
		}
		for _, x := range s.attached() {
			if max(x.out.stalled(), x.errs.stalled()) > s.c.Limits.Stall {
				s.c.Log.Warn("dropped: the client reads nothing", "name", x.who.Name, "from", x.from)
				x.conn.Close()
			}
		}
		if now := s.c.Now(); now.Sub(told) >= leftEvery {
			if n := s.lines.Left(now); n > 0 {
				s.c.Log.Warn("lines about failed logins and refusals were left out", "lines", n)
				told = now
			}
		}
		if !s.anybody() {
			missed, failed = nil, 0
			continue
		}
		keys, err := s.keys()
		if failed++; err == nil {
			failed = 0
		}
		if failed > 0 && failed <= unread {
			continue
		}
		missed = s.revoke(&keys, missed)
	}
}

// anybody reports whether a client is logged in.
func (s *Server) anybody() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if c.key != "" {
			return true
		}
	}
	return false
}

// revoke ends the connections whose key was missing or changed before and still is; it returns the
// keys that are missing now.
func (s *Server) revoke(keys *keyList, before map[string]bool) map[string]bool {
	missed := map[string]bool{}
	for _, c := range s.without(keys) {
		if missed[c.key] = true; !before[c.key] {
			continue
		}
		s.c.Log.Warn("ended: the key does not give this any more", "name", c.who.Name, "role", string(c.who.Role),
			"from", hostOf(c.RemoteAddr()), "key", fingerprint(c.key))
		s.mu.Lock()
		c.revoked = true // no new sessions
		for x := range s.open {
			if x.conn == c {
				x.cancel(errRevoked)
			}
		}
		s.mu.Unlock()
		// Then the connection is cut.
		s.c.AfterFunc(s.c.Limits.Leave, func() { c.Close() })
	}
	return missed
}

// without lists the connections whose keys have lost their rights.
func (s *Server) without(keys *keyList) (out []*conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if c.key == "" || c.revoked {
			continue
		}
		if now, ok := keys.people[c.key]; !ok || now != c.who {
			out = append(out, c)
		}
	}
	return out
}
