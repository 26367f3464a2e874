package page

import (
	"bufio"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
	"angler/crawl/webtest/realpages"

	"golang.org/x/text/unicode/norm"
)

// Real pages are kept outside the repository, because a page's text belongs to its publisher.

var crawled = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

type goldRow struct {
	Path, Type, Title, Date, Text string
	Records                       []struct{ Title, Href, Date string }
}

// goldSite is one mirrored site: its gold rows and its parsed pages.
type goldSite struct {
	name  string
	rows  []goldRow
	pages []*Page
}

// goldRows reads the gold data of a site's pages.
func goldRows(t testing.TB, name string) []goldRow {
	return slices.Collect(jsonLines[goldRow](t, realpages.Path(t, "sites", name, "GOLD.jsonl")))
}

// jsonLines yields the values of a file with one JSON value a line.
func jsonLines[T any](t testing.TB, path string) iter.Seq[T] {
	return func(yield func(T) bool) {
		f, err := os.Open(path)
		must(t, err)
		defer f.Close()
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 4<<20)
		for sc.Scan() {
			var v T
			must(t, json.Unmarshal(sc.Bytes(), &v))
			if !yield(v) {
				return
			}
		}
		must(t, sc.Err())
	}
}

// loadSite parses every page of a site. With crawl, a first pass learns the host's profile, as a
// crawl does.
func loadSite(t testing.TB, name, method string, crawl bool) goldSite {
	dir := realpages.Path(t, "sites", name)
	s := goldSite{name: name, rows: goldRows(t, name)}
	var host *Boilerplate
	first := 1
	if crawl {
		host, first = &Boilerplate{}, 0
	}
	r := urls.NewResolver(1 << 16)
	for pass := first; pass < 2; pass++ {
		s.pages = s.pages[:0]
		for _, row := range s.rows {
			body, err := os.ReadFile(filepath.Join(dir, row.Path))
			must(t, err)
			opt := Options{Now: crawled, Resolver: r}
			if crawl {
				opt.Host = host.Profile()
			}
			if pass == 1 {
				opt.Main = method
			}
			p, err := Parse(Source{URL: "http://" + name + "/" + row.Path, Body: body}, opt)
			if err != nil {
				t.Fatalf("%s: %v", row.Path, err)
			}
			if pass == 0 {
				host.Learn(SampledPage{Key: hashText(p.URL)}, p, nil)
			}
			s.pages = append(s.pages, p)
		}
		if crawl {
			host.UpdateProfile()
		}
	}
	return s
}

// plainTitle removes the differences between spellings of one title.
func plainTitle(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || htmldoc.IsUnsafe(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

// textF1 returns the F1 of article.OverlapOf.
func textF1(gold, got string) float64 { return article.OverlapOf(gold, got).F1 }

// withoutFrame removes links to neighbouring notices and the close button, which the gold texts of
// one site contain.
func withoutFrame(gold string) string {
	var keep []string
	for s := range strings.SplitSeq(gold, "\n") {
		if !strings.HasPrefix(s, "上一条：") && !strings.HasPrefix(s, "下一条：") && s != "【关闭】" {
			keep = append(keep, s)
		}
	}
	return strings.Join(keep, "\n")
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func f1(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// recordCounts compares the records of a page with the gold records. given counts the records of the
// page, right those in the gold. gold counts the gold records with a link, found those on the page.
// titles and dates count the exact ones among right.
type recordCounts struct{ right, found, given, gold, titles, dates int }

func compareRecords(t testing.TB, verbose bool, row goldRow, p *Page) recordCounts {
	type entry struct{ title, date string }
	byURL, byTitle := map[string]entry{}, map[string]entry{}
	r := urls.NewResolver(256)
	for _, rec := range row.Records {
		byTitle[plainTitle(rec.Title)] = entry{rec.Title, rec.Date}
		if u, err := r.Resolve("http://"+urls.HostOf(p.URL)+"/", rec.Href); err == nil && rec.Href != "" {
			byURL[u] = entry{rec.Title, rec.Date}
		}
	}
	c := recordCounts{given: len(p.Records), gold: len(byURL)}
	found := 0
	for _, rec := range p.Records {
		w, ok := byURL[rec.URL]
		if ok {
			found++
			delete(byURL, rec.URL)
		} else if w, ok = byTitle[plainTitle(rec.Title)]; !ok {
			if verbose {
				t.Logf("extra record %s: %q %s %s", row.Path, rec.Title, rec.Date, rec.URL)
			}
			continue
		}
		c.right++
		if plainTitle(w.title) == plainTitle(rec.Title) {
			c.titles++
		} else if verbose {
			t.Logf("record title %q want %q", rec.Title, w.title)
		}
		if w.date == strings.Replace(rec.Date.String(), "?", "", 1) || w.date == "" {
			c.dates++
		} else if verbose {
			t.Logf("record date %q want %q", rec.Date, w.date)
		}
	}
	c.found, c.gold = found, found+len(byURL)
	if verbose {
		for u, w := range byURL {
			t.Logf("missing record %s: %q %s", row.Path, w.title, u)
		}
	}
	return c
}
