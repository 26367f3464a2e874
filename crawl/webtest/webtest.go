// Package webtest generates university webs from testdata/web: the demo of the program, and webs of any size for
// tests and benchmarks.
//
// A page is a function of (seed, host, column, ordinal). Nothing is built ahead and only hosts are kept, so a web of
// a million pages takes as much memory as one of a thousand. The truth of every page is available without crawling.
// A page costs about 15 µs of one core. A changed phrase of the material changes every page after it, so compare
// webs of one checkout only.
//
// ServeKinds serves nine sites, one for each technique of filling lists (see ListKind). PortalServer serves lists in
// the shapes of real portals, with invented texts. The servers check states, tokens and methods, so a guessing
// crawler gets nothing.
package webtest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options selects a web of a material.
type Options struct {
	Seed  uint64 // changes the pages; the hosts stay
	Pages int    // total HTML pages, accurate to a few per host; 0: the demo's size. At most 10 million per host
	Hosts int    // 0: as in universities.toml; more are made by varying names. At most 100 000
	Plain bool   // no endless chains and odd pages, so that a crawler without bounds ends
}

// Web serves every page of a synthetic web. It is safe for concurrent use.
type Web struct {
	material *Material
	key      uint64
	univs    []*university
	hosts    []*host
	byAddr   map[string]*host
	extra    atomic.Int64 // items published on every column since New
	pool     sync.Pool    // *renderer
	searcher searcher
}

// newest is the date of the youngest page at the start. It is a constant, because a web must not change with the day
// of a test.
var newest = time.Date(2026, 6, 30, 16, 0, 0, 0, shanghai)

var shanghai = time.FixedZone("CST", 8*3600)

// span is the age of the oldest items.
const span = 3 * 365 * 24 * time.Hour

// New returns a web, or an error for options out of range.
func New(m *Material, o Options) (*Web, error) {
	if o.Hosts < 0 || o.Hosts > 100_000 {
		return nil, fmt.Errorf("hosts %d: choose 0 to 100000", o.Hosts)
	}
	if o.Pages < 0 {
		return nil, errors.New("pages: choose 0 for the demo's size or a positive number")
	}
	w := &Web{material: m, key: mix(o.Seed, 0x616e676c6572), byAddr: map[string]*host{}}
	w.pool.New = func() any { return new(renderer) }
	if o.Hosts == 0 {
		for _, u := range m.config.University {
			o.Hosts += len(u.Hosts)
		}
	}
	for i := 0; len(w.hosts) < o.Hosts; i++ {
		if err := w.addUniversity(i, o.Hosts-len(w.hosts), o.Plain); err != nil {
			return nil, err
		}
	}
	return w, w.makePlans(o)
}

// Hosts returns the host names, www first in each university.
func (w *Web) Hosts() []string {
	out := make([]string, len(w.hosts))
	for i, h := range w.hosts {
		out[i] = h.addr
	}
	return out
}

// Mirrors maps each mirror's address to the host with the same pages.
func (w *Web) Mirrors() map[string]string {
	out := map[string]string{}
	for addr, h := range w.byAddr {
		if addr != h.addr {
			out[addr] = h.addr
		}
	}
	return out
}

// Seeds returns the home page of each university. They reach every page of the web.
func (w *Web) Seeds() []string {
	out := make([]string, len(w.univs))
	for i, u := range w.univs {
		out[i] = "http://" + u.hosts[0].addr + "/"
	}
	return out
}

// Publish adds n new items at the top of every column of every host, like a day of work. Older items keep their
// addresses.
func (w *Web) Publish(n int) { w.extra.Add(int64(max(0, n))) }

// university is an institution with its hosts.
type university struct {
	name, short, city text
	domain            string // without .test
	index             int
	hosts             []*host
}

// host is one server of a university.
type host struct {
	addr    string // www.donghu.test
	name    text   // 招标采购中心; empty for www
	site    text   // 东湖大学招标采购中心
	univ    *university
	spec    *hostSpec
	plan    *plan
	style   *style
	webplus bool
	enc     encoding
	key     uint64
	columns int // number of the first column in detail addresses
	traps   bool
}

func (w *Web) addUniversity(i, limit int, plain bool) error {
	base := w.material.config.University
	spec := base[i%len(base)]
	if i >= len(base) {
		var err error
		if spec, err = w.material.invent(i-len(base), spec.Hosts); err != nil {
			return err
		}
	}
	u := &university{domain: spec.Domain, index: i}
	var errs [3]error
	u.name, errs[0] = newText(spec.Name)
	u.short, errs[1] = newText(spec.Short)
	u.city, errs[2] = newText(spec.City)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	w.univs = append(w.univs, u)
	for k := range spec.Hosts[:min(limit, len(spec.Hosts))] {
		hs := &spec.Hosts[k]
		h := &host{
			addr: hs.Label + "." + spec.Domain + ".test", univ: u, spec: hs,
			style: w.material.styles[hs.Style], webplus: hs.Style == "webplus",
			traps: i < len(base) && !plain,
		}
		var err error
		if h.name, err = newText(hs.Name); err != nil {
			return err
		}
		h.site = text{u.name[0] + h.name[0], u.name[1] + h.name[1]}
		if hs.Charset != "utf-8" {
			h.enc = gbkText
		}
		h.key = mix(w.key, hashString(h.addr))
		h.columns = 1001 + int(h.key%400)
		if w.byAddr[h.addr] != nil {
			return fmt.Errorf("universities.toml: host %s stands twice", h.addr)
		}
		w.byAddr[h.addr] = h
		if hs.Mirror != "" {
			mirror := hs.Mirror + ".test"
			if w.byAddr[mirror] != nil {
				return fmt.Errorf("host %s stands twice", mirror)
			}
			w.byAddr[mirror] = h
		}
		w.hosts = append(w.hosts, h)
		u.hosts = append(u.hosts, h)
	}
	return nil
}

// invent names the n-th university beyond those of universities.toml.
func (m *Material) invent(n int, hosts []hostSpec) (universitySpec, error) {
	places, kinds := m.config.More.Places, m.config.More.Kinds
	place, placeLatin, ok1 := strings.Cut(places[n%len(places)], " ")
	n /= len(places)
	kind, kindLatin, ok2 := strings.Cut(kinds[n%len(kinds)], " ")
	n /= len(kinds)
	if !ok1 || !ok2 {
		return universitySpec{}, errors.New(`universities.toml: more: write "鹿鸣 luming"`)
	}
	u := universitySpec{Name: place + kind, Short: place + kind, City: place + "市", Domain: placeLatin + kindLatin,
		Hosts: hosts}
	if n > 0 { // all names are used: branches of the same universities
		u.Name = fmt.Sprintf("%s第%d分校", u.Name, n)
		u.Domain = fmt.Sprintf("%s%d", u.Domain, n)
	}
	return u, nil
}
