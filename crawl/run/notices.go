package run

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"angler/crawl/article"
	"angler/crawl/decisions"
	"angler/crawl/listpage"
	"angler/crawl/notices"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// noticeList identifies the list page that announces notices.
type noticeList struct {
	id    uint64
	url   string
	score float64
	in    FrameHolder // page whose frame holds the list
}

// announcement is a record of a list with the list's identity.
type announcement struct {
	noticeList
	record listpage.Record
}

// NoticeMaker makes notices from pages. It is safe for concurrent use.
type NoticeMaker struct {
	Store    *store.Workspace
	Reader   *reader.Reader
	Filter   *urls.Filter
	Settings func() *config.Settings
	Now      func() time.Time

	readings readings
}

// pureList is the share of matching records above which all records count as on topic: the patterns
// then exclude none.
const pureList = 0.8

// recordsLeftOut counts the records of a list that become no notices.
type recordsLeftOut struct {
	Skipped   int // their URLs may not be requested
	Unmatched int // their titles do not match the patterns
}

// unknown returns the records of a list page that have no notice yet, or whose notice again
// accepts. root is the list, of which this may be a later page. The patterns exclude no record of a
// confirmed list.
func (m *NoticeMaker) unknown(p *page.Page, list noticeList, root uint64, s *decisions.State,
	again func(*store.Notice) bool) (want []listpage.Record, out recordsLeftOut) {
	matched := 0
	match := make([]bool, len(p.Records))
	for i := range p.Records {
		match[i] = s.Patterns == nil || s.Patterns.Match(p.Records[i].Title)
		if match[i] {
			matched++
		}
	}
	all := s.Confirmed(list.id, list.url) || root != 0 && s.Confirmed(root, "") ||
		float64(matched) >= pureList*float64(len(p.Records))
	for i, rec := range p.Records {
		if rec.Link < 0 || isHostRoot(rec.URL) { // a post without its own page, or a menu's link to the home page
			continue
		}
		if !all && !match[i] {
			out.Unmatched++
			continue
		}
		if m.Filter.Check(rec.URL, urls.ClassOf(rec.URL)) != urls.Accepted {
			out.Skipped++
			continue
		}
		if id, ok := m.Store.Lookup(rec.URL); ok {
			if n := m.noticeAt(id); n != nil && !again(n) {
				continue
			}
		}
		// copies, or the waiting strings would keep the page in memory
		rec.Title, rec.URL = strings.Clone(rec.Title), strings.Clone(rec.URL)
		want = append(want, rec)
	}
	return want, out
}

// isHostRoot reports whether an address has no path: no notice stands there.
func isHostRoot(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, path, _ := strings.Cut(rest, "/")
	return path == "" && !strings.ContainsAny(host, "?#")
}

// options returns how the page of a notice is read.
func (m *NoticeMaker) options(a announcement) page.Announced {
	set := m.Settings().Harvest
	return page.Announced{Method: set.Method, Marks: set.Marks, LinkChars: set.Links, Title: a.record.Title,
		Date: a.record.Date}
}

// fromResponse returns the notice on a fetched page p; hash is the hash of its body. p was read as
// this notice already unless the list announced it a moment ago. It returns nil if the source is no
// page.
func (m *NoticeMaker) fromResponse(u *store.URL, src page.Source, hash store.Key, p *page.Page,
	a announcement) *store.Notice {
	if as := m.options(a); p.Notice == nil || p.Notice.Announced != as {
		var err error
		if p, err = m.Reader.Look(src, page.Options{Notice: &as}); err != nil {
			return nil
		}
	}
	m.readings.note(u.ID, hash, p)
	return m.build(u, p.Notice, a)
}

// build makes a notice from the values read from a page.
func (m *NoticeMaker) build(u *store.URL, p *page.Notice, a announcement) *store.Notice {
	n := &store.Notice{ID: u.ID, URL: u.URL, Title: cmp.Or(p.Title, a.record.Title), Date: p.Date.Time,
		Precision: uint8(p.Date.Precision),
		Text:      p.Main, Method: p.MainMethod, FirstSeen: m.Now(), Attachments: []store.Attachment{}}
	for _, x := range p.Attachments {
		n.Attachments = append(n.Attachments, store.Attachment{Name: x.Name, URL: x.URL, Class: x.Class.String()})
	}
	setSource(n, a)
	return n
}

// setSource sets the list that announced a notice.
func setSource(n *store.Notice, a announcement) {
	n.Source, n.SourceID, n.Frame, n.FrameID, n.Score = a.url, a.id, "", 0, a.score
	if a.in.ID != 0 {
		n.Source, n.SourceID, n.Frame, n.FrameID = a.in.URL, a.in.ID, n.Source, n.SourceID
	}
}

// fromStored returns the notice of address u from the stored page that u leads to; nil if there is
// none.
func (m *NoticeMaker) fromStored(row *store.Page, u *store.URL, a announcement) *store.Notice {
	as := m.options(a)
	p, err := m.Reader.Stored(row.ID, page.Options{Notice: &as})
	if err != nil || p == nil {
		return nil
	}
	m.readings.note(u.ID, row.Hash, p)
	return m.build(u, p.Notice, a)
}

// load is fromStored that first tries an earlier reading of this run.
func (m *NoticeMaker) load(row *store.Page, u *store.URL, a announcement) *store.Notice {
	if n := m.reuse(row, u, a); n != nil {
		return n
	}
	return m.fromStored(row, u, a)
}

// readings remembers the dependencies of notice readings, a few hundred bytes per notice. A
// discovery reads its notices as they come and again at its end, when host profiles are complete.
// Most readings would be equal and are skipped. The zero value is empty. It is safe for concurrent
// use.
type readings struct {
	mu sync.Mutex
	m  map[uint64]reading // by id
}

type reading struct {
	as      page.Announced
	depends page.HostDependencies
	scripts []string // script files missing at that time
	hash    store.Key
}

// note stores how a page was read; hash is the hash of its body.
func (g *readings) note(id uint64, hash store.Key, p *page.Page) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.m == nil {
		g.m = map[uint64]reading{}
	}
	g.m[id] = reading{p.Notice.Announced, p.Notice.HostDependencies, p.Scripts, hash}
}

// take returns the reading of a notice and deletes it.
func (g *readings) take(id uint64) (reading, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x, ok := g.m[id]
	delete(g.m, id)
	return x, ok
}

// reuse returns the stored notice of an address if this run read it from the same body and a new
// reading would be equal; nil = read it again.
func (m *NoticeMaker) reuse(row *store.Page, u *store.URL, a announcement) *store.Notice {
	x, ok := m.readings.take(u.ID)
	if !ok || x.as != m.options(a) || !m.Reader.Holds(row.URL, x.scripts, &x.depends) || row.Hash != x.hash ||
		row.Location != "" {
		return nil
	}
	n, err := m.Store.Notice(u.ID)
	if err != nil || n == nil {
		return nil
	}
	setSource(n, a)
	return n
}

// A page whose long text became short is under repair.
const (
	shortText = 90  // bytes; a title and little more
	longText  = 200 // bytes
)

// Renewed returns the new notice of a changed page and its old version; nil if the text is
// unchanged. src is the page as fetched; the store still holds the old one.
//
// Both are read with the present host profile, so that only the page itself makes a difference.
// Counters, menus and lines around a notice are ignored. A page without text changes nothing,
// because sites under repair show such pages for a while.
func (m *NoticeMaker) Renewed(u *store.URL, n *store.Notice, src page.Source) (*store.Notice, *records.NoticeVersion) {
	a := announcement{noticeList: noticeList{score: n.Score},
		record: listpage.Record{Title: n.Title,
			Date: article.Date{Time: n.Date, Precision: article.DatePrecision(n.Precision)}}}
	if a.id, a.url = n.On(); n.FrameID != 0 {
		a.in = FrameHolder{ID: n.SourceID, URL: n.Source}
	}
	before, err := m.Reader.Stored(u.ID, m.options(a).Options())
	if err != nil || before == nil {
		return nil, nil
	}
	after, err := m.Reader.Look(src, m.options(a).Options())
	if err != nil || after == nil || len(after.Main) < shortText && len(before.Main) >= longText {
		return nil, nil
	}
	own := &store.URL{ID: n.ID, URL: n.URL} // its address may lead to u
	was, is := m.build(own, before.AsNotice(), a), m.build(own, after.AsNotice(), a)
	said := view.Says(was)
	if !notices.TextChanged(said, view.Says(is)) {
		return nil, nil
	}
	is.FirstSeen, is.Changed = n.FirstSeen, m.Now()
	if is.Date.IsZero() {
		is.Date, is.Precision = n.Date, n.Precision
	}
	return is, &records.NoticeVersion{Until: is.Changed, Title: cmp.Or(was.Title, n.Title), Date: n.Date,
		Precision: n.Precision, Text: said.Text, Files: said.Files}
}
