package crawl

import (
	"slices"
	"sync"
	"time"
)

// Viewer is one person attached to the workbench.
type Viewer struct {
	Name  string    `json:"name"`
	Role  string    `json:"role"`
	Since time.Time `json:"since"`
}

// presence is the list of who is attached.
type presence struct {
	mu   sync.Mutex
	here []*Viewer
}

// list returns a copy, the one attached longest first.
func (p *presence) list() []Viewer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.here) == 0 {
		return nil
	}
	out := make([]Viewer, len(p.here))
	for i, v := range p.here {
		out[i] = *v
	}
	return out
}

// Attend enters the person in whose hands the engine is into the list of
// viewers that every snapshot carries, until leave is called.
func (e *Engine) Attend(role string) (leave func()) {
	v := &Viewer{Name: e.by, Role: role, Since: e.now()}
	e.present.mu.Lock()
	e.present.here = append(e.present.here, v)
	e.present.mu.Unlock()
	e.publish()
	return sync.OnceFunc(func() {
		e.present.mu.Lock()
		e.present.here = slices.DeleteFunc(e.present.here, func(o *Viewer) bool { return o == v })
		e.present.mu.Unlock()
		e.publish()
	})
}
