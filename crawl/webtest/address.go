package webtest

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// appendPath appends the path of a page without the leading slash. items is the present number of items in the
// column, from which VSB numbers its list pages.
func (h *host) appendPath(dst []byte, r ref, items int) []byte {
	switch r.kind {
	case kindHome:
		if h.spec.Root == "redirect" {
			return append(dst, h.index()...)
		}
		return dst
	case kindHub:
		return h.appendFront(dst, h.plan.groups[r.col].slug)
	case kindStatic:
		return h.appendFront(dst, h.plan.statics[r.col].slug)
	case kindList:
		slug := h.plan.columns[r.col].slug
		if r.n == 1 {
			return h.appendFront(dst, slug)
		}
		if h.webplus {
			return fmt.Appendf(dst, "%s/list%d.htm", slug, r.n)
		}
		// Older pages count down to 1.
		return fmt.Appendf(dst, "%s/%d.htm", slug, h.plan.listPages(items)-r.n+1)
	case kindDetail:
		id := h.itemID(r.col, r.n)
		if h.webplus {
			y, m, d := h.itemTime(r.col, r.n).Date()
			dst = strconv.AppendInt(dst, int64(y), 10)
			dst = append(dst, '/')
			dst = appendPadded(dst, int(m)*100+d, 4)
			dst = append(dst, "/c"...)
			dst = strconv.AppendInt(dst, int64(h.columns+r.col), 10)
			dst = append(dst, 'a')
			dst = strconv.AppendInt(dst, int64(id), 10)
			return append(dst, "/page.htm"...)
		}
		dst = append(dst, "info/"...)
		dst = strconv.AppendInt(dst, int64(h.columns+r.col), 10)
		dst = append(dst, '/')
		dst = strconv.AppendInt(dst, int64(id), 10)
		return append(dst, ".htm"...)
	case kindCalendar:
		return fmt.Appendf(dst, "calendar.jsp?y=%d&m=%d", r.n/12, r.n%12+1)
	case kindGrow:
		dst = append(dst, "fg/"...)
		for range r.n {
			dst = append(dst, "a/"...)
		}
		return dst
	case kindOdd:
		return append(dst, odds[r.col].path...)
	case kindAdmin:
		return append(dst, "admin/login.jsp"...)
	}
	return dst
}

func (h *host) appendFront(dst []byte, slug string) []byte {
	dst = append(dst, slug...)
	if h.webplus {
		return append(dst, "/list.htm"...)
	}
	return append(dst, ".htm"...)
}

// index returns the file name of the home page.
func (h *host) index() string {
	if h.webplus {
		return "main.htm"
	}
	return "index.htm"
}

// find returns the page with this path (without the leading slash) and query; the inverse of appendPath. Each page
// has exactly one path. Queries of plain files are ignored, as on a file server.
func (h *host) find(path, query string, extra int) (ref, bool) {
	r, ok := h.guess(path, query, extra)
	if !ok || r.kind == kindCalendar {
		return r, ok
	}
	var buf [512]byte
	items := 0
	if r.kind == kindList {
		items = h.plan.columns[r.col].items + extra
	}
	return r, string(h.appendPath(buf[:0], r, items)) == path
}

// guess parses a path loosely; find then compares it with the guessed page's path.
func (h *host) guess(path, query string, extra int) (ref, bool) {
	word, rest, deeper := strings.Cut(path, "/")
	switch {
	case path == "" || path == h.index():
		return ref{kind: kindHome}, true
	case word == "admin":
		return ref{kind: kindAdmin}, true
	case word == "info" && !h.webplus:
		col, id, _ := strings.Cut(rest, "/")
		return h.guessItem(col, strings.TrimSuffix(id, ".htm"), extra)
	case h.webplus && len(word) == 4 && word[0] == '2':
		_, rest, _ = strings.Cut(rest, "/") // month and day
		item, _, _ := strings.Cut(rest, "/")
		col, id, _ := strings.Cut(strings.TrimPrefix(item, "c"), "a")
		return h.guessItem(col, id, extra)
	case path == "calendar.jsp" && h.hasTrap("calendar"):
		v, err := url.ParseQuery(query)
		y, err1 := strconv.Atoi(v.Get("y"))
		m, err2 := strconv.Atoi(v.Get("m"))
		ok := err == nil && err1 == nil && err2 == nil && y >= 2000 && y <= 9999 && m >= 1 && m <= 12
		return ref{kind: kindCalendar, n: y*12 + m - 1}, ok
	case word == "fg" && h.hasTrap("path"):
		n := strings.Count(rest, "/")
		return ref{kind: kindGrow, n: n}, n >= 1 && n <= 200
	case word == "ys" && h.hasTrap("odd"):
		for i := range odds {
			if odds[i].path == path {
				return ref{kind: kindOdd, col: i}, true
			}
		}
		return ref{}, false
	}
	r, ok := h.plan.slugs[strings.TrimSuffix(word, ".htm")]
	if ok && r.kind == kindList && deeper {
		r.n = 1
		name := strings.TrimSuffix(strings.TrimPrefix(rest, "list"), ".htm")
		if name != "" {
			n, err := strconv.Atoi(name)
			if err != nil {
				return ref{}, false
			}
			pages := h.plan.listPages(h.plan.columns[r.col].items + extra)
			if !h.webplus {
				n = pages - n + 1
			}
			r.n = n
			ok = n >= 2 && n <= pages
		}
	}
	return r, ok
}

func (h *host) guessItem(column, number string, extra int) (ref, bool) {
	col, err1 := strconv.Atoi(column)
	id, err2 := strconv.Atoi(number)
	col -= h.columns
	if err1 != nil || err2 != nil || col < 0 || col >= len(h.plan.columns) {
		return ref{}, false
	}
	j, ok := h.ordinal(col, id, h.plan.columns[col].items+extra)
	return ref{kind: kindDetail, col: col, n: j}, ok
}

func (h *host) hasTrap(name string) bool { return h.traps && slices.Contains(h.spec.Traps, name) }
