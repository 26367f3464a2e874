package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest/realpages"
)

const base = "http://www.a.test/map/sitemap.xml"

// show writes what a file named as one line: URLs with dates, then the index.
func show(m addressList) string {
	var parts []string
	for _, e := range m.URLs {
		s := e.URL
		if !e.LastMod.IsZero() {
			s += " " + e.LastMod.String()
		}
		parts = append(parts, s)
	}
	for _, u := range m.Index {
		parts = append(parts, "index "+u)
	}
	return strings.Join(parts, "; ")
}

func packed(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func TestParse(t *testing.T) {
	const urlset = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
		<url><loc>http://www.a.test/1.htm</loc><lastmod>2024-05-06</lastmod><priority>.5</priority></url>
		<url><loc> http://www.a.test/2.htm?a=1&amp;b=2 </loc><lastmod>2024-05-06T01:30:00Z</lastmod></url></urlset>`
	const both = "http://www.a.test/1.htm 2024-05-06; http://www.a.test/2.htm?a=1&b=2 2024-05-06 09:30"
	for _, c := range []struct{ name, body, header, want string }{
		{"urlset", urlset, "", both},
		{"byte order mark", "\xef\xbb\xbf" + urlset, "", both},
		{"packed", packed(urlset), "application/x-gzip", both},
		{"packed twice", packed(packed(urlset)), "", both},
		{"half a file", urlset[:strings.Index(urlset, "<priority>")], "", "http://www.a.test/1.htm 2024-05-06"},
		{"cut gzip", packed(urlset)[:len(packed(urlset))-6], "", both},
		{"prefixed", `<s:urlset><s:url><s:loc>http://a.test/x</s:loc></s:url></s:urlset>`, "", "http://a.test/x"},
		{"images are no pages", `<urlset><url><loc>http://a.test/x</loc><image:image><image:loc>http://a.test/x.png</image:loc></image:image></url></urlset>`, "", "http://a.test/x"},
		{"relative", `<urlset><url><loc>../x.htm</loc></url><url><loc>/y</loc></url></urlset>`, "", "http://www.a.test/x.htm; http://www.a.test/y"},
		{"unescaped ampersand", `<urlset><url><loc>http://a.test/?a=1&b=2</loc></url></urlset>`, "", "http://a.test/?a=1&b=2"},
		{"CDATA", `<urlset><url><loc><![CDATA[http://a.test/?a=1&b=2]]></loc></url></urlset>`, "", "http://a.test/?a=1&b=2"},
		{"twice the same", `<urlset><url><loc>http://a.test/x</loc></url><url><loc>http://A.test:80/x#y</loc></url></urlset>`, "", "http://a.test/x"},
		{"no http", `<urlset><url><loc>javascript:x</loc></url><url><loc>file:///etc/passwd</loc></url><url><loc></loc></url></urlset>`, "", ""},
		{"unclosed urls", `<urlset><url><loc>http://a.test/1<url><loc>http://a.test/2`, "", "http://a.test/1; http://a.test/2"},
		{"index", `<sitemapindex><sitemap><loc>http://a.test/1.xml.gz</loc><lastmod>2024-05-06</lastmod></sitemap><sitemap>/2.xml</sitemap></sitemapindex>`, "", "index http://a.test/1.xml.gz; index http://www.a.test/2.xml"},
		{"text", "http://a.test/1\r\nhttps://a.test/2\n\n# note\nftp://a.test/3", "text/plain", "http://a.test/1; https://a.test/2"},
		{"text with a mark", "\xef\xbb\xbfhttp://a.test/1", "", "http://a.test/1"},
		{"gbk", "<?xml version='1.0' encoding='gbk'?><urlset><url><loc>http://a.test/\xd5\xd0\xb1\xea</loc></url></urlset>", "", "http://a.test/%E6%8B%9B%E6%A0%87"},
		{"rss", `<rss><channel><link>http://a.test/</link><item><title>x</title><link>http://a.test/1</link><pubDate>Mon, 06 May 2024 01:30:00 GMT</pubDate></item><item><guid>http://a.test/2</guid></item><item><guid isPermaLink="false">3</guid></item></channel></rss>`, "", "http://a.test/1 2024-05-06 09:30; http://a.test/2"},
		{"rdf", `<rdf:RDF><channel><link>http://a.test/</link></channel><item><link>http://a.test/1</link><dc:date>2024-05-06</dc:date></item></rdf:RDF>`, "", "http://a.test/1 2024-05-06"},
		{"atom", `<feed><link href="http://a.test/feed" rel="self"/><entry><link rel="edit" href="http://a.test/e"/><link href="http://a.test/1"/><published>2024-05-01</published><updated>2024-05-06</updated></entry></feed>`, "", "http://a.test/1 2024-05-06"},
		{"a base", `<feed xml:base="/zb/"><entry><link href="1.htm"/></entry><entry xml:base="old/"><link href="2.htm"/></entry><entry xml:base="http://b.test/x"><link href="3.htm"/></entry><entry xml:base=":"><link href="http://a.test/4"/></entry></feed>`, "",
			"http://www.a.test/zb/1.htm; http://www.a.test/zb/old/2.htm; http://b.test/3.htm; http://a.test/4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Parse([]byte(c.body), c.header, base, Limits{})
			if got := show(m); err != nil || got != c.want {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "web page": "<!DOCTYPE html><html><body>http://a.test/", "words": "not found", "json": `{"a":1}`, "doctype only": "<!DOCTYPE x>",
	} {
		if m, err := Parse([]byte(body), "", base, Limits{}); !errors.Is(err, ErrNotSitemap) || len(m.URLs) > 0 {
			t.Errorf("%s: %v, %v", name, show(m), err)
		}
	}
}

// The published fixtures of crawler-commons, read in place.
func TestFixtures(t *testing.T) {
	dir := realpages.Path(t, "sitemaps")
	for _, c := range []struct {
		file        string
		urls, index int
		has         string
	}{
		{"atom.xml", 1, 0, "http://example.org/2003/12/13/atom03"},
		{"do-not-visit.txt", 1, 0, "http://www.example.com/do-not-visit-here"},
		{"sitemap-with-bom.txt", 2, 0, "http://www.domain.com/page1.html"},
		{"sitemap.txt", 2, 0, "http://www.domain.com/page2.html"},
		{"sitemap.txt.gz", 5, 0, "http://www.example.com/"},
		{"sitemap.badns.xml", 2, 0, "http://www.example.com/2"},
		{"sitemap.ns.xml", 2, 0, ""},
		{"sitemap.index.xml", 0, 15, ""},
		{"xmlSitemap.gz", 5, 0, "http://www.example.com/"},
		{"extension/hebdenbridgetimes-articles-sitemap.xml", 74, 0, ""},
		{"extension/pagemaps-sitemap.xml", 2, 0, ""},
		{"extension/shinpaideshou-news-sitemap.xml", 3, 0, ""},
		{"extension/sitemap-images.xml", 1, 0, "http://www.example.com/images/some_image_landing_page.html"},
		{"extension/sitemap-links.xml", 3, 0, "http://www.example.com/english/"},
		{"extension/sitemap-mobile.xml", 3, 0, "http://www.example.com/mobile-friendly-1/"},
		{"extension/sitemap-news.xml", 2, 0, ""},
		{"extension/sitemap-videos.xml", 3, 0, "http://www.example.com/videos/some_video_landing_page.html"},
		{"extension/sitemap-videos-tvshow.xml", 1, 0, ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join(dir, c.file))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Parse(body, "", "https://example.com/"+c.file, Limits{})
			if err != nil || len(m.URLs) != c.urls || len(m.Index) != c.index {
				t.Errorf("%d URLs, %d sitemaps, %v; want %d and %d\n%.1000s", len(m.URLs), len(m.Index), err, c.urls, c.index, show(m))
			}
			if c.has != "" && !slices.ContainsFunc(m.URLs, func(e Entry) bool { return e.URL == c.has }) {
				t.Errorf("%s is missing: %.1000s", c.has, show(m))
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"<urlset><url><loc>http://a.test/</loc></url></urlset>", "<rss><item><guid isPermaLink=false>x", "<feed><entry><link href=x>", "http://a.test/\nx", "\x1f\x8b\x08", "<sitemapindex><sitemap>x", "<a:urlset><a:url><a:loc>"} {
		f.Add([]byte(s), "text/xml")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		m, err := Parse(body, contentType, base, Limits{Bytes: 1 << 16, URLs: 10, Index: 5})
		if err != nil && !errors.Is(err, ErrNotSitemap) {
			t.Fatal(err)
		}
		if len(m.URLs) > 10 || len(m.Index) > 5 {
			t.Fatalf("%d URLs, %d sitemaps", len(m.URLs), len(m.Index))
		}
		for _, e := range m.URLs {
			if !strings.HasPrefix(e.URL, "http://") && !strings.HasPrefix(e.URL, "https://") {
				t.Fatalf("%q", e.URL)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var s strings.Builder
	s.WriteString("<urlset>")
	for i := range 10_000 {
		fmt.Fprintf(&s, "<url><loc>http://www.a.test/info/1023/%d.htm</loc><lastmod>2024-05-06</lastmod></url>\n", i)
	}
	body := []byte(s.String())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if m, err := Parse(body, "", base, Limits{}); err != nil || len(m.URLs) != 10_000 {
			b.Fatal(len(m.URLs), err)
		}
	}
}

func FuzzFeed(f *testing.F) {
	for _, s := range []string{"<rss><channel><title>x</title><item><title>a</title><link>/1</link><pubDate>2026-11-20</pubDate>", `{"version":"https://jsonfeed.org/version/1","items":[{"url":"/1"}]}`,
		"<!DOCTYPE rss [<!ENTITY a 'b'>]><rss>", "<?xml?><!-- --><feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/1'/>", "<feed xmlns=atom xml:base='../:a/?b'><entry xml:base='//c'><link href='1'/>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, ok := Feed(s, base)
		if !ok && len(m.URLs) > 0 || len(m.URLs) > maxEntries {
			t.Errorf("%d entries, a feed: %v", len(m.URLs), ok)
		}
		if n := strings.Count(m.Markup(), "<a "); n != len(m.URLs) {
			t.Errorf("%d links of %d entries", n, len(m.URLs))
		}
	})
}
