package crawl_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"reflect"
	"testing"

	"angler/crawl"
	"angler/crawl/archive"
	"angler/crawl/query"
)

// sampledAs names the samples of another workspace.
func sampledAs(t *testing.T, e, other *crawl.Engine) {
	t.Helper()
	for _, s := range other.Topic.Samples() {
		addSample(t, e.Topic, s.URL)
	}
}

func takeIn(e *crawl.Engine, b []byte) (archive.Imported, error) {
	return e.Archive.ImportAll(context.Background(), []archive.Source{{Name: "archive", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}}, func(string, archive.Imported) {})
}

// sameNotices compares the notices of two workspaces, but for when they came home.
func sameNotices(t *testing.T, want, got *crawl.Engine) {
	t.Helper()
	for _, e := range []*crawl.Engine{want, got} {
		must(t, e.Words(t.Context()))
		e.SearchReady(t.Context()) // the fields are read
	}
	rows := map[any]map[string]any{}
	for _, n := range exportedMaps(t, got) {
		rows[n["url"]] = n
	}
	announced := map[query.LinkRow]bool{}
	for _, e := range []*crawl.Engine{want, got} {
		for _, link := range exported[query.LinkRow](t, e, "links") {
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

func linkOf(source, target any) query.LinkRow {
	from, _ := source.(string)
	to, _ := target.(string)
	return query.LinkRow{Source: from, Target: to}
}
