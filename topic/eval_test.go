package topic_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"angler/dict"
	"angler/topic"
)

// sitePage is one page of a mirrored site as its gold file describes it.
type sitePage struct {
	section string // "" unless it is a list
	records map[string]bool
	doc     topic.Doc
}

// readSite judges nothing but the topic: records and types come from the gold
// file, as if extraction were perfect; text is all there is between the tags.
func readSite(t *testing.T, root, site string, d *dict.Dict, lex *dict.Lexicon) []sitePage {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "sites", site, "GOLD.jsonl"))
	if err != nil {
		t.Skip("the shared data folder is not here (set ANGLER_DATA): ", err)
	}
	defer f.Close()
	var pages []sitePage
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var gold struct {
			Path, Type string
			Records    []struct{ Title, Date string }
		}
		if err := json.Unmarshal(lines.Bytes(), &gold); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(root, "sites", site, filepath.FromSlash(gold.Path)))
		if err != nil {
			t.Fatal(err)
		}
		title, text := visible(raw)
		var p sitePage
		var full, list dict.Counter
		d.Count(lex, text, &full)
		d.Count(lex, title, &list)
		p.records = map[string]bool{}
		for _, r := range gold.Records {
			p.records[r.Title] = true
			d.Count(lex, r.Title, &list)
			p.doc.Records++
			if r.Date != "" {
				p.doc.Dated++
			}
		}
		p.doc.Full, p.doc.List = topic.VectorOf(&full), topic.VectorOf(&list)
		if gold.Type == "list" {
			p.section = section(gold.Path)
		}
		pages = append(pages, p)
	}
	joinAliases(pages)
	return pages
}

// joinAliases puts a list that a site shows under several addresses into one
// section: half of the records of the shorter list are also in the longer.
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

func visible(raw []byte) (title, text string) {
	z := html.NewTokenizer(bytes.NewReader(raw))
	var sb strings.Builder
	hidden, inTitle := false, false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return title, sb.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			hidden = string(name) == "script" || string(name) == "style"
			inTitle = string(name) == "title"
			if string(name) != "a" && string(name) != "span" {
				sb.WriteByte('\n')
			}
		case html.EndTagToken:
			hidden, inTitle = false, false
		case html.TextToken:
			if inTitle {
				title += string(z.Text())
			} else if !hidden {
				sb.Write(z.Text())
			}
		}
	}
}

// TestSchemesOnRealSites takes every section of at least 3 list pages as the
// topic, up to three of its pages as samples (ten draws), and lets each scheme
// judge all pages of the site at the automatic θ. The samples count as found:
// they are in the harvest. The stricter figure, what is found beside them, is
// printed too; half of these topics have a single such page.
func TestSchemesOnRealSites(t *testing.T) {
	root := os.Getenv("ANGLER_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "data")
	}
	if testing.Short() {
		t.Skip("judges two sites 660 times")
	}
	d := dict.Shared()
	mean, strict := map[string]float64{}, map[string]float64{}
	tasks := 0
	names := []string{"records/full", "tf/idf/full", "tf/idf/projected", "tf-idf/full", "tf/full", "tf/inner"}
	for _, site := range []string{"cs.fudan.edu.cn", "yjszs.cqjtu.edu.cn"} {
		lex := dict.NewLexicon(nil)
		pages := readSite(t, root, site, d, lex)
		ix := topic.NewIndex()
		members := map[string][]int{}
		for i, p := range pages {
			ix.Add(uint64(i), p.doc)
			if p.section != "" {
				members[p.section] = append(members[p.section], i)
			}
		}
		bg := ix.Background()
		sections := make([]string, 0)
		for s, m := range members {
			if len(m) >= 3 {
				sections = append(sections, s)
			}
		}
		slices.Sort(sections)
		for _, s := range sections {
			tasks++
			row := fmt.Sprintf("%-20s %-16s %2d lists ", site, s, len(members[s]))
			for _, name := range names {
				cut := strings.LastIndexByte(name, '/')
				cfg := topic.Default()
				cfg.Scheme, cfg.Norm = topic.Scheme(name[:cut]), topic.Norm(name[cut+1:])
				f1, beside := meanF1(cfg, ix, pages, members[s], s, lex, bg)
				mean[name] += f1
				strict[name] += beside
				row += fmt.Sprintf("  %s %.2f", name, f1)
			}
			t.Log(row)
		}
	}
	for _, name := range names {
		mean[name] /= float64(tasks)
		t.Logf("%-18s mean F1 %.3f over %d sections, without the samples %.3f", name, mean[name], tasks, strict[name]/float64(tasks))
		if name != names[0] && mean[name] >= mean[names[0]] {
			t.Errorf("%s is better than the default", name)
		}
	}
	if mean[names[0]] < .80 {
		t.Errorf("default: mean F1 %.3f, want .80", mean[names[0]])
	}
}

func meanF1(cfg topic.Config, ix *topic.Index, pages []sitePage, members []int, section string, lex *dict.Lexicon, bg *topic.Background) (all, beside float64) {
	const draws = 10
	for draw := range uint64(draws) {
		r := rand.New(rand.NewPCG(draw, 7))
		picked := map[int]bool{}
		var samples []topic.Doc
		for _, k := range r.Perm(len(members))[:min(3, len(members)-1)] {
			picked[members[k]] = true
			samples = append(samples, pages[members[k]].doc)
		}
		ix.Apply(topic.Build(cfg, samples, lex, bg))
		s := ix.Scores()
		var everything, others outcome
		for i, p := range pages {
			x, _ := s.Of(uint64(i))
			everything.count(x >= s.Theta, p.section == section)
			if !picked[i] {
				others.count(x >= s.Theta, p.section == section)
			}
		}
		all += everything.f1() / draws
		beside += others.f1() / draws
	}
	return all, beside
}

type outcome struct{ tp, fp, fn float64 }

func (o *outcome) count(said, is bool) {
	switch {
	case said && is:
		o.tp++
	case said:
		o.fp++
	case is:
		o.fn++
	}
}

func (o *outcome) f1() float64 {
	if o.tp == 0 {
		return 0
	}
	return 2 * o.tp / (2*o.tp + o.fp + o.fn)
}
