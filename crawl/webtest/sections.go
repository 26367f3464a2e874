package webtest

import (
	"bytes"
	"strconv"
)

// The repeated regions of a page: menus, records, pagers, sidebars.

var (
	aboutName    = mustText("部门概况")
	homeName     = mustText("首页")
	firstName    = mustText("首页")
	backName     = mustText("上一页")
	forwardName  = mustText("下一页")
	lastName     = mustText("尾页")
	missingName  = mustText("点击查看原文")
	oldName      = mustText("旧版网站")
	hotName      = mustText("今日热点")
	closedName   = mustText("已下线专栏")
	calendarName = mustText("校历")
	sceneryName  = mustText("校园风光")
	adminName    = mustText("后台管理登录")
	loopName     = mustText("统一身份认证")

	authors   = []text{mustText("管理员"), mustText("办公室"), mustText("综合科"), mustText("宣传部"), mustText("信息员")}
	kindNames = [...]string{"", "home", "hub", "list", "detail", "static", "calendar", "scenery", "special", "admin"}
)

func (r *renderer) setName(t text) { r.name = append(r.name[:0], t[r.enc]...) }

func (r *renderer) menu() {
	for gi := range r.h.plan.groups {
		r.group, r.i = gi, gi+2
		r.link(r.h.plan.front(gi))
		r.setName(r.h.plan.groups[gi].name)
		r.part(partMenuGroup)
	}
	r.group, r.i = -1, len(r.h.plan.groups)+2
	r.link(ref{kind: kindStatic})
	r.setName(aboutName)
	r.part(partMenuGroup)
}

func (r *renderer) submenu() {
	if r.group < 0 {
		for i := range r.h.plan.statics {
			r.link(ref{kind: kindStatic, col: i})
			r.setName(r.h.plan.statics[i].title)
			r.part(partMenuItem)
		}
		return
	}
	for _, col := range r.h.plan.groups[r.group].columns {
		r.link(ref{kind: kindList, col: col, n: 1})
		r.setName(r.h.plan.columns[col].name)
		r.part(partMenuItem)
	}
}

// ownGroup returns the menu group of a page; -1 for the static pages.
func (r *renderer) ownGroup() int {
	switch r.ref.kind {
	case kindHub:
		return r.ref.col
	case kindList, kindDetail:
		return r.h.plan.columns[r.ref.col].group
	}
	return -1
}

// friends links the university's own hosts and the home pages of the next six universities, so that every seed
// reaches every host.
func (r *renderer) friends() {
	for _, o := range r.h.univ.hosts {
		if o != r.h {
			r.setName(o.site)
			r.external(o.addr)
		}
	}
	univs := r.w.univs
	for i := 1; i <= min(6, len(univs)-1); i++ {
		u := univs[(r.h.univ.index+i)%len(univs)]
		r.setName(u.name)
		r.external(u.hosts[0].addr)
	}
}

func (r *renderer) external(addr string) {
	r.href = append(append(append(r.href[:0], "http://"...), addr...), '/')
	r.part(partFriend)
}

// newest renders the newest items of the first notice column at the start, so that a page does not change with every
// publication.
func (r *renderer) newest() {
	col := 0
	for i := range r.h.plan.columns {
		if r.h.plan.columns[i].mix > 0 {
			col = i
			break
		}
	}
	n := r.h.plan.columns[col].items
	for i := range min(7, n) {
		r.show(col, n-1-i)
		r.limit = 15
		r.part(partNewest)
	}
	r.restore()
}

func (r *renderer) crumbs() {
	r.crumb(ref{kind: kindHome}, homeName)
	switch r.ref.kind {
	case kindHub:
		r.crumb(r.ref, r.h.plan.groups[r.ref.col].name)
	case kindList, kindDetail:
		c := &r.h.plan.columns[r.ref.col]
		if hub := r.h.plan.front(c.group); hub.kind == kindHub {
			r.crumb(hub, r.h.plan.groups[c.group].name)
		}
		r.crumb(ref{kind: kindList, col: r.ref.col, n: 1}, c.name)
	}
}

func (r *renderer) crumb(pg ref, name text) {
	r.link(pg)
	r.setName(name)
	r.part(partCrumb)
}

// recordRange returns the ordinals of list page n, first down to last.
func (p *plan) recordRange(items, n int) (first, last int) {
	first = items - 1 - (n-1)*p.perPage
	return first, max(0, first-p.perPage+1)
}

func (r *renderer) records() {
	c := &r.h.plan.columns[r.ref.col]
	id := partRecord
	if c.undated {
		id = partUndated
	}
	first, last := r.h.plan.recordRange(r.items(r.ref.col), r.ref.n)
	for j := first; j >= last; j-- {
		r.show(r.ref.col, j)
		r.i = first - j
		r.limit = [4]int{0, 30, 24, 0}[r.h.key>>4&3]
		r.part(id)
	}
	r.restore()
}

func (r *renderer) pager() {
	page, pages := r.ref.n, r.h.plan.listPages(r.items(r.ref.col))
	if page > 1 {
		r.pageLink(1, firstName)
		r.pageLink(page-1, backName)
	}
	for n := max(1, page-3); n <= min(pages, page+3); n++ {
		r.pageLink(n, text{})
	}
	if page < pages {
		r.pageLink(page+1, forwardName)
		r.pageLink(pages, lastName)
	}
}

// pageLink renders the link to list page n with its name or number.
func (r *renderer) pageLink(n int, name text) {
	r.setName(name)
	if len(r.name) == 0 {
		r.name = strconv.AppendInt(r.name, int64(n), 10)
	}
	if n == r.ref.n {
		r.part(partPageCurrent)
		return
	}
	r.link(ref{kind: kindList, col: r.ref.col, n: n})
	r.part(partPageLink)
}

// blocks renders the newest items of columns: all on the home page, a group's own on its hub.
func (r *renderer) blocks() {
	for col := range r.h.plan.columns {
		if r.ref.kind == kindHub && r.h.plan.columns[col].group != r.ref.col {
			continue
		}
		r.i = col
		r.link(ref{kind: kindList, col: col, n: 1})
		r.setName(r.h.plan.columns[col].name)
		r.part(partBlock)
	}
}

func (r *renderer) blockItems() {
	n := r.items(r.i)
	for k := range min(6, n) {
		r.show(r.i, n-1-k)
		r.limit = 22
		r.part(partItem)
	}
	r.restore()
}

// neighbours links the items before and after. One page in forty also links a missing original.
func (r *renderer) neighbours() {
	col, j := r.ref.col, r.ref.n
	if r.hasNext() {
		r.show(col, j+1)
		r.part(partPrevious)
	}
	if j > 0 {
		r.show(col, j-1)
		r.part(partNext)
	}
	r.restore()
	if r.key%40 == 0 {
		r.href = append(append(r.href[:0], r.root...), "gone/"...)
		r.href = strconv.AppendInt(r.href, int64(r.key>>40), 10)
		r.href = append(r.href, ".htm"...)
		r.setName(missingName)
		r.part(partBroken)
	}
}

func (r *renderer) hasNext() bool { return r.ref.n+1 < r.items(r.ref.col) }

// extras renders special links on the home page: redirects, a broken link, traps and odd pages.
func (r *renderer) extras() {
	r.extraLink(oldName, "old/", r.h.plan.columns[0].slug, ".htm")
	r.extraLink(hotName, "go.jsp?id=", strconv.Itoa(r.h.columns), "-0")
	r.extraLink(closedName, "gone/index.htm")
	if r.h.hasTrap("calendar") {
		r.extraLink(calendarName, "calendar.jsp?y=2026&m=7")
	}
	if r.h.hasTrap("path") {
		r.extraLink(sceneryName, "fg/a/")
	}
	if r.h.hasTrap("odd") {
		r.extraLink(loopName, "loop/a")
		for i := range odds {
			r.extraLink(mustText("页面"+strconv.Itoa(i+1)), odds[i].path)
		}
	}
}

func (r *renderer) extraLink(name text, path ...string) {
	r.href = append(r.href[:0], r.root...)
	for _, p := range path {
		r.href = append(r.href, p...)
	}
	r.setName(name)
	r.part(partExtra)
}

// recodeDate converts 年, 月 and 日 at the end of b from UTF-8 to GBK.
func recodeDate(b []byte) []byte {
	from := max(0, len(b)-24)
	for _, t := range []text{year, month, day} {
		if i := bytes.Index(b[from:], []byte(t[utf8Text])); i >= 0 {
			i += from
			b = append(append(b[:i], t[gbkText]...), b[i+3:]...)
		}
	}
	return b
}
