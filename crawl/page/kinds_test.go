package page

import (
	"compress/gzip"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"angler/crawl/article"
	"angler/crawl/webtest/realpages"
)

// full makes the tests on real pages read all of them, by every method. heavy_test.go sets it.
var full = false

// TestKinds prints the F1 of the main text by the kind of page, of auto and of
// every single method, and asserts that auto is ahead of them. Unless full is set, it
// reads every fourth page by auto only.
//
//	go test -tags heavy -v -run Kinds ./crawl/page
func TestKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand texts take a minute")
	}
	realpages.Path(t)
	synctest.Test(t, testKinds) // where no reader runs out of time
}

func testKinds(t *testing.T) {
	step, methods := 4, []string{article.MethodAuto}
	if full {
		step, methods = 1, article.Methods()
	}
	sums := map[string]map[string]float64{} // kind → method → sum of F1
	pages := map[string]float64{}
	n := 0
	for row, body := range kindRows(t) {
		if n++; n%step != 0 {
			continue
		}
		scores := map[string]float64{}
		for _, method := range methods {
			p, err := Parse(Source{URL: row.URL, Body: body}, Options{Main: method, Now: crawled})
			if err != nil {
				t.Fatalf("%s: %v", row.File, err)
			}
			scores[method] = textF1(strings.ToLower(row.Text), strings.ToLower(p.Main))
		}
		for _, kind := range []string{row.Kind, "all"} {
			if sums[kind] == nil {
				sums[kind] = map[string]float64{}
			}
			pages[kind]++
			for method, v := range scores {
				sums[kind][method] += v
			}
		}
	}
	kinds := slices.Sorted(maps.Keys(sums))
	for _, k := range kinds {
		line := fmt.Sprintf("%-22s %3.0f", k, pages[k])
		for _, m := range methods {
			line += fmt.Sprintf("  %s %.3f", m, sums[k][m]/pages[k])
		}
		t.Log(line)
	}
	for _, k := range kinds {
		least := -behind // on so few pages the rest is chance
		if k == "all" {
			least = ahead
		}
		for _, m := range methods {
			if n := pages[k]; m != article.MethodAuto && n >= 10 && sums[k][article.MethodAuto]/n < sums[k][m]/n+least {
				t.Errorf("%s: auto has %.3f and %s %.3f", k, sums[k][article.MethodAuto]/n, m, sums[k][m]/n)
			}
		}
	}
	if all := pages["all"]; all >= 100/float64(step) && sums["all"][article.MethodAuto]/all < kindsFloor {
		t.Errorf("auto has %.3f over all pages, must be %.2f", sums["all"][article.MethodAuto]/all, kindsFloor)
	}
}

// Limits of TestKinds, as differences of F1.
const (
	ahead      = 0.02 // of auto over every single method over all pages, at least
	behind     = 0.05 // of auto behind a single method on one kind, at most
	kindsFloor = 0.82 // F1 of auto over all pages, at least
)

// kindRow is a page of the folder text.
type kindRow struct{ File, Set, Kind, URL, Text string }

// kindRows yields the pages of the folder text with their bodies.
func kindRows(t *testing.T) iter.Seq2[kindRow, []byte] {
	dir := realpages.Path(t, "text")
	return func(yield func(kindRow, []byte) bool) {
		for row := range jsonLines[kindRow](t, filepath.Join(dir, "index.jsonl")) {
			if strings.HasPrefix(row.Set, "magic") {
				row.Kind += ", Chinese set"
			}
			if !yield(row, unzipped(t, filepath.Join(dir, row.File))) {
				return
			}
		}
	}
}

func unzipped(t *testing.T, path string) []byte {
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	b, err := io.ReadAll(z)
	must(t, err)
	return b
}
