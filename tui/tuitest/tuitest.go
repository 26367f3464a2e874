// Package tuitest gives the tests of the workbench real engines. Its own tests drive the built
// program as users do: on the command line, in a real terminal and over SSH. They also kill it,
// damage its files and fill its disk.
//
// One worker crawls the demo web once in a test process, up to a bound. The folder is kept at
// several stages of an analyst's work. A test gets a copy of one stage, which opens in about twenty
// milliseconds. The engine's clock stands at Start. The pages within the bound may differ by a few
// from run to run, so tests take their expected values from the engine.
package tuitest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store/config"
	"angler/topic"
	"angler/tui/screen"
)

// Start is the time of all engines of this package.
var Start = time.Date(2026, 11, 20, 14, 2, 11, 0, time.FixedZone("CST", 8*3600))

// Stage is the progress of an analyst.
type Stage int

// The stages; each continues the one before.
const (
	Empty    Stage = iota // before any crawl
	Crawled               // about 240 pages, no samples
	Sampled               // three samples, and about 50 notices from a harvest
	Labelled              // 16 labels of both kinds: the learner is ready
	stages
)

// kept holds the folders of the stages, made on first use.
var kept struct {
	mu   sync.Mutex
	root string
	done [stages]bool
}

// Main runs the tests and removes the folders; call it from TestMain.
func Main(m *testing.M) int {
	defer func() { os.RemoveAll(kept.root) }()
	return m.Run()
}

// Open opens a copy of a stage for one test.
func Open(t testing.TB, s Stage) *demo.Engine {
	t.Helper()
	e, err := open(Copy(t, s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// Copy copies the folder of a stage for one test and returns the path.
func Copy(t testing.TB, s Stage) string {
	t.Helper()
	from, err := folder(s)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "tenders")
	if s > Empty {
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Parts opens a copy of a stage and returns its parts.
func Parts(t testing.TB, s Stage) screen.Parts {
	t.Helper()
	return screen.PartsOf(Open(t, s).Engine)
}

// Running opens a copy of a stage with a running but idle discovery: after one page of every host,
// all hosts rest for an hour.
func Running(t testing.TB, s Stage) *demo.Engine {
	t.Helper()
	e := Open(t, s)
	if err := errors.Join(e.Settings.SetDelay(time.Hour), e.Runs.StartDiscovery()); err != nil {
		t.Fatal(err)
	}
	await(t, e, "all hosts rest", func(s *view.Snapshot) bool {
		stored := s.Run.Pages + s.Run.Unchanged
		for _, x := range s.Run.Errors {
			stored += x.N
		}
		return s.State == view.Running && s.Patient && s.Fetched > 0 && s.Fetched == stored &&
			s.Counts.Processing == 0 &&
			!slices.ContainsFunc(s.Hosts, func(h view.HostRow) bool { return h.Waiting > 0 && !h.Next.After(s.At) })
	})
	return e
}

// await waits until a snapshot of the engine meets a condition.
func await(t testing.TB, e *demo.Engine, what string, met func(*view.Snapshot) bool) {
	t.Helper()
	snaps, end := e.Subscribe()
	defer end()
	late := time.After(3 * time.Minute)
	for last := (*view.Snapshot)(nil); ; {
		select {
		case last = <-snaps:
			if met(last) {
				return
			}
		case <-late:
			t.Fatalf("waited in vain until %s; the last snapshot: %+v", what, last)
		}
	}
}

// Row returns a page as the lists show it now.
func Row(t testing.TB, e *demo.Engine, id uint64) query.CandidateRow {
	t.Helper()
	rows, err := e.Pages.Pages(t.Context(), []uint64{id})
	if err != nil || len(rows) != 1 {
		t.Fatalf("page %d: %d rows, %v", id, len(rows), err)
	}
	return rows[0]
}

func open(dir string) (*demo.Engine, error) {
	material, err := webtest.FindMaterial()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	e, err := demo.Open(ctx, material, dir, crawl.Options{By: "wang", Now: func() time.Time { return Start },
		// The background search for terms would finish at any moment of a test.
		Override: func(s *config.Settings) { s.Terms.Propose = false }})
	if err != nil {
		return nil, err
	}
	if err := e.Words(ctx); err != nil { // judged with the words of the dictionary
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// folder returns the folder of a stage.
func folder(s Stage) (string, error) {
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.root == "" {
		root, err := os.MkdirTemp("", "angler-uitest-")
		if err != nil {
			return "", err
		}
		kept.root = root
	}
	for at := Crawled; at <= s; at++ {
		if kept.done[at] {
			continue
		}
		if err := reach(at); err != nil {
			return "", fmt.Errorf("stage %d: %w", at, err)
		}
		kept.done[at] = true
	}
	return dirOf(s), nil
}

func dirOf(s Stage) string { return filepath.Join(kept.root, strconv.Itoa(int(s)), "tenders") }

// reach makes the folder of a stage from the stage before.
func reach(s Stage) error {
	if s > Crawled {
		if err := os.CopyFS(dirOf(s), os.DirFS(dirOf(s-1))); err != nil {
			return err
		}
	} else if err := os.MkdirAll(filepath.Dir(dirOf(s)), 0o700); err != nil {
		return err
	}
	e, err := open(dirOf(s))
	if err != nil {
		return err
	}
	switch s {
	case Crawled:
		err = discover(e)
	case Sampled:
		err = harvest(e)
	case Labelled:
		err = answer(e, 16)
	}
	return errors.Join(err, e.Close())
}

func discover(e *demo.Engine) error {
	if err := e.Settings.SetWorkers(1); err != nil {
		return err
	}
	_, err := e.Runs.Discover(context.Background(), run.Options{MaxPages: 250})
	return err
}

func harvest(e *demo.Engine) error {
	ctx := context.Background()
	// A short crawl has not met every list: those that it met come first.
	lists := e.TenderLists(math.MaxInt)
	met := func(url string) int {
		id, _ := e.Workspace().Lookup(url)
		if row, err := e.Workspace().Page(id); err != nil || row == nil {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(lists, func(a, b string) int { return met(a) - met(b) })
	for _, u := range lists[:3] {
		if _, err := e.Topic.AddSample(ctx, u, ""); err != nil {
			return err
		}
	}
	_, err := e.Runs.Harvest(ctx, run.Options{MaxPages: 60})
	return err
}

// answer labels the next n pages of the queue like an analyst who wants pages similar to the model:
// yes above a score of .3, otherwise no.
func answer(e *demo.Engine, n int) error {
	for range n {
		rows, err := e.Labels.LabelQueue(context.Background(), 1)
		if err != nil || len(rows) == 0 {
			return fmt.Errorf("the queue has %d rows: %v", len(rows), err)
		}
		l := topic.No
		if rows[0].Score > .3 {
			l = topic.Yes
		}
		if err := e.Labels.SetLabel(rows[0].ID, l); err != nil {
			return err
		}
	}
	return nil
}
