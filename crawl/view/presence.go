package view

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

// Presence lists the attached viewers. The zero value is empty; it is safe for concurrent use.
type Presence struct {
	mu   sync.Mutex
	here []*Viewer
}

// List returns a copy, longest attached first.
func (p *Presence) List() []Viewer {
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

// Enter adds a viewer until leave is called.
func (p *Presence) Enter(v Viewer) (leave func()) {
	here := &v
	p.mu.Lock()
	defer p.mu.Unlock()
	p.here = append(p.here, here)
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.here = slices.DeleteFunc(p.here, func(o *Viewer) bool { return o == here })
	})
}
