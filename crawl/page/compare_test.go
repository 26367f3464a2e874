package page

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/webtest/realpages"

	readability "codeberg.org/readeck/go-readability"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
)

// document is one real page with its gold text.
type document struct{ url, body, gold string }

// documents loads the articles and a sample of the sites' notices.
func documents(b *testing.B) map[string][]document {
	dir := realpages.Path(b)
	out := map[string][]document{}
	files, _ := filepath.Glob(filepath.Join(dir, "articles", "original", "*.html"))
	for _, f := range files {
		body, err := os.ReadFile(f)
		must(b, err)
		gold, err := os.ReadFile(filepath.Join(dir, "articles", "cleaned", strings.TrimSuffix(filepath.Base(f), ".html")+".txt"))
		must(b, err)
		text, _ := htmldoc.DecodeText(gold, "")
		out["articles"] = append(out["articles"], document{"http://example.test/a", string(body), text})
	}
	for _, site := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		n := 0
		for _, row := range goldRows(b, site) {
			if row.Type != "detail" || row.Date == "" || row.Text == "" {
				continue
			}
			if n++; n%7 != 0 {
				continue
			}
			body, err := os.ReadFile(filepath.Join(dir, "sites", site, row.Path))
			must(b, err)
			out["notices"] = append(out["notices"], document{"http://" + site + "/" + row.Path, string(body), withoutFrame(row.Text)})
		}
	}
	return out
}

// BenchmarkExtractors compares our methods with the libraries on the same bytes by F1 over character
// 4-grams and pages a second, with decoding and parsing. The libraries get the text that htmldoc
// decoded. Our methods also find records, title, date, type and blocks.
//
//	go test -run '^$' -bench Extractors ./crawl/page
func BenchmarkExtractors(b *testing.B) {
	ours := func(method string) func(document) string {
		return func(d document) string {
			p := mustParse(b, Source{URL: d.url, Body: []byte(d.body)}, Options{Main: method, Now: crawled})
			return p.Main
		}
	}
	library := func(f func(text string, u *url.URL) string) func(document) string {
		return func(d document) string {
			text, _ := htmldoc.DecodeText([]byte(d.body), "")
			u, err := url.Parse(d.url)
			must(b, err)
			return f(text, u)
		}
	}
	extractors := []struct {
		name string
		text func(document) string
	}{
		{"auto", ours(article.MethodAuto)}, {"mass", ours(article.MethodMass)}, {"density", ours(article.MethodDensity)}, {"pathratio", ours(article.MethodPathRatio)},
		{"go-readability", library(func(text string, u *url.URL) string {
			a, err := readability.FromReader(strings.NewReader(text), u)
			if err != nil {
				return ""
			}
			return a.TextContent
		})},
		{"go-trafilatura", library(func(text string, u *url.URL) string {
			a, err := trafilatura.Extract(strings.NewReader(text), trafilatura.Options{OriginalURL: u, EnableFallback: true, ExcludeComments: true})
			if err != nil {
				return ""
			}
			return a.ContentText
		})},
		{"go-domdistiller", library(func(text string, u *url.URL) string {
			a, err := distiller.ApplyForReader(strings.NewReader(text), &distiller.Options{OriginalURL: u, SkipPagination: true})
			if err != nil {
				return ""
			}
			return a.Text
		})},
	}
	for set, docs := range documents(b) {
		for _, x := range extractors {
			b.Run(set+"/"+x.name, func(b *testing.B) {
				quality := 0.0
				for _, d := range docs {
					quality += textF1(d.gold, x.text(d))
				}
				for b.Loop() {
					for _, d := range docs {
						x.text(d)
					}
				}
				b.ReportMetric(quality/float64(len(docs)), "F1")
				b.ReportMetric(float64(b.N*len(docs))/b.Elapsed().Seconds(), "pages/s")
			})
		}
	}
}
