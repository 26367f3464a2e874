package run

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"angler/crawl/article"
	"angler/crawl/decisions"
	"angler/crawl/fetch"
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

// noticeList is a page of a list, as the notices that it announces know it.
type noticeList struct {
	id    uint64
	url   string
	score float64
	in    FrameHolder // in whose frame it stands
}

// announcement is a record of a list on its way to become a notice.
type announcement struct {
	noticeList
	record listpage.Record
}

// NoticeMaker makes notices. It is safe for concurrent use.
type NoticeMaker struct {
	Store       *store.Workspace
	Reader      *reader.Reader
	PageWorkers PageWorkers // of elsewhere
	Filter      *urls.Filter
	Settings    func() *config.Settings
	Now         func() time.Time

	readings readings
}

// pureList is the share of matching records from which a list is taken as
// purely on topic, so that the patterns no longer choose.
const pureList = 0.8

// recordsLeftOut counts the records of a list that become no notices.
type recordsLeftOut struct {
	Skipped   int // they may not be asked for
	Unmatched int // their titles do not match the patterns
}

// unknown chooses those records of a page of a list that are no notices yet, or of which
// again says that they may be read once more. root is the list, of which this may be a
// later page: where it is confirmed, the patterns choose nothing.
func (m *NoticeMaker) unknown(p *page.Page, list noticeList, root uint64, s *decisions.State, again func(*store.Notice) bool) (want []listpage.Record, out recordsLeftOut) {
	matched := 0
	match := make([]bool, len(p.Records))
	for i := range p.Records {
		match[i] = s.Patterns == nil || s.Patterns.Match(p.Records[i].Title)
		if match[i] {
			matched++
		}
	}
	all := s.Confirmed(list.id, list.url) || root != 0 && s.Confirmed(root, "") || float64(matched) >= pureList*float64(len(p.Records))
	for i, rec := range p.Records {
		if rec.Link < 0 || home(rec.URL) { // a post without a page of its own; the way home of a menu
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
		rec.Title, rec.URL = strings.Clone(rec.Title), strings.Clone(rec.URL) // they wait, and their page is not to wait with them
		want = append(want, rec)
	}
	return want, out
}

// home reports whether an address is a host alone: no notice stands there.
func home(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, path, _ := strings.Cut(rest, "/")
	return path == "" && !strings.ContainsAny(host, "?#")
}

// as is how the page of a notice is read.
func (m *NoticeMaker) as(a announcement) page.Announced {
	set := m.Settings().Harvest
	return page.Announced{Method: set.Method, Marks: set.Marks, LinkChars: set.Links, Title: a.record.Title, Date: a.record.Date}
}

// look is the notice on a page that has just come and that p is; hash is that of its body. It was read as that notice already, unless it was announced a moment ago. nil
// when it is no page.
func (m *NoticeMaker) look(u *store.URL, src page.Source, hash store.Key, p *page.Page, a announcement) *store.Notice {
	if as := m.as(a); p.Notice == nil || p.Notice.As != as {
		var err error
		if p, err = m.Reader.Look(src, page.Options{Notice: &as}); err != nil {
			return nil
		}
	}
	m.readings.note(u.ID, hash, p)
	return m.of(u, p.Notice, a)
}

// of is the notice that a page says.
func (m *NoticeMaker) of(u *store.URL, p *page.Notice, a announcement) *store.Notice {
	n := &store.Notice{ID: u.ID, URL: u.URL, Title: cmp.Or(p.Title, a.record.Title), Date: p.Date.Time, Precision: uint8(p.Date.Precision),
		Text: p.Main, Method: p.MainMethod, FirstSeen: m.Now(), Attachments: []store.Attachment{}}
	for _, x := range p.Attachments {
		n.Attachments = append(n.Attachments, store.Attachment{Name: x.Name, URL: x.URL, Class: x.Class.String()})
	}
	on(n, a)
	return n
}

// on says of a notice which list has announced it.
func on(n *store.Notice, a announcement) {
	n.Source, n.SourceID, n.Frame, n.FrameID, n.Score = a.url, a.id, "", 0, a.score
	if a.in.ID != 0 {
		n.Source, n.SourceID, n.Frame, n.FrameID = a.in.URL, a.in.ID, n.Source, n.SourceID
	}
}

// read is the notice on a stored page, to which the notice's address u leads; nil when there
// is none.
func (m *NoticeMaker) read(row *store.Page, u *store.URL, a announcement) *store.Notice {
	as := m.as(a)
	p, err := m.Reader.Stored(row.ID, page.Options{Notice: &as})
	if err != nil || p == nil {
		return nil
	}
	m.readings.note(u.ID, row.Hash, p)
	return m.of(u, p.Notice, a)
}

// elsewhere is read by way of an earlier reading that still holds, or of workers on other
// machines that have room. stored is to be called after the commit of the notice; nil =
// no worker waits for that.
func (m *NoticeMaker) elsewhere(
	ctx context.Context, row *store.Page, u *store.URL, a announcement,
) (n *store.Notice, stored func()) {
	if n := m.same(row, u, a); n != nil {
		return n, nil
	}
	if m.PageWorkers.Slots() == 0 || !urls.IsPlain(row.URL) {
		return m.read(row, u, a), nil
	}
	var opt page.Options
	as := m.as(a)
	src, err := m.Reader.Source(row.ID, &opt)
	if err != nil || src == nil || len(src.Body) == 0 || len(src.Body) > maxBody {
		return m.read(row, u, a), nil
	}
	b, err := m.PageWorkers.Do(ctx, PageJob{Request: fetch.Request{URL: row.URL}, ID: row.ID, Address: row.URL, Host: urls.HostOf(row.URL), Page: true,
		Notice: &as, Body: src.Body, ContentType: src.ContentType, At: opt.Now})
	if err == nil {
		if n := m.Reader.Noticed(b.Draft, as); n != nil {
			return m.of(u, n, a), b.Stored
		}
	}
	return m.read(row, u, a), b.Stored
}

// readings remember what the readings of notices depend on, some hundred bytes a notice. A
// discovery reads its notices as they come, and once more at its end, when its hosts are
// known: most of them would be read as they were. The zero value remembers nothing. Safe
// for concurrent use.
type readings struct {
	mu sync.Mutex
	m  map[uint64]reading // by id
}

type reading struct {
	as      page.Announced
	heard   page.HostDependencies
	scripts []string // without which it was read
	hash    store.Key
}

// note remembers how a page was read, whose body has a hash.
func (g *readings) note(id uint64, hash store.Key, p *page.Page) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.m == nil {
		g.m = map[uint64]reading{}
	}
	g.m[id] = reading{p.Notice.As, p.Notice.Heard, p.Scripts, hash}
}

// take forgets what is remembered of a page, and returns it.
func (g *readings) take(id uint64) (reading, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x, ok := g.m[id]
	delete(g.m, id)
	return x, ok
}

// same is the notice that is stored of an address, if this run has read it from the very page
// that is stored now, and would read it so again; nil = it is to be read.
func (m *NoticeMaker) same(row *store.Page, u *store.URL, a announcement) *store.Notice {
	x, ok := m.readings.take(u.ID)
	if !ok || x.as != m.as(a) || !m.Reader.Holds(row.URL, x.scripts, &x.heard) || row.Hash != x.hash || row.Location != "" {
		return nil
	}
	n, err := m.Store.Notice(u.ID)
	if err != nil || n == nil {
		return nil
	}
	on(n, a)
	return n
}

// A page whose text was long and is short now is being mended.
const (
	shortText = 90  // bytes: a title and no more
	longText  = 200 // bytes
)

// Renewed is what a known notice says now, and what it said before; nil when its page,
// which has changed, says what it said. src is the page as it came; the one of before is
// stored still.
//
// Both are read under what is known of the host now, so that only the page can make a
// difference; counters, menus and the lines around a notice make none. A page without
// text changes nothing: a site that is being mended shows such pages for a while.
func (m *NoticeMaker) Renewed(u *store.URL, n *store.Notice, src page.Source) (*store.Notice, *records.NoticeVersion) {
	a := announcement{noticeList: noticeList{score: n.Score},
		record: listpage.Record{Title: n.Title, Date: article.Date{Time: n.Date, Precision: article.DatePrecision(n.Precision)}}}
	if a.id, a.url = n.On(); n.FrameID != 0 {
		a.in = FrameHolder{ID: n.SourceID, URL: n.Source}
	}
	before, err := m.Reader.Stored(u.ID, m.as(a).Options())
	if err != nil || before == nil {
		return nil, nil
	}
	after, err := m.Reader.Look(src, m.as(a).Options())
	if err != nil || after == nil || len(after.Main) < shortText && len(before.Main) >= longText {
		return nil, nil
	}
	own := &store.URL{ID: n.ID, URL: n.URL} // which may lead to u
	was, is := m.of(own, before.AsNotice(), a), m.of(own, after.AsNotice(), a)
	said := view.Says(was)
	if !notices.TextChanged(said, view.Says(is)) {
		return nil, nil
	}
	is.FirstSeen, is.Changed = n.FirstSeen, m.Now()
	if is.Date.IsZero() {
		is.Date, is.Precision = n.Date, n.Precision
	}
	return is, &records.NoticeVersion{Until: is.Changed, Title: cmp.Or(was.Title, n.Title), Date: n.Date, Precision: n.Precision, Text: said.Text, Files: said.Files}
}
