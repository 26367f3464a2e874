package page

import (
	"strings"
	"testing"

	"angler/crawl/urls"
)

// A feed of any kind, encoding and length is a list. A truncated feed is a list of its complete
// entries.
func TestFeedsAreLists(t *testing.T) {
	const rss = `<?xml version="1.0" encoding="utf-8"?><!-- x --><rss version="2.0"><channel><title>招标公告</title><link>http://zb.jnlg.test/</link>` +
		`<item><title>教学楼空调采购公告</title><link>http://zb.jnlg.test/n/1.htm</link><pubDate>Fri, 20 Nov 2026 00:00:00 GMT</pubDate><description>请&lt;b&gt;查看&lt;/b&gt;</description></item>` +
		`<item><title><![CDATA[图书馆<b>书架</b>采购公告]]></title><link><![CDATA[/n/2.htm?a=1&b=2]]></link><pubDate>2026-11-18 09:00:00</pubDate></item></channel></rss>`
	const want = "教学楼空调采购公告 http://zb.jnlg.test/n/1.htm 2026-11-20 08:00; 图书馆书架采购公告 http://zb.jnlg.test/n/2.htm?a=1&b=2 2026-11-18 09:00"
	first, _, _ := strings.Cut(want, "; ")
	gbk := strings.ReplaceAll(`<?xml version="1.0" encoding="GBK"?><rss><channel><title>X</title><item><title>X</title><link>http://zb.jnlg.test/n/1.htm</link><pubDate>2026-11-20</pubDate></item></channel></rss>`,
		"X", "\xd5\xd0\xb1\xea\xb9\xab\xb8\xe6\xd2\xbb\xd4\xc2\xcb\xc4\xba\xc5")
	long := "<rss><channel>" + repeated("<item><title>公告%d</title><link>http://zb.jnlg.test/n/%[1]d.htm</link></item>", 0, 3000)
	for name, c := range map[string]struct{ kind, body, want, limit string }{
		"RSS 2.0":      {"application/rss+xml", rss, want, ""},
		"called html":  {"text/html", rss, want, ""},
		"a mark":       {"", "\xef\xbb\xbf" + rss, want, ""},
		"no title":     {"", strings.Replace(rss, "<title>招标公告</title>", "", 1), want, ""},
		"half of it":   {"", rss[:strings.Index(rss, "<item><title><![CDATA[")+20], first, ""},
		"RSS 1.0":      {"", `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>招标公告</title></channel><item rdf:about="x"><title>教学楼空调采购公告</title><link>http://zb.jnlg.test/n/1.htm</link><dc:date>2026-11-20T08:00:00+08:00</dc:date></item></rdf:RDF>`, first, ""},
		"Atom":         {"application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>招标公告</title><link rel="self" href="/atom"/><entry><title type="html">教学楼&lt;i&gt;空调&lt;/i&gt;采购公告</title><link rel="edit" href="/e/1"/><link href="/n/1.htm"/><published>2026-11-20T00:00:00Z</published><updated>2026-11-25T00:00:00Z</updated></entry></feed>`, first, ""},
		"JSON Feed":    {"application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"招标公告","authors":[{"name":"x"}],"items":[{"id":1,"url":"/n/1.htm","title":"教学楼空调采购公告","content_html":"<p>x</p>","date_published":"2026-11-20T08:00:00+08:00"}]}`, first, ""},
		"half of JSON": {"", `{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"/n/1.htm","title":"教学楼空调采购公告","date_published":"2026-11-20T08:00:00+08:00"},{"url":"/n/2`, first, ""},
		"GBK":          {"text/xml", gbk, "招标公告一月四号 http://zb.jnlg.test/n/1.htm 2026-11-20", ""},
		"bomb": {"", `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><rss><channel><item><title>公告&b;</title><link>http://zb.jnlg.test/n/1.htm</link></item></channel></rss>`,
			"公告&b; http://zb.jnlg.test/n/1.htm ", ""},
		"long": {"", long, "", "feed urls 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustParse(t, Source{URL: "http://zb.jnlg.test/rss.xml", ContentType: c.kind, Body: []byte(c.body)}, Options{Now: benchNow.AddDate(1, 0, 0)})
			var got []string
			for _, r := range p.Records {
				day := ""
				if !r.Date.IsZero() {
					day = r.Date.String()
				}
				got = append(got, r.Title+" "+r.URL+" "+day)
				if l := p.Links[r.Link]; l.URL != r.URL {
					t.Errorf("record %s has the link %s", r.URL, l.URL)
				}
			}
			if s := strings.Join(got, "; "); c.want != "" && s != c.want || p.Type != List {
				t.Errorf("a %s with %s\nwant %s", p.Type, s, c.want)
			}
			if c.limit != "" && strings.Join(p.Limits, "; ") != c.limit {
				t.Errorf("limits %q, want %q", p.Limits, c.limit)
			}
		})
	}
	for name, body := range map[string]string{
		"a sitemap":        `<urlset><url><loc>http://zb.jnlg.test/1</loc></url></urlset>`,
		"a page about rss": `<!DOCTYPE html><html><body><p>本站提供 rss 订阅</p></body></html>`,
		"data":             `{"version":"1","items":[{"url":"/n/1.htm","title":"x"}]}`,
		"another feed":     `<feed><title>x</title></feed>`,
	} {
		if p, err := Parse(Source{URL: "http://zb.jnlg.test/x", Body: []byte(body)}, Options{}); err == nil && p.Type == List {
			t.Errorf("%s is taken for a feed", name)
		}
	}
}

// The feeds that a page names are links of class page.
func TestFeedsThatAPageNames(t *testing.T) {
	p := parse(t, `<html><head><link rel="stylesheet" href="/x.css"><link rel="alternate" type="application/rss+xml; charset=utf-8" href="/rss.xml">
		<link rel="ALTERNATE" type="application/feed+json" href="feed.json"><link rel="alternate" hreflang="en" href="/en/"></head><body><p>欢迎</p></body></html>`, Options{})
	var got []string
	for _, l := range p.Links {
		if got = append(got, l.URL); l.Class != urls.Page {
			t.Errorf("%s is no page", l.URL)
		}
	}
	if s := strings.Join(got, " "); s != "http://zb.jnlg.test/rss.xml http://zb.jnlg.test/feed.json" && !strings.HasSuffix(s, "/feed.json") || len(got) != 2 {
		t.Errorf("links %q", got)
	}
}
