package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// TestQuality follows the quality of notices from the harvest to every place
// that tells it.
func TestQuality(t *testing.T) {
	t.Parallel()
	alone(t)
	ctx := context.Background()
	b := crawledDemo(t, t.TempDir(), crawl.Options{}, 3, run.Options{MaxPages: 600})
	harvest(t, b.Runs)
	all := func() map[string]*inbox.Quality {
		t.Helper()
		book, err := b.Inbox.List(ctx, inbox.Request{})
		if err != nil || len(book.Rows) < 20 {
			t.Fatalf("%d notices, %v", len(book.Rows), err)
		}
		out := map[string]*inbox.Quality{}
		for _, r := range book.Rows {
			out[r.URL] = r.Quality
		}
		return out
	}
	for url, q := range all() {
		if q != nil {
			t.Fatalf("%s has the quality %v before anything was ranked", url, q)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := b.Pages.RankNotices(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled ranking ends with %v", err)
	}
	if changed, err := b.Pages.RankNotices(ctx); err != nil || !changed {
		t.Fatalf("changed %v, %v", changed, err)
	}
	if changed, err := b.Pages.RankNotices(ctx); err != nil || changed {
		t.Errorf("ranked again although nothing came: %v", err)
	}

	before := all()
	sum, similar, places := 0.0, 0.0, map[float64]bool{}
	for url, q := range before {
		if q == nil {
			t.Fatalf("%s has no quality", url)
		}
		if q.T != .7 || math.Abs(q.Value-(.7*q.Similarity+.3*q.PageRank)) > 1e-9 || q.Similarity < 0 || q.Similarity > 1 || q.PageRank < 0 || q.PageRank > 1 {
			t.Errorf("%s: %+v", url, *q)
		}
		sum, similar = sum+q.PageRank, max(similar, q.Similarity)
		places[q.PageRank] = true
	}
	if mean := sum / float64(len(before)); math.Abs(mean-.5) > 1e-3 || len(places) < 5 || similar < .1 {
		t.Errorf("places have the mean %v and %d values; no notice is nearer to the topic than %v", mean, len(places), similar)
	}

	for url, q := range before {
		for other, o := range before {
			if q.Rank < o.Rank && q.PageRank >= o.PageRank || q.Among != len(before) {
				t.Fatalf("%s has %+v, %s has %+v", url, *q, other, *o)
			}
		}
	}
	lists(t, b.Engine)

	for _, n := range exported[query.NoticeJSON](t, b.Engine, "notices") {
		if n.Quality == nil || math.Abs(*n.Quality-before[n.URL].Value) > 1e-4 {
			t.Errorf("%s is exported with %v, want %v", n.URL, n.Quality, before[n.URL].Value)
		}
	}
	must(t, errOf(b.Settings.ChangeSetting("harvest.similarity_share", "0")))
	for url, q := range all() {
		if q.Value != q.PageRank || q.PageRank != before[url].PageRank {
			t.Fatalf("%s: %+v under t = 0, before %+v", url, *q, *before[url])
		}
		x, err := b.Pages.Explain(ctx, url)
		var text strings.Builder
		if err == nil {
			err = x.Write(&text)
		}
		if err != nil || x.Quality == nil || !strings.Contains(text.String(), x.Quality.String()) || math.Abs(x.Quality.Value-q.Value) > 1e-4 {
			t.Errorf("explained as %+v, %v:\n%s", x.Quality, err, text.String())
		}
		break
	}
	for _, bad := range []string{"-0.1", "1.1", "nan", "much"} {
		if err := b.Settings.CheckSetting("harvest.similarity_share", bad); err == nil {
			t.Errorf("t = %s passed", bad)
		}
	}
}

// lists looks at the qualities of the aggregation pages: their places are among
// themselves, and their ranks those of the notices' graph.
func lists(t *testing.T, e *crawl.Engine) {
	t.Helper()
	book, err := e.Inbox.List(t.Context(), inbox.Request{})
	if err != nil || len(book.Lists) < 5 || book.T != .7 {
		t.Fatalf("%d aggregation pages have a quality under t %v, %v", len(book.Lists), book.T, err)
	}
	sum, rank := 0.0, 0.0
	for id, q := range book.Lists {
		sum, rank = sum+q.PageRank, rank+q.Rank
		if q.Among != len(book.Lists) || math.Abs(q.Value-(.7*q.Similarity+.3*q.PageRank)) > 1e-9 || q.Rank <= 0 {
			t.Errorf("page %d: %+v", id, *q)
		}
		if less := q.With(.2); math.Abs(less.Value-(.2*q.Similarity+.8*q.PageRank)) > 1e-9 || less.Rank != q.Rank || q.T != .7 {
			t.Errorf("under t .2: %+v of %+v", *less, *q)
		}
	}
	if mean := sum / float64(len(book.Lists)); math.Abs(mean-.5) > 1e-3 || rank >= 1 {
		t.Errorf("places have the mean %v, ranks sum to %v", mean, rank)
	}
	told := 0
	for _, row := range exported[view.PageRow](t, e, "pages") {
		id := idOf(t, e, row.URL)
		if q := book.Lists[id]; (q == nil) != (row.Quality == nil) || q != nil && math.Abs(*row.Quality-q.Value) > 1e-4 {
			t.Errorf("%s is exported with %v, want %+v", row.URL, row.Quality, q)
		}
		if row.Quality == nil {
			continue
		}
		if told++; told > 1 {
			continue
		}
		x, err := e.Pages.Explain(t.Context(), row.URL)
		if err != nil || x.Quality == nil || math.Abs(x.Quality.Value-*row.Quality) > 1e-4 || x.Quality.Rank != book.Lists[id].Rank {
			t.Errorf("explained as %+v, %v", x.Quality, err)
		}
	}
	if told != len(book.Lists) {
		t.Errorf("%d aggregation pages are exported with a quality, want %d", told, len(book.Lists))
	}
}

// BenchmarkRankNotices ranks 20 000 notices of 100 000 stored pages with a
// million links, read from the database.
func BenchmarkRankNotices(b *testing.B) {
	const pages, links, batch = 100_000, 10, 1000
	dir := created(b, func(set *config.Settings) { set.Seeds = []string{"http://www.x.test/"} })
	ws, err := store.Open(dir)
	must(b, err)
	known := make([]string, pages)
	for i := range known {
		known[i] = fmt.Sprintf("http://www.x.test/%d.htm", i)
	}
	must(b, errOf(ws.Seed(known)))
	rng := rand.New(rand.NewPCG(1, 2))
	for from := 0; from < pages; from += batch {
		var list []*store.Capture
		for i := range batch {
			id := uint64(from + i + 1)
			c := &store.Capture{ID: id, State: store.Complete, Page: &store.Page{URL: known[id-1], Status: 200, Fetched: time.Unix(1, 0)}}
			for range links {
				c.Links = append(c.Links, store.Link{URL: known[rng.IntN(pages)]})
			}
			if id%5 == 0 {
				c.Notice = &store.Notice{ID: id, URL: known[id-1], Title: "招标公告", Text: strings.Repeat("正文", 500)}
			}
			list = append(list, c)
		}
		must(b, errOf(ws.Commit(nil, list)))
	}
	must(b, ws.Close())
	for b.Loop() {
		b.StopTimer()
		e, err := crawl.Open(context.Background(), dir, crawl.Options{})
		must(b, err)
		b.StartTimer()
		if changed, err := e.Pages.RankNotices(context.Background()); err != nil || !changed {
			b.Fatal(changed, err)
		}
		b.StopTimer()
		must(b, e.Close())
		b.StartTimer()
	}
}
