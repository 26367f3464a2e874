package crawl

import (
	"context"
	"path/filepath"
	"testing"

	"angler/crawl/order"
	"angler/crawl/view"
	"angler/store"
)

// meanwhile is a link order beside which something happens at the nth question.
type meanwhile struct {
	order.Strategy
	n  int
	do func()
}

func (m *meanwhile) Value(*order.Target) float64 {
	if m.n--; m.n == 0 {
		m.do()
	}
	return .5
}

// Links of pages that were in flight while the scope shrank, or a rule dropped
// them, do not stay in the frontier.
func TestScopeAndRulesReachWhatIsBeingAdmitted(t *testing.T) {
	for name, change := range map[string]func(*Engine) error{
		"scope": func(e *Engine) error {
			return e.Change("scope", func(s *store.Settings) { s.Scope.Kind, s.Scope.Include = "pattern", []string{"^http://a.test/b/"} })
		},
		"rule": func(e *Engine) error { return e.Steer("/x", SteerDrop) },
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			dir := filepath.Join(t.TempDir(), "ws")
			set := store.DefaultSettings()
			set.Seeds = []string{"http://a.test/"}
			if err := store.Create(dir, set); err != nil {
				t.Fatal(err)
			}
			e, err := Open(ctx, dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			r, err := e.begin(ctx, view.Discovery, RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if _, err := r.end(nil); err != nil {
					t.Error(err)
				}
			}()
			found, err := e.ws.Admit([]store.Link{{URL: "http://a.test/x1"}, {URL: "http://a.test/x2"}, {URL: "http://a.test/b/y"}}, 1)
			if err != nil || len(found) != 3 {
				t.Fatalf("%d admitted, %v", len(found), err)
			}
			var s order.Strategy = &meanwhile{Strategy: r.order.now(), n: 2, do: func() {
				if err := change(e); err != nil {
					t.Error(err)
				}
			}}
			r.order.strategy.Store(&s)
			r.admit(found)
			var left []string
			for _, entry := range r.front.View(10, 10).Top {
				u, err := e.ws.URL(entry.ID)
				if err != nil {
					t.Fatal(err)
				}
				left = append(left, u.URL)
			}
			if len(left) != 1 || left[0] != "http://a.test/b/y" {
				t.Errorf("the frontier holds %q", left)
			}
		})
	}
}
