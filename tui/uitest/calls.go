package uitest

import (
	"context"
	"sync"

	"angler/tui/parts"
)

// Calls counts what is called past Around and makes methods fail. It is safe
// for concurrent use.
type Calls struct {
	mu    sync.Mutex
	count map[string]int
	fail  map[string]error
	hold  map[string]func(context.Context) error
}

// Count puts Calls around parts.
func Count(p parts.All) (*Calls, parts.All) {
	c := &Calls{count: map[string]int{}, fail: map[string]error{}, hold: map[string]func(context.Context) error{}}
	return c, Around(p, c.before)
}

func (c *Calls) before(ctx context.Context, method string) error {
	c.mu.Lock()
	c.count[method]++
	err, hold := c.fail[method], c.hold[method]
	c.mu.Unlock()
	if hold != nil {
		return hold(ctx)
	}
	return err
}

// Of returns how often a method was called.
func (c *Calls) Of(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count[method]
}

// Fail makes a method return err from now on, or work again for nil.
func (c *Calls) Fail(method string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fail[method] = err
}

// Hold makes a method wait for wait, whose error is its answer, or no longer
// for nil.
func (c *Calls) Hold(method string, wait func(context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold[method] = wait
}
