package webtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// response is the reply to one request.
type response struct {
	Status       int
	ContentType  string
	ETag         string
	LastModified time.Time // zero: unknown
	Location     string    // of a redirect
	Disposition  string    // Content-Disposition of a download
	Body         []byte
}

// Page returns the reply to a GET of a path with query ("/info/1001/1022.htm") on a host name without port. The
// caller owns the body.
func (w *Web) Page(host, pathAndQuery string) response {
	path, query, _ := strings.Cut(pathAndQuery, "?")
	r := w.pool.Get().(*renderer)
	defer w.pool.Put(r)
	res := w.respond(r, host, path, query)
	res.Body = append([]byte(nil), res.Body...)
	return res
}

// respond renders into r. The body is valid until r is used again.
func (w *Web) respond(r *renderer, addr, path, query string) response {
	h := w.byAddr[addr]
	if h == nil {
		if www := w.byAddr["www."+addr]; www != nil {
			return redirect(http.StatusMovedPermanently, "http://"+www.addr+path)
		}
		return response{Status: http.StatusBadGateway, ContentType: "text/plain",
			Body: []byte("no such host in this web\n")}
	}
	path = strings.TrimPrefix(path, "/")
	extra := int(w.extra.Load())
	pg, ok := h.find(path, query, extra)
	switch {
	case ok:
		return r.page(w, h, pg)
	case pg.kind == kindHome && path == "":
		return redirect(http.StatusFound, "/"+h.index())
	case pg.kind == kindHome:
		return redirect(http.StatusMovedPermanently, "/")
	}
	return w.respondOther(r, h, path, query, extra)
}

func redirect(status int, to string) response {
	return response{Status: status, ContentType: "text/html", Location: to,
		Body: []byte("<html><body>moved</body></html>")}
}

// page renders an HTML page with its validators.
func (r *renderer) page(w *Web, h *host, pg ref) response {
	r.begin(w, h, pg)
	res := response{Status: http.StatusOK, ContentType: "text/html"}
	version := 0
	switch pg.kind {
	case kindHome, kindHub, kindList: // change with every publication
		version = r.extra
		res.LastModified = newest.Add(time.Duration(r.extra) * 6 * time.Hour)
	case kindDetail: // changes once, when it gets a successor
		res.LastModified = r.date
		if r.hasNext() {
			version = 1
			res.LastModified = h.itemTime(pg.col, pg.n+1)
		}
	case kindStatic:
		res.LastModified = newest.AddDate(-1, 0, 0)
	case kindOdd:
		o := &odds[pg.col]
		if o.raw {
			r.buf = append(r.buf, o.body...)
			res.Body = r.buf
			if o.status != 0 {
				res.Status = o.status
			}
			return res
		}
		if o.gbk {
			r.enc = gbkText
		}
	}
	if h.enc == utf8Text && h.webplus {
		res.ContentType = "text/html;charset=UTF-8"
	}
	if !res.LastModified.IsZero() {
		res.ETag = fmt.Sprintf(`"%x-%d"`, mix(r.key, uint64(version)), version)
	}
	r.part(partPage)
	res.Body = r.buf
	return res
}

// respondOther serves everything but pages: files, redirects, robots.txt, sitemaps, styles and scripts, and 404 for
// the rest.
func (w *Web) respondOther(r *renderer, h *host, path, query string, extra int) response {
	word, rest, _ := strings.Cut(path, "/")
	switch word {
	case "robots.txt":
		return w.robots(r, h)
	case "sitemap.xml":
		if h.spec.Sitemap {
			return w.sitemap(r, h, extra)
		}
	case "old": // a site before its relaunch
		slug := strings.TrimSuffix(rest, ".htm")
		if pg, ok := h.plan.slugs[slug]; ok {
			return redirect(http.StatusMovedPermanently,
				"/"+string(h.appendPath(nil, pg, h.plan.columns[0].items+extra)))
		}
	case "go.jsp":
		if col, j, ok := parseGo(query); ok && col >= h.columns && col-h.columns < len(h.plan.columns) &&
			j < h.plan.columns[col-h.columns].items+extra {
			return redirect(http.StatusFound,
				"/"+string(h.appendPath(nil, ref{kind: kindDetail, col: col - h.columns, n: j}, 0)))
		}
	case "loop":
		if h.hasTrap("odd") && (rest == "a" || rest == "b") {
			return redirect(http.StatusFound, "/loop/"+string('a'+'b'-rest[0]))
		}
	case "_upload", "__local", "system", "css", "js", "images", "_css", "_js", "_ueditor":
		if f, ok := w.findFile(h, path, query, extra); ok {
			res := response{Status: http.StatusOK, ContentType: fileTypes[f.ext], LastModified: h.itemTime(f.col, f.j),
				Body: fileBody(f.ext)}
			if query != "" {
				res.Disposition = "attachment; filename=" + strconv.Itoa(f.k) + f.ext
			}
			return res
		}
		if t := assetTypes[path[strings.LastIndexByte(path, '.')+1:]]; t != "" {
			return response{Status: http.StatusOK, ContentType: t, LastModified: newest.AddDate(-2, 0, 0),
				Body: []byte{}}
		}
	}
	if w.isColumnFolder(h, path) {
		return redirect(http.StatusMovedPermanently, "/"+word+"/list.htm")
	}
	return response{Status: http.StatusNotFound, ContentType: "text/html",
		Body: []byte("<html><head><title>404</title></head><body><h1>404 Not Found</h1></body></html>")}
}

// assetTypes maps the endings of page assets to media types; their bodies are empty.
var assetTypes = map[string]string{"css": "text/css", "js": "application/javascript", "png": "image/png",
	"jpg": "image/jpeg", "gif": "image/gif"}

// isColumnFolder reports whether WebPlus redirects a path (/zbgg or /zbgg/) to a list.
func (w *Web) isColumnFolder(h *host, path string) bool {
	_, ok := h.plan.slugs[strings.TrimSuffix(path, "/")]
	return ok && h.webplus
}

func parseGo(query string) (col, j int, ok bool) {
	id, ok := strings.CutPrefix(query, "id=")
	a, b, _ := strings.Cut(id, "-")
	col, err1 := strconv.Atoi(a)
	j, err2 := strconv.Atoi(b)
	return col, j, ok && err1 == nil && err2 == nil && j >= 0
}

// robots serves /robots.txt: rules, rules with a delay, or an HTML page.
func (w *Web) robots(r *renderer, h *host) response {
	if h.spec.Robots == "html" {
		return r.page(w, h, ref{kind: kindHome})
	}
	body := "User-agent: *\nDisallow: /admin/\n"
	if h.spec.Robots == "delay" {
		body += "Crawl-delay: 0.005\n"
	}
	if h.spec.Sitemap {
		body += "\nSitemap: http://" + h.addr + "/sitemap.xml\n"
	}
	return response{Status: http.StatusOK, ContentType: "text/plain", Body: []byte(body)}
}

// sitemapLimit is the protocol's maximum number of addresses in one file.
const sitemapLimit = 50_000

func (w *Web) sitemap(r *renderer, h *host, extra int) response {
	b := append(r.buf[:0], `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n"...)
	n := 0
	for pg := range h.pages(extra) {
		if n++; n > sitemapLimit {
			break
		}
		b = append(append(append(b, "<url><loc>http://"...), h.addr...), '/')
		items := 0
		if pg.kind == kindList {
			items = h.plan.columns[pg.col].items + extra
		}
		b = append(h.appendPath(b, pg, items), "</loc>"...)
		if pg.kind == kindDetail {
			b = h.itemTime(pg.col, pg.n).AppendFormat(append(b, "<lastmod>"...), "2006-01-02")
			b = append(b, "</lastmod>"...)
		}
		b = append(b, "</url>\n"...)
	}
	r.buf = append(b, "</urlset>\n"...)
	return response{Status: http.StatusOK, ContentType: "application/xml", Body: r.buf}
}
