package crawl

import (
	"sync"

	"angler/crawl/view"
)

// Attend enters the person in whose hands the engine is into the list of
// viewers that every snapshot carries, until leave is called.
func (e *Engine) Attend(role string) (leave func()) {
	end := e.present.Enter(view.Viewer{Name: e.by, Role: role, Since: e.now()})
	e.publish()
	return sync.OnceFunc(func() {
		end()
		e.publish()
	})
}
