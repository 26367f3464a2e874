package article

import (
	"strings"
	"time"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The places of a date on a page, the values of Page.DateWhy.
const (
	DateFromList  = "list"
	DateFromMeta  = "meta"
	DateFromLD    = "json-ld"
	DateNearTitle = "after the title"
	DateFromLabel = "label"
	DateFromTime  = "<time>"
	DateFromURL   = "url"
	DateFirst     = "first on the page"
)

// titleReach is the length of the text behind the title that may hold its date, in runes.
const titleReach = 200

// metaDates are the names of <meta> elements with the date of publication.
var metaDates = [...]string{"pubdate", "publishdate", "article:published_time", "og:published_time", "datepublished",
	"dc.date",
	"dc.date.issued", "publish_date", "pub_date", "date", "parsely-pub-date", "sailthru.date", "og:release_date",
	"apub:time",
	"createdate", "firstpublishedtime", "og:pubdate", "weibo: article:create_at", "others"}

// dateLabels stand before the date of publication.
var dateLabels = [...]string{"发布时间", "发布日期", "发布于", "发表时间", "发表日期", "发表于", "公告时间", "公告日期", "公示时间", "公布时间",
	"公布日期", "发文时间", "发文日期", "更新时间", "更新日期", "录入时间", "添加时间", "上传时间", "创建时间", "成文日期", "Posted", "Published", "Updated",
	"时间", "日期", "Date"}

// ownLabels is the number of labels of publication alone, the first of dateLabels.
const ownLabels = 13

// bareLabels is the number of labels for any date, the last of dateLabels.
const bareLabels = 3

// PublicationDate returns the date of publication of a page, and its place. title is the element
// that shows the title, an index into t.Nodes, -1 without one. The places are, the most trusted
// first: metadata, JSON-LD, a label or a line behind the title, a label of publication, the text
// behind the title, another label, <time>, the URL, any text. This is P2 algorithm 4 with more
// places. Other dates, such as deadlines, do not count (isOtherDate).
func PublicationDate(t *htmldoc.Tree, title int32, now time.Time) (d Date, why string) {
	for _, key := range metaDates {
		if d, _, _, ok := FindDate(t.Meta(key), now); ok {
			return d, DateFromMeta
		}
	}
	for _, script := range t.LD {
		for _, key := range [...]string{`"datePublished"`, `"pubDate"`, `"dateCreated"`, `"upDate"`} {
			if i := strings.Index(script, key); i >= 0 {
				if d, _, _, ok := FindDate(script[i:min(len(script), i+80)], now); ok {
					return d, DateFromLD
				}
			}
		}
	}
	text := visibleText(t)
	from, to := 0, 0 // text behind the title
	if title >= 0 {
		from = int(t.Nodes[title].To)
		to = from + len(htmldoc.Clip(text[from:], titleReach))
		if d, ok := labelledDate(text[from:to], dateLabels[:ownLabels], now); ok {
			return d, DateNearTitle
		}
		if d, ok := lineDate(text, from, to, now); ok {
			return d, DateNearTitle
		}
	}
	if d, ok := labelledDate(text, dateLabels[:ownLabels], now); ok {
		return d, DateFromLabel
	}
	if d, ok := firstPublication(text, from, to, now); ok {
		return d, DateNearTitle
	}
	if d, ok := labelledDate(text, dateLabels[ownLabels:], now); ok {
		return d, DateFromLabel
	}
	for i := range t.Nodes {
		if t.Nodes[i].Tag == atom.Time {
			n := &t.Nodes[i]
			if d, _, _, ok := FindDate(htmldoc.Attr(n.HTML, "datetime"), now); ok {
				return d, DateFromTime
			}
			if d, _, _, ok := FindDate(text[n.From:n.To], now); ok {
				return d, DateFromTime
			}
		}
	}
	if d, ok := urlDate(t.URL, now); ok {
		return d, DateFromURL
	}
	if d, ok := firstPublication(text, 0, len(text), now); ok {
		return d, DateFirst
	}
	return Date{}, ""
}

// visibleText returns the text of a page with spaces for hidden lines. If nearly all text is hidden, a
// script shows it, and visibleText returns the whole text.
func visibleText(t *htmldoc.Tree) string {
	var b []byte
	hidden, all := int32(0), int32(0)
	for i := range t.Runs {
		r := &t.Runs[i]
		all += r.Chars
		if !t.Nodes[r.Host].Hidden {
			continue
		}
		hidden += r.Chars
		if b == nil {
			b = []byte(t.Text)
		}
		for k := r.From; k < r.To; k++ {
			if b[k] != '\n' {
				b[k] = ' '
			}
		}
	}
	if b == nil || float64(hidden) >= hiddenShare*float64(all) {
		return t.Text
	}
	return string(b)
}

// labelledDate returns the first date right behind one of labels, tried in their order.
func labelledDate(text string, labels []string, now time.Time) (Date, bool) {
	start, found := "", false // the first characters of a label, and whether text contains them
	for _, label := range labels {
		if r := label[:min(len(label), len("发布"))]; r != start {
			start, found = r, htmldoc.ContainsHan(text, r)
		}
		if !found {
			continue
		}
		for i := range htmldoc.Occurrences(text, label) {
			from := i + len(label)
			window := text[from:min(len(text), from+48)]
			if d, start, end, ok := findFull(window, now); ok && labelGap(window[:start]) &&
				!isOtherDate(text, from+start, from+end) {
				return d, true
			}
		}
	}
	return Date{}, false
}

// labelGap reports whether s, between a label and a date, has only colons, brackets, spaces and
// the words on and at.
func labelGap(s string) bool {
	return strings.Trim(s, " \n:：[]【】(（)onat") == ""
}
