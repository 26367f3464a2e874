package remote

import (
	"context"
	"errors"
	"time"
)

// The reasons why a workbench ends although nobody quit it.
var (
	errIdle    = errors.New("no key was pressed for too long")
	errRevoked = errors.New("the key was taken out of authorized_keys, or its role changed")
)

// recheck is how often the keys of those attached are looked up again.
const recheck = 10 * time.Second

// watch drops clients that read nothing for too long, and ends sessions whose
// key does not give what it gave, until ctx ends.
func (s *Server) watch(ctx context.Context) {
	every := max(time.Millisecond, min(recheck, s.c.Limits.Stall/10))
	tick := time.NewTicker(every)
	defer tick.Stop()
	checked := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		open := s.attached()
		for _, x := range open {
			if x.out.Stalled() > s.c.Limits.Stall {
				s.c.Log.Warn("dropped: the client reads nothing", "name", x.who.Name, "from", x.from)
				x.conn.Close()
			}
		}
		if len(open) > 0 && time.Since(checked) >= recheck {
			checked = time.Now()
			s.revoke(open)
		}
	}
}

// revoke ends the sessions whose key is gone or means something else now.
func (s *Server) revoke(open []*session) {
	keys := s.keys()
	for _, x := range open {
		if now, ok := keys.people[x.key]; !ok || now != x.who {
			s.c.Log.Warn("ended: the key does not give this any more", "name", x.who.Name, "role", string(x.who.Role), "from", x.from)
			x.cancel(errRevoked)
		}
	}
}
