package topic_test

import (
	"bufio"
	"encoding/json"
	"hash/fnv"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/page"
	"angler/crawl/webtest/realpages"
	"angler/dict"
	"angler/topic"
)

// sitePage is one page of a mirrored site: the parsed page and its entry in the gold file.
type sitePage struct {
	list    bool
	section string          // "": not a list
	records map[string]bool // titles, by the gold file
	page    *page.Page
	doc     topic.Doc
}

// site is one mirrored site, read like a crawl.
type site struct {
	name  string
	pages []sitePage
	lex   *dict.Lexicon
}

// realSites are the sites on which the project must do well.
var realSites = []string{"cs.fudan.edu.cn", "yjszs.cqjtu.edu.cn"}

// readSites holds the sites that readSite has read; its callers get copies.
var readSites = map[string]*site{}

// readSite parses, segments and counts every page of a site in the order of its gold file, once a
// process. It skips the test if the folder of real pages, which is not part of the repository, is
// missing.
func readSite(t testing.TB, name string) *site {
	t.Helper()
	root := realpages.Path(t, "sites", name)
	if readSites[name] == nil {
		readSites[name] = parseSite(t, root, name)
	}
	s := *readSites[name]
	s.pages = slices.Clone(s.pages)
	return &s
}

func parseSite(t testing.TB, root, name string) *site {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "GOLD.jsonl"))
	must(t, err)
	defer f.Close()
	s := &site{name: name, lex: dict.NewLexicon(nil)}
	var host page.Boilerplate
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var gold struct {
			Path, Type string
			Records    []struct{ Title string }
		}
		must(t, json.Unmarshal(line, &gold))
		body, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(gold.Path)))
		must(t, err)
		p, err := page.Parse(page.Source{URL: "http://" + name + "/" + gold.Path, Body: body},
			page.Options{Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Host: host.Profile()})
		if err != nil {
			t.Fatalf("%s: %v", gold.Path, err)
		}
		key := fnv.New64a()
		key.Write([]byte(p.URL))
		host.Learn(page.SampledPage{Key: key.Sum64()}, p, nil)
		sp := sitePage{list: gold.Type == "list", records: map[string]bool{}, page: p}
		for _, r := range gold.Records {
			sp.records[r.Title] = true
		}
		if sp.list {
			sp.section = section(gold.Path)
		}
		s.pages = append(s.pages, sp)
	}
	for i := range s.pages {
		s.pages[i].doc = s.document(s.pages[i].page)
	}
	joinAliases(s.pages)
	return s
}

// document counts a page's words like the engine.
func (s *site) document(p *page.Page) topic.Doc {
	var full, list dict.Counter
	d := dict.Shared()
	d.Count(s.lex, p.Text, &full)
	for range topic.TitleWeight(len(p.Records)) {
		d.Count(s.lex, p.Title, &list)
	}
	for i := range p.Records {
		d.Count(s.lex, p.Records[i].Title, &list)
	}
	return topic.Doc{
		Full: topic.VectorOf(&full), List: topic.VectorOf(&list),
		Records: len(p.Records), Dated: p.Dated, URL: p.URL, Beta: p.Beta, Front: page.IsHomePage(p.URL),
	}
}

func (s *site) index() *topic.Index {
	ix := topic.NewIndex()
	for i := range s.pages {
		ix.Add(uint64(i), s.pages[i].doc)
	}
	return ix
}

// joinAliases merges lists that a site shows under several addresses: half of the records of the
// shorter list are also in the longer.
func joinAliases(pages []sitePage) {
	for i := range pages {
		for j := range i {
			a, b := pages[i], pages[j]
			if a.section == "" || b.section == "" || a.section == b.section {
				continue
			}
			both := 0
			for title := range a.records {
				if b.records[title] {
					both++
				}
			}
			if 2*both >= min(len(a.records), len(b.records)) {
				for k := range pages {
					if pages[k].section == a.section {
						pages[k].section = b.section
					}
				}
			}
		}
	}
}

var pageNumber = regexp.MustCompile(`^(list\d*|\d+)\.html?$`)

// section names the list a page belongs to: kdxx.htm, kdxx/1.htm and
// kdxx/list2.html are pages of kdxx.
func section(p string) string {
	if dir, file := path.Split(p); pageNumber.MatchString(file) {
		return strings.Trim(dir, "/")
	}
	return strings.TrimSuffix(p, path.Ext(p))
}
