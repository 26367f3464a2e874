package crawl

import (
	"context"
	"sync/atomic"
	"testing"

	"angler/crawl/decisions"
	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store/config"
)

// Links of pages that were in flight while the scope shrank, or a rule dropped
// them, do not stay in the frontier.
func TestScopeAndRulesReachWhatIsBeingAdmitted(t *testing.T) {
	for name, change := range map[string]func(*Engine) error{
		"scope": func(e *Engine) error {
			return e.Settings.Change("scope", func(s *config.Settings) { s.Scope.Kind, s.Scope.Include = "pattern", []string{"^http://a.test/b/"} })
		},
		"rule": func(e *Engine) error { return e.Topic.Steer("/x", decisions.Drop) },
	} {
		t.Run(name, func(t *testing.T) {
			e := workspace(t, "http://a.test/")
			// The change comes when the second URL is asked for: the first was let in
			// under what was before.
			var asked atomic.Int32
			armed := false
			cfg := e.orderConfig()
			cfg.Scope = func() *urls.Scope {
				scope := e.settings.Scope()
				if armed && asked.Add(1) == 2 {
					if err := change(e); err != nil {
						t.Error(err)
					}
				}
				return scope
			}
			order, err := linkorder.NewPriorities(cfg)
			must(t, err)
			c := e.runner.config()
			c.Order = order
			r, err := run.New(context.Background(), c, view.Discovery, run.Options{})
			must(t, err)
			e.runner.now.Store(r)
			links := []string{"http://a.test/x1", "http://a.test/x2", "http://a.test/b/y"}
			armed = true
			must(t, r.Enter(links))
			armed = false
			var s view.Snapshot
			r.Fill(&s)
			e.runner.now.Store(nil)
			r.Stop()
			if asked.Load() < 2 {
				t.Fatal("nothing changed while the links were admitted")
			}
			if len(s.Frontier) != 1 || s.Frontier[0].URL != "http://a.test/b/y" {
				t.Errorf("the frontier holds %+v", s.Frontier)
			}
		})
	}
}
