//go:build heavy

package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
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
	b := openFull(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 2 }})
	sampled(t, b, 3)
	discover(t, b.Runs, run.Options{})
	var out bytes.Buffer
	done, err := b.Archive.Export(ctx, &out, nil, "x.warc.gz")
	must(t, err)
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
