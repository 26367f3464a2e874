package crawl_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"angler/crawl"
	"angler/crawl/query"
	"angler/crawl/run"
)

// stuck is a reader that stops after the first line until it is let go.
type stuck struct{ reached, free chan struct{} }

func (s *stuck) Write(p []byte) (int, error) {
	select {
	case <-s.reached:
	default:
		close(s.reached)
		<-s.free
	}
	return len(p), nil
}

// A client that takes an export and does not read it holds up no crawl: the database
// grows many times over beside it.
func TestAStuckExportStopsNoCrawl(t *testing.T) {
	begun := t.TempDir()
	b := crawledDemo(t, begun, crawl.Options{}, 3, run.Options{MaxPages: 200})
	if b.Workspace().Counts().Notices == 0 {
		t.Fatal("no notice came home")
	}
	must(t, b.Engine.Close())
	for _, what := range query.Exports {
		if testing.Short() && what != "pages" && what != "links" {
			continue // under the race detector each takes half a minute
		}
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.CopyFS(dir, os.DirFS(begun)))
			b := openDemo(t, dir, crawl.Options{})
			w := &stuck{make(chan struct{}), make(chan struct{})}
			free := sync.OnceFunc(func() { close(w.free) })
			t.Cleanup(free) // before the engine closes
			exported := make(chan error, 1)
			go func() {
				_, err := b.Pages.Export(context.Background(), query.ExportPlan{What: what}, w)
				exported <- err
			}()
			<-w.reached
			crawled := make(chan error, 1)
			go func() {
				_, err := b.Runs.Discover(context.Background(), run.Options{MaxPages: 600})
				crawled <- err
			}()
			var err error
			waitFor(t, "the crawl ends beside a stuck export of "+what, func() bool {
				select {
				case err = <-crawled:
					return true
				default:
					return false
				}
			})
			free()
			if err := <-exported; err != nil {
				t.Error(err)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
