package webtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Material is the source of webs: universities, columns, topics and page styles, read once by Load. It is immutable
// and safe for concurrent use.
type Material struct {
	config config
	topics map[string]*topic
	styles map[string]*style
	tender []*topic // topics of tender notices
}

// config mirrors universities.toml.
type config struct {
	PerPage    int                   `toml:"per_page"`
	Column     map[string]columnSpec `toml:"column"`
	Static     map[string]int        `toml:"static"`
	Role       map[string]roleSpec   `toml:"role"`
	University []universitySpec      `toml:"university"`
	More       struct {
		Places []string `toml:"places"`
		Kinds  []string `toml:"kinds"`
	} `toml:"more"`
}

type columnSpec struct {
	Name    string `toml:"name"`
	Topic   string `toml:"topic"`
	Mix     int    `toml:"mix"`
	Undated bool   `toml:"undated"`
}

type roleSpec struct {
	Groups []struct {
		Slug    string   `toml:"slug"`
		Name    string   `toml:"name"`
		Columns []string `toml:"columns"`
	} `toml:"groups"`
	Pages   map[string]int `toml:"pages"`
	Statics []string       `toml:"statics"`
}

type universitySpec struct {
	Name   string     `toml:"name"`
	Short  string     `toml:"short"`
	Domain string     `toml:"domain"`
	City   string     `toml:"city"`
	Hosts  []hostSpec `toml:"hosts"`
}

type hostSpec struct {
	Label   string   `toml:"label"`
	Name    string   `toml:"name"`
	Role    string   `toml:"role"`
	Style   string   `toml:"style"`
	Charset string   `toml:"charset"`
	Date    string   `toml:"date"`
	Robots  string   `toml:"robots"`
	Root    string   `toml:"root"`
	Sitemap bool     `toml:"sitemap"`
	Traps   []string `toml:"traps"`
	Mirror  string   `toml:"mirror"` // another address without .test that serves the same pages
}

// topic holds the phrases for one kind of page.
type topic struct {
	name    string
	tender  bool
	titles  *wordList
	layouts [][]block
}

// block is one line of a layout: a paragraph (repeated lo to hi times), a table row or an attachment's file name.
type block struct {
	kind  blockKind
	lo    int
	hi    int
	cells []phrase
	ext   string // of an attachment: ".docx"
}

type blockKind uint8

const (
	paragraph blockKind = iota
	tableRow
	attachment
)

// Load reads the material from a file system with universities.toml, topics/ and styles/ at its root. Errors name
// the file and line.
func Load(fsys fs.FS) (*Material, error) {
	raw, err := fs.ReadFile(fsys, "universities.toml")
	if err != nil {
		return nil, fmt.Errorf("demo web material: %w", err)
	}
	m := &Material{topics: map[string]*topic{}, styles: map[string]*style{}}
	dec := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields()
	if err := dec.Decode(&m.config); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			return nil, fmt.Errorf("universities.toml: unknown key:\n%s", strict.String())
		}
		return nil, fmt.Errorf("universities.toml: %w", err)
	}
	if err := m.loadTopics(fsys, "topics"); err != nil {
		return nil, err
	}
	files, err := fs.Glob(fsys, "styles/*.html")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		raw, err := fs.ReadFile(fsys, f)
		if err != nil {
			return nil, err
		}
		s, err := compileStyle(string(raw))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		m.styles[strings.TrimSuffix(path.Base(f), ".html")] = s
	}
	return m, m.validate()
}

// LoadPlan is Load for another web of the same material. plans/NAME.toml has its own universities and may add
// columns and roles; plans/NAME/ may add topics. "" is the demo's web.
func LoadPlan(fsys fs.FS, name string) (*Material, error) {
	m, err := Load(fsys)
	if err != nil || name == "" {
		return m, err
	}
	file := path.Join("plans", name+".toml")
	raw, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("no web %q; there are %s", name, strings.Join(plans(fsys), ", "))
	}
	m.config.University = nil
	if err := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(&m.config); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := m.loadTopics(fsys, path.Join("plans", name)); err != nil {
		return nil, err
	}
	if err := m.validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// plans returns the valid names of LoadPlan, sorted.
func plans(fsys fs.FS) []string {
	files, err := fs.Glob(fsys, "plans/*.toml")
	if err != nil {
		return nil // the pattern is well-formed
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".toml")
	}
	return files
}

// validate checks every name in universities.toml, so that rendering cannot fail.
func (m *Material) validate() error {
	c := &m.config
	if c.PerPage < 2 || len(c.University) == 0 || len(m.tender) == 0 || len(c.More.Places) == 0 ||
		len(c.More.Kinds) == 0 {
		return errors.New(
			"universities.toml: needs per_page ≥ 2, a university, a topic named tender-…, and more.places and more.kinds")
	}
	for slug, col := range c.Column {
		if m.topics[col.Topic] == nil {
			return fmt.Errorf("universities.toml: column %s: no topic %q in topics/", slug, col.Topic)
		}
	}
	for slug, n := range c.Static {
		if t := m.topics["static"]; t == nil || n < 0 || n >= len(t.layouts) || n >= len(t.titles.phrases) {
			return fmt.Errorf("universities.toml: static %s: topics/static.txt has no title and layout %d", slug, n)
		}
	}
	for name, r := range c.Role {
		seen := map[string]bool{}
		for _, g := range r.Groups {
			for _, slug := range append([]string{g.Slug}, g.Columns...) {
				if seen[slug] {
					return fmt.Errorf("universities.toml: role %s: %q stands twice", name, slug)
				}
				seen[slug] = true
			}
			for _, slug := range g.Columns {
				if _, ok := c.Column[slug]; !ok || r.Pages[slug] < 1 {
					return fmt.Errorf("universities.toml: role %s: column %q is not defined or has no pages", name,
						slug)
				}
			}
		}
		for _, slug := range r.Statics {
			if _, ok := c.Static[slug]; !ok || seen[slug] {
				return fmt.Errorf("universities.toml: role %s: static page %q is not defined or stands twice", name,
					slug)
			}
		}
	}
	for _, u := range c.University {
		if len(u.Hosts) == 0 || u.Hosts[0].Label != "www" {
			return fmt.Errorf("universities.toml: %s: the first host must be www", u.Name)
		}
		for _, h := range u.Hosts {
			r, ok := c.Role[h.Role]
			if !ok || m.styles[h.Style] == nil || len(r.Groups) == 0 {
				return fmt.Errorf("universities.toml: %s.%s: unknown role %q or style %q", h.Label, u.Domain, h.Role,
					h.Style)
			}
		}
	}
	return nil
}

// section is one [name] of a topic file with its lines.
type section struct {
	name  string
	lines []string
	list  *wordList
	state uint8 // 0 not compiled, 1 being compiled, 2 done
}

// loadTopics compiles the topics of a folder. All may use topics/common.txt.
func (m *Material) loadTopics(fsys fs.FS, folder string) error {
	files, err := fs.Glob(fsys, path.Join(folder, "*.txt"))
	if err != nil {
		return err
	}
	common, err := readSections(fsys, "topics/common.txt")
	if err != nil {
		return err
	}
	shared := scope{file: "topics/common.txt", sections: common}
	for _, f := range files {
		name := strings.TrimSuffix(path.Base(f), ".txt")
		if name == "common" {
			continue
		}
		sections, err := readSections(fsys, f)
		if err != nil {
			return err
		}
		own := scope{file: f, sections: sections, outer: &shared}
		t := &topic{name: name, tender: strings.HasPrefix(name, "tender-")}
		if t.titles, err = own.resolve("title"); err != nil {
			return err
		}
		for _, s := range sections {
			if s.name != "layout" {
				continue
			}
			blocks, err := own.layout(s.lines)
			if err != nil {
				return fmt.Errorf("%s: layout: %w", f, err)
			}
			t.layouts = append(t.layouts, blocks)
		}
		if len(t.layouts) == 0 {
			return fmt.Errorf("%s: has no [layout]", f)
		}
		m.topics[name] = t
		if t.tender {
			m.tender = append(m.tender, t)
		}
	}
	return nil
}

func readSections(fsys fs.FS, file string) ([]*section, error) {
	raw, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("demo web material: %w", err)
	}
	var out []*section
	sc := bufio.NewScanner(bytes.NewReader(raw))
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			out = append(out, &section{name: line[1 : len(line)-1]})
		case len(out) == 0:
			return nil, fmt.Errorf("%s:%d: a line before the first [section]", file, n)
		default:
			s := out[len(out)-1]
			s.lines = append(s.lines, line)
		}
	}
	return out, sc.Err()
}

// scope resolves placeholder names, first in its own file, then in outer scopes.
type scope struct {
	file     string
	sections []*section
	outer    *scope
}

func (s *scope) resolve(name string) (*wordList, error) {
	for i, sec := range s.sections {
		if sec.name != name || name == "layout" {
			continue
		}
		if sec.state == 1 {
			return nil, fmt.Errorf("%s: [%s] leads back to itself", s.file, name)
		}
		if sec.state == 2 {
			return sec.list, nil
		}
		sec.state = 1
		sec.list = &wordList{id: mix(hashString(s.file), uint64(i))}
		for _, line := range sec.lines {
			p, err := compile(line, s.resolve)
			if err != nil {
				return nil, fmt.Errorf("%s: [%s]: %w", s.file, name, err)
			}
			sec.list.phrases = append(sec.list.phrases, p)
		}
		if len(sec.list.phrases) == 0 {
			return nil, fmt.Errorf("%s: [%s] is empty", s.file, name)
		}
		sec.list.strides = strides(len(sec.list.phrases))
		sec.state = 2
		return sec.list, nil
	}
	if s.outer != nil {
		return s.outer.resolve(name)
	}
	return nil, fmt.Errorf("%s: no [%s]", s.file, name)
}

// layout compiles the lines of one [layout]: "|a|b|" is a table row, "+ name" an attachment, "@2-4 line" a paragraph
// repeated two to four times, other lines a paragraph.
func (s *scope) layout(lines []string) ([]block, error) {
	var out []block
	for _, line := range lines {
		b := block{kind: paragraph, lo: 1, hi: 1}
		parts := []string{line}
		switch line[0] {
		case '|':
			b.kind = tableRow
			parts = strings.Split(strings.Trim(line, "|"), "|")
		case '+':
			b.kind = attachment
			parts[0] = strings.TrimSpace(line[1:])
			if b.ext = path.Ext(parts[0]); fileTypes[b.ext] == "" {
				return nil, fmt.Errorf("%q: no file can be made for the ending %q", line, b.ext)
			}
		case '@':
			span, rest, ok := strings.Cut(line[1:], " ")
			lo, hi, _ := strings.Cut(span, "-")
			a, err1 := strconv.Atoi(lo)
			z, err2 := strconv.Atoi(hi)
			if !ok || err1 != nil || err2 != nil || a < 0 || z < a {
				return nil, fmt.Errorf("%q: write @2-4 and the sentence", line)
			}
			b.lo, b.hi, parts[0] = a, z, rest
		}
		for _, part := range parts {
			p, err := compile(part, s.resolve)
			if err != nil {
				return nil, err
			}
			b.cells = append(b.cells, p)
		}
		out = append(out, b)
	}
	return out, nil
}
