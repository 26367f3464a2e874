package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"reflect"
	"sync/atomic"
	"testing"

	"angler/crawl"
	"angler/crawl/archive"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
	"angler/store/warc"
)

// TestArchiveBringsNotices makes the notices of a crawl again in a workspace that has
// nothing but its archive and no network: with samples that are named after the import,
// and by an import into a workspace that has them.
func TestArchiveBringsNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls the whole demo web")
	}
	ctx := t.Context()
	b := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 2 }})
	sampled(t, b, 3)
	if _, err := b.Runs.Discover(ctx, run.Options{}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	done, err := b.Archive.Export(ctx, &out, nil, "x.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	nowhere := crawl.Options{Dial: func(context.Context, string, string) (net.Conn, error) {
		asked.Add(1)
		return nil, errors.New("there is no network")
	}}
	again, sum, err := takenIn(t, nowhere, *b.Set(), out.Bytes())
	if err != nil || sum.Pages != done.Pages || !sum.Unjudged || sum.Notices != 0 {
		t.Fatalf("%+v of %+v, %v", sum, done, err)
	}
	sampledAs(t, again, b.Engine)
	s, err := again.Runs.Harvest(ctx, run.Options{Stored: true})
	want := b.Workspace().Counts().Notices
	if err != nil || s.Fetched != 0 || s.Absent != 0 || s.Notices != want || want < 50 {
		t.Errorf("%+v, %v, want %d notices", s, err, want)
	}
	consistent(t, again)
	sameNotices(t, b.Engine, again)

	if sum, err = takeIn(again, out.Bytes()); err != nil || sum.Unchanged != done.Pages || sum.Unjudged || sum.Notices != 0 || sum.Lists != s.Aggregations {
		t.Errorf("a second import: %+v, %v", sum, err)
	}

	// Half of an archive announces what is not in it; the rest comes home with the rest.
	part, _, err := takenIn(t, nowhere, *b.Set(), out.Bytes()[:out.Len()*3/4])
	if !errors.Is(err, warc.ErrBroken) {
		t.Error(err)
	}
	sampledAs(t, part, b.Engine)
	first, err := part.Runs.Harvest(ctx, run.Options{Stored: true})
	if err != nil || first.Notices == 0 || first.Absent == 0 || len(first.Lists) == 0 {
		t.Errorf("%+v, %v", first, err)
	}
	if sum, err = takeIn(part, out.Bytes()); err != nil || sum.Notices != want-first.Notices || sum.Absent != 0 {
		t.Errorf("%+v after %+v, %v", sum, first, err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d connections were asked for", n)
	}
}

// sampledAs names the samples of another workspace.
func sampledAs(t *testing.T, e, other *crawl.Engine) {
	t.Helper()
	for _, s := range other.Topic.Samples() {
		if _, err := e.Topic.AddSample(t.Context(), s.URL, ""); err != nil {
			t.Fatal(err)
		}
	}
}

func takeIn(e *crawl.Engine, b []byte) (archive.Imported, error) {
	return e.Archive.ImportAll(context.Background(), []archive.Source{{Name: "archive", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}}, func(string, archive.Imported) {})
}

// sameNotices compares the notices of two workspaces, but for when they came home.
func sameNotices(t *testing.T, want, got *crawl.Engine) {
	t.Helper()
	for _, e := range []*crawl.Engine{want, got} {
		if err := e.Words(t.Context()); err != nil {
			t.Fatal(err)
		}
		e.SearchReady(t.Context()) // the fields are read
	}
	rows := map[any]map[string]any{}
	for _, n := range exportedMaps(t, got) {
		rows[n["url"]] = n
	}
	announced := map[view.LinkRow]bool{}
	for _, e := range []*crawl.Engine{want, got} {
		for _, link := range exported[view.LinkRow](t, e, "links") {
			announced[link] = true
		}
	}
	all := exportedMaps(t, want)
	if len(rows) != len(all) {
		t.Errorf("%d notices, want %d", len(rows), len(all))
	}
	for _, n := range all {
		for key, x := range n {
			y := rows[n["url"]][key]
			one, number := x.(float64)
			two, _ := y.(float64)
			switch {
			case key == "first_seen", key == "quality": // sitemaps, whose bodies are not kept, have links, too
			case key == "source" && announced[linkOf(x, n["url"])] && announced[linkOf(y, n["url"])]: // two lists announce it
			case key == "score" && n["source"] != rows[n["url"]]["source"]: // it is that of its list
			case number && math.Abs(one-two) < 1.5e-3: // words are summed in another order
			case !reflect.DeepEqual(x, y):
				t.Errorf("%s: %s %v came back as %v", n["url"], key, x, y)
			}
		}
	}
}

func linkOf(source, target any) view.LinkRow {
	from, _ := source.(string)
	to, _ := target.(string)
	return view.LinkRow{Source: from, Target: to}
}
