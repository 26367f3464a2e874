package webtest

import (
	"iter"
	"net/url"
	"slices"
	"strings"
)

// Truth is the ground truth of a page.
type Truth struct {
	URL     string // as linked in pages
	Type    string // list, detail, hub or other
	Title   string
	Charset string // of the bytes: utf-8 or gb18030
	Date    string // 2006-01-02 on details, else ""
	// main text of details and static pages: one line per paragraph or table row, tabs between cells
	Text        string
	Tender      bool // a tender notice, or a list of only tender notices
	Trap        bool // part of an endless chain; Truths leaves it out
	Records     []Record
	Attachments []linkedFile
}

// Record is one entry of a list page, in page order, including hidden ones.
type Record struct {
	Title  string
	URL    string
	Date   string // "" on lists without dates
	Tender bool
}

// linkedFile is a document linked from a detail page.
type linkedFile struct {
	Name string
	URL  string
}

// Truth returns the truth of a page; false for other addresses: files, redirects, broken links, other hosts.
func (w *Web) Truth(address string) (Truth, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return Truth{}, false
	}
	h := w.byAddr[strings.ToLower(u.Hostname())]
	if h == nil {
		return Truth{}, false
	}
	path := strings.TrimPrefix(u.Path, "/")
	pg, ok := h.find(path, u.RawQuery, int(w.extra.Load()))
	if !ok || pg.kind == kindOdd && !odds[pg.col].html() {
		return Truth{}, false
	}
	return w.truth(h, pg), true
}

// Truths yields the truth of every page, host by host, without endless chains and the forbidden /admin/.
func (w *Web) Truths() iter.Seq[Truth] {
	return func(yield func(Truth) bool) {
		for h, pg := range w.pages() {
			if !yield(w.truth(h, pg)) {
				return
			}
		}
	}
}

// Len returns the number of pages in Truths.
func (w *Web) Len() int {
	n := 0
	extra := int(w.extra.Load())
	for _, h := range w.hosts {
		n += 1 + len(h.plan.statics)
		for i := range h.plan.groups {
			if h.plan.front(i).kind == kindHub {
				n++
			}
		}
		for i := range h.plan.columns {
			items := h.plan.columns[i].items + extra
			n += items + h.plan.listPages(items)
		}
		if h.hasTrap("odd") {
			for i := range odds {
				if odds[i].html() {
					n++
				}
			}
		}
	}
	return n
}

// pages yields every page once.
func (w *Web) pages() iter.Seq2[*host, ref] {
	return func(yield func(*host, ref) bool) {
		extra := int(w.extra.Load())
		for _, h := range w.hosts {
			for pg := range h.pages(extra) {
				if !yield(h, pg) {
					return
				}
			}
		}
	}
}

func (h *host) pages(extra int) iter.Seq[ref] {
	return func(yield func(ref) bool) {
		if !yield(ref{kind: kindHome}) {
			return
		}
		for i := range h.plan.groups {
			if hub := h.plan.front(i); hub.kind == kindHub && !yield(hub) {
				return
			}
		}
		for i := range h.plan.statics {
			if !yield(ref{kind: kindStatic, col: i}) {
				return
			}
		}
		for i := range h.plan.columns {
			items := h.plan.columns[i].items + extra
			for n := range h.plan.listPages(items) {
				if !yield(ref{kind: kindList, col: i, n: n + 1}) {
					return
				}
			}
			for j := items - 1; j >= 0; j-- {
				if !yield(ref{kind: kindDetail, col: i, n: j}) {
					return
				}
			}
		}
		if h.hasTrap("odd") {
			for i := range odds {
				if odds[i].html() && !yield(ref{kind: kindOdd, col: i}) {
					return
				}
			}
		}
	}
}

// truth returns the truth of one page in UTF-8, whatever its charset.
func (w *Web) truth(h *host, pg ref) Truth {
	r := w.pool.Get().(*renderer)
	defer w.pool.Put(r)
	r.begin(w, h, pg)
	r.enc = utf8Text
	t := Truth{
		URL: r.url(pg), Title: string(r.appendTitle(nil, pg)), Charset: "utf-8", Type: "other",
		Trap: pg.kind == kindCalendar || pg.kind == kindGrow,
	}
	if h.enc == gbkText {
		t.Charset = "gb18030"
	}
	switch pg.kind {
	case kindHome, kindHub:
		t.Type = "hub"
	case kindStatic:
		t.Text = string(r.plain(nil))
	case kindDetail:
		t.Type = "detail"
		t.Date = h.itemTime(pg.col, pg.n).Format("2006-01-02")
		t.Text = string(r.plain(nil))
		t.Tender = w.itemTopic(h, pg.col, pg.n).tender
		s, blocks := r.source()
		for i := range blocks {
			if blocks[i].kind == attachment {
				f := file{col: pg.col, j: pg.n, k: len(t.Attachments), ext: blocks[i].ext}
				t.Attachments = append(t.Attachments, linkedFile{
					Name: string(s.say(nil, blocks[i].cells[0])),
					URL:  string(h.appendFile([]byte("http://"+h.addr+"/"), f)),
				})
			}
		}
	case kindList:
		t.Type = "list"
		t.Tender = h.plan.columns[pg.col].topic.tender
		t.Records = recordsOf(r)
	case kindOdd:
		o := &odds[pg.col]
		if o.gbk {
			t.Charset, t.Title = "gb18030", wrongTitle[utf8Text]
		}
	}
	return t
}

// recordsOf returns the records of the list in r.
func recordsOf(r *renderer) []Record {
	c := &r.h.plan.columns[r.ref.col]
	first, last := r.h.plan.recordRange(r.items(r.ref.col), r.ref.n)
	out := make([]Record, 0, first-last+1)
	for j := first; j >= last; j-- {
		item := ref{kind: kindDetail, col: r.ref.col, n: j}
		rec := Record{Title: string(r.appendTitle(nil, item)), URL: r.url(item),
			Tender: r.w.itemTopic(r.h, r.ref.col, j).tender}
		if !c.undated {
			rec.Date = r.h.itemTime(r.ref.col, j).Format("2006-01-02")
		}
		out = append(out, rec)
	}
	return slices.Clip(out)
}

func (r *renderer) url(pg ref) string {
	b := append(append(append([]byte(nil), "http://"...), r.h.addr...), '/')
	return string(r.h.appendPath(b, pg, r.items(pg.col)))
}
