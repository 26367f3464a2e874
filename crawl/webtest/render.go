package webtest

import (
	"cmp"
	"strconv"
	"time"
)

// renderer renders one page from the parts of a style. A slot for more than a word calls a method that loops over
// its part. A renderer serves one page at a time and reuses its buffers.
type renderer struct {
	w     *Web
	h     *host
	enc   encoding
	extra int
	ref   ref
	key   uint64
	draws uint64 // numbers drawn by slots, so that each differs

	buf   []byte // the page
	root  []byte // VSB: "../" for each directory of the page's path
	title []byte // of the page, or of the present item

	// Values of the part being rendered.
	href  []byte
	name  []byte
	text  []byte
	i     int
	limit int // characters of an anchor; 0: all
	date  time.Time
	group int // group of a submenu's columns; -1: the static pages
}

// begin resets the renderer for a page.
func (r *renderer) begin(w *Web, h *host, pg ref) {
	r.w, r.h, r.enc, r.ref = w, h, h.enc, pg
	r.extra = int(w.extra.Load())
	r.key = mix(mix(h.key, uint64(pg.kind)<<32|uint64(pg.col)), uint64(pg.n))
	r.draws = 0
	r.limit = 0
	r.buf = r.buf[:0]
	r.root = r.root[:0]
	if h.webplus {
		r.root = append(r.root, '/')
	} else {
		r.text = h.appendPath(r.text[:0], pg, r.items(pg.col))
		for _, c := range r.text {
			if c == '/' {
				r.root = append(r.root, "../"...)
			}
		}
	}
	r.title = r.appendTitle(r.title[:0], pg)
	r.date = r.pageTime()
}

// items returns the present number of items in a column.
func (r *renderer) items(col int) int {
	if col >= len(r.h.plan.columns) {
		return 0
	}
	return r.h.plan.columns[col].items + r.extra
}

// appendTitle appends the visible title of a page.
func (r *renderer) appendTitle(dst []byte, pg ref) []byte {
	switch pg.kind {
	case kindHome:
		return append(dst, r.h.site[r.enc]...)
	case kindHub:
		return append(dst, r.h.plan.groups[pg.col].name[r.enc]...)
	case kindList:
		return append(dst, r.h.plan.columns[pg.col].name[r.enc]...)
	case kindStatic:
		return append(dst, r.h.plan.statics[pg.col].title[r.enc]...)
	case kindDetail:
		key := r.h.itemKey(pg.col, pg.n)
		s := speaker{host: r.h, enc: r.enc, key: key, rng: random(mix(key, 't')), date: r.h.itemTime(pg.col, pg.n)}
		titles := r.w.itemTopic(r.h, pg.col, pg.n).titles
		return s.say(dst, titles.phrases[titles.at(mix(r.h.key, uint64(pg.col)), pg.n)])
	case kindCalendar:
		dst = append(dst, calendarName[r.enc]...)
		dst = strconv.AppendInt(dst, int64(pg.n/12), 10)
		dst = append(dst, year[r.enc]...)
		dst = strconv.AppendInt(dst, int64(pg.n%12+1), 10)
		return append(dst, month[r.enc]...)
	case kindGrow:
		return append(dst, sceneryName[r.enc]...)
	case kindOdd:
		return append(dst, odds[pg.col].title...)
	case kindAdmin:
		return append(dst, adminName[r.enc]...)
	}
	return dst
}

// pageTime returns the date of a detail page; newest for others.
func (r *renderer) pageTime() time.Time {
	if r.ref.kind == kindDetail {
		return r.h.itemTime(r.ref.col, r.ref.n)
	}
	return newest
}

func (r *renderer) part(id partID) {
	for i := range r.h.style.parts[id] {
		p := &r.h.style.parts[id][i]
		if p.fill == nil {
			r.put(p.lit)
		} else {
			p.fill(r)
		}
	}
}

func (r *renderer) put(t text) { r.buf = append(r.buf, t[r.enc]...) }

// draw returns a number in [0, n) that depends on page and place.
func (r *renderer) draw(n int) int {
	r.draws++
	d := random(mix(r.key, r.draws))
	return d.below(n)
}

// slots maps the names in a style to the methods that fill them.
var slots = map[string]func(*renderer){
	"root":   func(r *renderer) { r.buf = append(r.buf, r.root...) },
	"href":   func(r *renderer) { r.buf = append(r.buf, r.href...) },
	"name":   func(r *renderer) { r.buf = append(r.buf, r.name...) },
	"title":  func(r *renderer) { r.buf = append(r.buf, r.title...) },
	"anchor": func(r *renderer) { r.buf = appendAnchor(r.buf, r.title, r.enc, r.limit) },
	"text":   func(r *renderer) { r.buf = append(r.buf, r.text...) },
	"site":   func(r *renderer) { r.put(r.h.site) },
	"city":   func(r *renderer) { r.put(r.h.univ.city) },
	"domain": func(r *renderer) { r.buf = append(r.buf, r.h.univ.domain...) },
	"kind":   func(r *renderer) { r.buf = append(r.buf, kindNames[r.ref.kind]...) },
	"author": func(r *renderer) { r.put(authors[r.draw(len(authors))]) },

	"charset":  (*renderer).charset,
	"date":     func(r *renderer) { r.buf = r.date.AppendFormat(r.buf, "2006-01-02") },
	"listdate": (*renderer).listDate,
	"num":      func(r *renderer) { r.number(10_000 + r.draw(90_000)) },
	"hostnum":  func(r *renderer) { r.number(int(10_000 + r.h.key%90_000)) }, // equal on every page, like a footer
	"n":        func(r *renderer) { r.number(1 + r.draw(400)) },
	"i":        func(r *renderer) { r.number(r.i) },
	"total":    func(r *renderer) { r.number(r.items(r.ref.col)) },
	"page":     func(r *renderer) { r.number(r.ref.n) },
	"pages":    func(r *renderer) { r.number(r.h.plan.listPages(r.items(r.ref.col))) },
	"phone": func(r *renderer) {
		r.buf = appendPadded(append(r.buf, "0599-8555"...), int(r.h.key%10_000), 4)
	},
	"doctitle": (*renderer).docTitle,
	"metas":    (*renderer).metas,

	"main": (*renderer).main, "menu": (*renderer).menu, "submenu": (*renderer).submenu, "friends": (*renderer).friends,
	"sidebar": (*renderer).sidebar, "group": (*renderer).groupName, "newest": (*renderer).newest,
	"crumbs": (*renderer).crumbs, "records": (*renderer).records, "hidden": (*renderer).hidden,
	"pager":   (*renderer).pager,
	"article": (*renderer).article, "attachments": (*renderer).attachments, "neighbours": (*renderer).neighbours,
	"blocks": (*renderer).blocks, "items": (*renderer).blockItems, "extras": (*renderer).extras,
}

func (r *renderer) number(n int) { r.buf = strconv.AppendInt(r.buf, int64(n), 10) }

func (r *renderer) docTitle() {
	r.buf = append(r.buf, r.title...)
	if !r.h.webplus && r.ref.kind != kindHome && r.ref.kind != kindOdd {
		r.buf = append(r.buf, '-')
		r.put(r.h.site)
	}
}

func (r *renderer) metas() {
	if r.ref.kind == kindDetail {
		r.part(partMetas)
	}
}

func (r *renderer) sidebar() {
	r.group = r.ownGroup()
	r.part(partSidebar)
}

func (r *renderer) groupName() {
	if r.group >= 0 {
		r.put(r.h.plan.groups[r.group].name)
	} else {
		r.put(aboutName)
	}
}

// hidden hides the last records of a list on some hosts.
func (r *renderer) hidden() {
	if !r.h.webplus && r.h.key&8 == 0 && r.i >= r.h.plan.perPage-3 {
		r.buf = append(r.buf, ` style="display:none"`...)
	}
}

func (r *renderer) main() {
	switch r.ref.kind {
	case kindHome:
		r.part(partHome)
	case kindHub:
		r.part(partHub)
	case kindList:
		r.part(partList)
	case kindDetail:
		r.part(partDetail)
	default:
		r.part(partStatic)
	}
}

// charset writes the charset declared in the page's meta tag.
func (r *renderer) charset() {
	name := r.h.spec.Charset
	if r.ref.kind == kindOdd {
		name = cmp.Or(odds[r.ref.col].charset, name)
	}
	r.buf = append(r.buf, name...)
}

func (r *renderer) listDate() {
	if r.ref.kind != kindList && r.h.plan.columns[r.i].undated {
		return
	}
	r.buf = r.date.AppendFormat(r.buf, r.h.spec.Date)
	if r.enc == gbkText { // the date format's 年月日 is UTF-8
		r.buf = recodeDate(r.buf)
	}
}

// link sets href to a page of this host.
func (r *renderer) link(pg ref) {
	r.href = append(r.href[:0], r.root...)
	if pg.kind == kindHome {
		r.href = append(r.href, r.h.index()...)
		return
	}
	r.href = r.h.appendPath(r.href, pg, r.items(pg.col))
}

// show sets title, date and href to an item. Call restore afterwards.
func (r *renderer) show(col, j int) {
	pg := ref{kind: kindDetail, col: col, n: j}
	r.title = r.appendTitle(r.title[:0], pg)
	r.date = r.h.itemTime(col, j)
	r.link(pg)
}

// restore resets title and date to the page's own.
func (r *renderer) restore() {
	r.title = r.appendTitle(r.title[:0], r.ref)
	r.date = r.pageTime()
	r.limit = 0
}

// appendAnchor appends at most limit characters of a title, and "..." if truncated.
func appendAnchor(dst, title []byte, enc encoding, limit int) []byte {
	if limit == 0 {
		return append(dst, title...)
	}
	for i := 0; i < len(title); limit-- {
		if limit == 0 {
			return append(append(dst, title[:i]...), "..."...)
		}
		switch {
		case title[i] < 0x80:
			i++
		case enc == gbkText:
			i += 2
		default:
			i += 3 // GBK's characters have at most three bytes in UTF-8
			if title[i-3] < 0xe0 {
				i--
			}
		}
	}
	return append(dst, title...)
}
