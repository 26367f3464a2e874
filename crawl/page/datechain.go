package page

import (
	"strings"
	"time"

	"golang.org/x/net/html/atom"
)

// The date chain (P2 algorithm 4, widened by DESIGN 3). Each link of it names
// itself in Page.DateWhy.
const (
	dateList  = "list"
	dateMeta  = "meta"
	dateLD    = "json-ld"
	dateNear  = "after the title"
	dateLabel = "label"
	dateTime  = "<time>"
	dateURL   = "url"
	dateFirst = "first on the page"
)

// nearTitle is how far behind the title a date belongs to it, in runes.
const nearTitle = 200

// metaDates are the names under which pages state when they were published.
var metaDates = [...]string{"pubdate", "publishdate", "article:published_time", "og:published_time", "datepublished", "dc.date",
	"dc.date.issued", "publish_date", "pub_date", "date", "parsely-pub-date", "sailthru.date", "og:release_date", "apub:time",
	"createdate", "firstpublishedtime", "og:pubdate", "weibo: article:create_at", "others"}

// dateLabels stand before the date of publication.
var dateLabels = [...]string{"发布时间", "发布日期", "发布于", "发表时间", "发表日期", "发表于", "公告时间", "公告日期", "公示时间", "更新时间",
	"更新日期", "录入时间", "添加时间", "上传时间", "创建时间", "成文日期", "时间", "日期", "Posted", "Published", "Updated", "Date"}

// date runs the chain; title is the element that shows the title, -1 if none.
func (t *tree) date(list Date, title int32, now time.Time) (Date, string) {
	if !list.IsZero() {
		return list, dateList
	}
	for _, key := range metaDates {
		if d, _, _, ok := FindDate(t.metaValue(key), now); ok {
			return d, dateMeta
		}
	}
	for _, script := range t.ld {
		for _, key := range [...]string{`"datePublished"`, `"pubDate"`, `"dateCreated"`, `"upDate"`} {
			if i := strings.Index(script, key); i >= 0 {
				if d, _, _, ok := FindDate(script[i:min(len(script), i+80)], now); ok {
					return d, dateLD
				}
			}
		}
	}
	if title >= 0 {
		n := &t.nodes[title]
		rest := clip(t.text[n.to:], nearTitle)
		if d, _, _, ok := FindDate(rest, now); ok {
			return d, dateNear
		}
	}
	if d, ok := labelled(t.text, now); ok {
		return d, dateLabel
	}
	for i := range t.nodes {
		if t.nodes[i].tag == atom.Time {
			n := &t.nodes[i]
			if d, _, _, ok := FindDate(attr(n.html, "datetime"), now); ok {
				return d, dateTime
			}
			if d, _, _, ok := FindDate(t.text[n.from:n.to], now); ok {
				return d, dateTime
			}
		}
	}
	if d, ok := urlDate(t.url, now); ok {
		return d, dateURL
	}
	if d, _, _, ok := FindDate(t.text, now); ok {
		return d, dateFirst
	}
	return Date{}, ""
}

// labelled finds the first date that stands right behind a label.
func labelled(text string, now time.Time) (Date, bool) {
	for _, label := range dateLabels {
		for from := 0; ; {
			i := strings.Index(text[from:], label)
			if i < 0 {
				break
			}
			from += i + len(label)
			window := text[from:min(len(text), from+48)]
			if d, start, _, ok := FindDate(window, now); ok && labelGap(window[:start]) {
				return d, true
			}
		}
	}
	return Date{}, false
}

// labelGap tells whether only a colon, brackets and spaces stand between a
// label and its date.
func labelGap(s string) bool {
	return strings.Trim(s, " \n:：[]【】(（)onat") == ""
}

// urlDate reads a date from a URL's path: /2024/05/12/, /2024-05/12/,
// /202405/t20240512_1.html, /202405/12/.
func urlDate(u string, now time.Time) (Date, bool) {
	i := strings.Index(u, "://")
	if i < 0 {
		return Date{}, false
	}
	rest := u[i+3:]
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return Date{}, false
	}
	path := rest[slash:]
	try := func(y, m, d string) (Date, bool) {
		c := civil{year: atoi(y), month: atoi(m), day: atoi(d), hour: -1}
		if c.year < 2000 || !c.valid() {
			return Date{}, false
		}
		return c.date(now)
	}
	for i := 0; i < len(path); {
		if path[i] < '0' || path[i] > '9' {
			i++
			continue
		}
		j := numberEnd(path, i)
		switch n := j - i; {
		case n >= 8 && (n <= 10 || n == 12 || n == 14 || n == 17 || n >= 16 && n <= 22):
			if d, ok := try(path[i:i+4], path[i+4:i+6], path[i+6:i+8]); ok {
				return d, true
			}
		case n == 6 || n == 4:
			y, m, k := path[i:i+4], path[i+4:j], j
			if n == 4 {
				if k >= len(path) || strings.IndexByte("/-_", path[k]) < 0 {
					break
				}
				e := numberEnd(path, k+1)
				if e-k-1 < 1 || e-k-1 > 4 {
					break
				}
				m, k = path[k+1:e], e
				if len(m) >= 3 { // /2024/0512/
					if len(m) == 4 {
						if d, ok := try(y, m[:2], m[2:]); ok {
							return d, true
						}
					}
					break
				}
			}
			if k >= len(path) || strings.IndexByte("/-_", path[k]) < 0 {
				break
			}
			if e := numberEnd(path, k+1); e-k-1 == 1 || e-k-1 == 2 {
				if d, ok := try(y, m, path[k+1:e]); ok {
					return d, true
				}
			}
		}
		i = j
	}
	return Date{}, false
}

func numberEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}
