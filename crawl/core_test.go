package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/attachments"
	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// workspace opens an engine on a new workspace with these seeds.
func workspace(t *testing.T, seeds ...string) *Engine {
	t.Helper()
	dir := t.TempDir()
	set := config.Default()
	set.Seeds = seeds
	must(t, store.Create(dir, set))
	e, err := Open(context.Background(), dir, Options{By: "wang"})
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func TestOneEngineInManyHands(t *testing.T) {
	e := workspace(t, "http://a.test/")
	li := e.As(auth.Actor{Name: "li", Role: auth.Viewer})
	if li.Inbox.Name != "li" || e.Inbox.Name != "wang" || li.core != e.core {
		t.Error("As gives another engine, or another name")
	}
	if e.Inbox.Role != auth.Owner || li.Inbox.Role != auth.Viewer {
		t.Errorf("opening acts as %q, As as %q", e.Inbox.Role, li.Inbox.Role)
	}
}

func TestExportTellsItsProgress(t *testing.T) {
	ctx := context.Background()
	e := workspace(t, "http://a.test/")
	if _, err := e.ws.Seed([]string{"http://a.test/", "http://b.test/", "http://c.test/"}); err != nil {
		t.Fatal(err)
	}
	// It is a job like others: one at a time, and cancelled as one.
	if _, err := e.jobs.Begin(ctx, "looking for terms", 0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "frontier.csv")
	if _, err := e.Pages.ExportFile(ctx, query.ExportPlan{What: "frontier"}, path, false); err == nil || !strings.Contains(err.Error(), "looking for terms is under way") {
		t.Errorf("beside another job: %v", err)
	}
	e.jobs.End()
	n, err := e.Pages.ExportFile(ctx, query.ExportPlan{What: "frontier"}, path, false)
	if err != nil || n != 3 || e.jobs.Done.Load() != 3 || e.jobs.Now().Name != "" {
		t.Errorf("%d rows, progress %d, %v, job %+v", n, e.jobs.Done.Load(), err, e.jobs.Now())
	}
}

// TestMetricsFormat checks every line against the exposition format.
func TestMetricsFormat(t *testing.T) {
	e := workspace(t, "http://a.test/")
	e.publisher.hub.Publish(&view.Snapshot{Seq: 1 << 40, Task: view.Harvest, HarvestRate: .25,
		Seen: store.FilterFigures{Bits: 1 << 20, Hashes: 10, Fill: .5, FalseRate: .0009765625, Maybe: 40, False: 2}, Viewers: []view.Viewer{{Name: "li"}}, Counts: view.Counts{Waiting: 7, Notices: 3}})
	e.metrics.Fetched(nil, &fetch.Error{Kind: "a\"b\\c\nd"})
	e.metrics.Fetched(&fetch.Response{Status: 200, Took: time.Minute}, nil)
	var b bytes.Buffer
	must(t, e.WriteMetrics(&b))
	line := regexp.MustCompile(`^(# (HELP|TYPE) angler_[a-z_]+ \S.*|angler_[a-z_]+(\{[a-z]+="([^"\\\n]|\\["\\n])*"(,[a-z]+="([^"\\\n]|\\["\\n])*")*\})? -?[0-9.e+-]+)$`)
	for l := range strings.Lines(b.String()) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("line %q", l)
		}
	}
	for _, want := range []string{`angler_queue{state="waiting"} 7`, "angler_notices 3", "angler_harvest_rate 0.25", "angler_viewers 1",
		"angler_seen_bits 1.048576e+06", "angler_seen_hashes 10", "angler_seen_fill 0.5", "angler_seen_false_rate 0.0009765625", "angler_seen_maybe_total 40", "angler_seen_false_total 2",
		`angler_running{task="harvest"} 1`, `angler_errors_total{kind="a\"b\\c\nd"} 1`, `angler_fetch_seconds_bucket{le="20"} 0`,
		`angler_fetch_seconds_bucket{le="+Inf"} 1`, "angler_fetch_seconds_count 1"} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no line %s in\n%s", want, b.String())
		}
	}
}

func TestTheLongestTimeIsKept(t *testing.T) {
	var l maxDuration
	for _, d := range []time.Duration{2, 3000, 2000} {
		l.add(d)
	}
	if l.get() != 3000 {
		t.Errorf("the longest is %v", l.get())
	}
}

// A notice whose fields cannot be read keeps no other from being read, is not forgotten,
// and is not taken for read.
func TestFieldsThatCannotBeReadAreTriedAgain(t *testing.T) {
	e := workspace(t, "http://a.test/")
	ctx := t.Context()
	must(t, e.facts.Idle(ctx))
	var ids []uint64
	for i := range 70 { // more than are stored at once
		found, err := e.ws.Seed([]string{fmt.Sprintf("http://a.test/%d.htm", i)})
		must(t, err)
		n := &store.Notice{ID: found[0].Row.ID, URL: found[0].Row.URL, Title: "招标公告", Attachments: []store.Attachment{{Name: "a.pdf", URL: "http://a.test/a.pdf"}}}
		if _, err := e.ws.Commit(nil, []*store.Capture{{ID: n.ID, State: store.Complete, Notice: n}}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, n.ID)
	}
	read := func() (n int) {
		for _, id := range ids {
			if row, _, err := records.FactsOf(e.ws, id); err == nil && row != nil {
				n++
			}
		}
		return n
	}
	var fails atomic.Pointer[error] // the keeper may be reading when Idle has returned an error
	fails.Store(new(error))
	e.facts.Documents = failingDocuments{e.files, ids[3], &fails}
	for _, failure := range []error{errors.New("the disk is away"), context.Canceled} {
		fails.Store(&failure)
		e.facts.Again(ids)
		if err := e.facts.Idle(ctx); !errors.Is(err, failure) {
			t.Errorf("idle with an unread notice: %v, want %v", err, failure)
		}
		if n := read(); n != len(ids)-1 || !e.facts.Busy() {
			t.Errorf("%v: %d of %d notices are read, busy %v", failure, n, len(ids), e.facts.Busy())
		}
	}
	fails.Store(new(error))
	if err := e.facts.Idle(ctx); err != nil || read() != len(ids) || e.facts.Busy() {
		t.Errorf("at last %d of %d notices are read, %v, busy %v", read(), len(ids), err, e.facts.Busy())
	}
}

// failingDocuments are documents without a text, those of one notice with an error.
type failingDocuments struct {
	*attachments.Documents
	notice uint64
	fails  *atomic.Pointer[error]
}

func (d failingDocuments) Texts(n *store.Notice) ([]attachments.DocumentText, error) {
	if n.ID == d.notice {
		return nil, *d.fails.Load()
	}
	return nil, nil
}

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
