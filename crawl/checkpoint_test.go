package crawl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/store/maintenance"
	"angler/topic"
)

// engineSays is all that an engine shows of what is stored.
func engineSays(t *testing.T, e *demo.Engine) map[string]any {
	t.Helper()
	ctx := context.Background()
	must(t, e.Words(ctx))
	rows, err := e.Pages.Candidates(ctx)
	must(t, err)
	queue, err := e.Labels.LabelQueue(ctx, 20)
	must(t, err)
	// Among equals the page that came first is asked for first, and which that is the rows
	// do not tell. While words are counted again, sums lag behind by some of the last digits
	// of a float32.
	var asked questions
	for _, row := range queue {
		asked = append(asked, question{float64(row.Value), row.Uncertain})
	}
	out := map[string]any{"candidates": rows, "queue": asked, "aggregations": e.Topic.Aggregations()}
	for _, what := range []string{"pages", "aggregations", "notices", "frontier", "links"} {
		out["export "+what] = exported[json.RawMessage](t, e.Engine, what)
	}
	s := e.Topic.Scores()
	ids, values := s.Sorted()
	pages := map[uint64]string{}
	others := s.Others(ids)
	for i, id := range ids {
		like, _ := s.Similarity(id)
		pages[id] = fmt.Sprint(values[i], like, s.Shadow(id), s.Same(id), others[id])
	}
	out["scores"] = pages
	out["threshold"] = []any{s.N, s.Theta, s.Rule, s.Otsu, s.Samples, s.LeaveOneOut, s.Negative, s.NegativeAlone}
	maps.Copy(out, e.Gathered())
	return out
}

// questions are what the queue of labels asks, in its order.
type questions []question

type question struct {
	value     float64
	uncertain bool
}

// same compares values but for the last digits of a float32.
func (q questions) same(o questions) bool {
	return slices.EqualFunc(q, o, func(a, b question) bool { return a.uncertain == b.uncertain && math.Abs(a.value-b.value) < 2e-4 })
}

// sameAsRows opens two copies of a workspace, as it lies on the disk, one of them without
// its checkpoint, and fails where they differ in anything. used is whether the checkpoint
// is to be read.
func sameAsRows(t *testing.T, what, dir string, used bool) {
	t.Helper()
	var says [2]map[string]any
	for i := range says {
		to := t.TempDir()
		must(t, os.CopyFS(to, os.DirFS(dir)))
		if i == 1 {
			if err := os.Remove(store.CheckpointPath(to)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		e := openDemo(t, to, crawl.Options{})
		if e.Recalled() != (used && i == 0) {
			t.Errorf("%s: a checkpoint was read: %v; %v", what, e.Recalled(), e.Workspace().Recalled)
		}
		says[i] = engineSays(t, e)
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(says[0])) {
		got, want := says[0][key], says[1][key]
		if asked, ok := got.(questions); ok && asked.same(want.(questions)) {
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %s:\n%.2000v\nfrom the rows:\n%.2000v", what, key, got, want)
		}
	}
}

// An engine that was opened with a checkpoint shows what one shows that has read every
// row, whatever came later, and however the process ended. What the goroutines of an
// opening share, those of TestADamagedCheckpoint share, too, so the race detector does
// without this one.
func TestOpeningWithACheckpoint(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("opens a workspace many times over; -short leaves it out")
	}
	ctx := context.Background()
	dir := t.TempDir()
	shallow := crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 2 }}
	e := openDemo(t, dir, shallow)
	sampled(t, e, 3)
	discover := func(pages int) {
		t.Helper()
		discover(t, e.Runs, run.Options{MaxPages: pages})
	}
	discover(250)
	closed := func() {
		t.Helper()
		must(t, e.Close())
	}
	closed()
	sameAsRows(t, "after a crawl", dir, true)

	e = openDemo(t, dir, crawl.Options{}) // pages that lay beyond the depth are within it
	discover(100)
	sameAsRows(t, "killed after another crawl", dir, true)
	harvest(t, e.Runs)
	rows := exported[view.PageRow](t, e.Engine, "pages")
	var ids []uint64
	for _, p := range rows {
		id, _ := e.Workspace().Lookup(p.URL)
		ids = append(ids, id)
	}
	for i, l := range []topic.Label{topic.Yes, topic.No, topic.No} {
		must(t, e.Labels.SetLabel(ids[7*i], l))
	}
	sameAsRows(t, "killed after a harvest and labels", dir, true)
	closed()
	sameAsRows(t, "after a harvest", dir, true)

	e = openDemo(t, dir, crawl.Options{})
	must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = .3; return "θ .3" }))
	must(t, e.Topic.AcceptTerms([]string{"竞争性磋商公告", "公开招标公告"}))
	sameAsRows(t, "killed while another dictionary counts", dir, true)
	must(t, e.Words(ctx))
	sameAsRows(t, "killed after that", dir, true)
	if n, err := store.DropBodies(e.Workspace(), ids[:60], nil, time.Now().Add(time.Hour)); err != nil || n == 0 {
		t.Fatalf("%d bodies dropped, %v", n, err)
	}
	must(t, e.Topic.StopWord("大学"))
	closed()
	sameAsRows(t, "without some bodies", dir, true)

	must(t, errOf(maintenance.Compact(ctx, dir, func(int64, int64) {})))
	sameAsRows(t, "compacted", dir, false)
	e = openDemo(t, dir, crawl.Options{})
	consistent(t, e.Engine)
	closed()
	sameAsRows(t, "closed after that", dir, true)
}

// A part that the store finds whole and its owner cannot use ends the checkpoint: the next
// closing writes another, and the opening after that reads it.
func TestACheckpointOfAnotherForm(t *testing.T) {
	dir := t.TempDir()
	e := crawledDemo(t, dir, crawl.Options{}, 3, run.Options{MaxPages: 60})
	must(t, e.Close())
	ws, err := store.Open(dir)
	must(t, err)
	must(t, store.DiscardCheckpoint(ws))
	if saved, err := store.SaveCheckpoint(ws, func(*store.Page) {}); err != nil || !saved { // without the parts of others
		t.Fatal(saved, err)
	}
	must(t, ws.Close())
	for i, want := range []bool{false, true} {
		e := openDemo(t, dir, crawl.Options{})
		if e.Recalled() != want {
			t.Errorf("opening %d has read a checkpoint: %v", i, e.Recalled())
		}
		must(t, e.Close())
	}
}
