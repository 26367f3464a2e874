package htmldoc

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/crawl/webtest/realpages"

	"golang.org/x/net/html"
)

// outline writes a tree as lines, without comments and doctype, which the plain builder omits.
func outline(n *html.Node, depth int, b *strings.Builder) {
	switch n.Type {
	case html.CommentNode, html.DoctypeNode:
		return
	case html.TextNode:
		b.WriteString(strings.Repeat(" ", depth))
		b.WriteString("\"" + n.Data + "\"\n")
	case html.ElementNode:
		b.WriteString(strings.Repeat(" ", depth))
		b.WriteString("<" + n.Data)
		if n.DataAtom != 0 {
			b.WriteString("!")
		}
		attrs := slices.Clone(n.Attr) // html.Parse sorts attributes of formatting elements
		slices.SortFunc(attrs, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
		for _, a := range attrs {
			b.WriteString(" " + a.Namespace + a.Key + "=" + a.Val + ";")
		}
		b.WriteString(">\n")
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Parent != n {
			b.WriteString("WRONG PARENT\n")
		}
		outline(c, depth+1, b)
	}
}

// samePlain compares both parsers and reports whether the plain one accepted the page.
func samePlain(t *testing.T, b *plainBuilder, text string) bool {
	t.Helper()
	defer b.reset()
	got, err := b.parse(text)
	if err != nil {
		return false
	}
	want, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Errorf("html.Parse refuses what the plain builder takes: %v\n%.2000q", err, text)
		return true
	}
	var g, w strings.Builder
	outline(got, 0, &g)
	outline(want, 0, &w)
	if g.String() != w.String() {
		gl, wl := strings.Split(g.String(), "\n"), strings.Split(w.String(), "\n")
		for i := range min(len(gl), len(wl)) {
			if gl[i] != wl[i] {
				t.Errorf("line %d: %q, html.Parse has %q\nof %.3000q", i, gl[i], wl[i], text)
				return true
			}
		}
		t.Errorf("%d lines, html.Parse has %d\nof %.3000q", len(gl), len(wl), text)
	}
	return true
}

// plainDoc wraps a body.
func plainDoc(body string) string {
	return "<!doctype html><html><head><title>t</title></head><body>" + body + "</body></html>"
}

var plainBodies = []struct {
	name, body string
	taken      bool
}{
	{"list", `<ul><li><a href="1.htm" title='甲"乙'>甲</a><span>2024-05-06</span></li><li>乙</ul>`, true},
	{"nested lists", `<ul><li>a<ul><li>b<li>c</ul><li>d</ul>`, true},
	{"paragraphs end by themselves", `<p>a<p>b<div>c</div></p>d`, true},
	{"headings", `<h2>a<h3>b</h2>c</h3>`, true},
	{"ignored end tags join texts", `<div>a</span>b</em>c</li></div></div>d`, true},
	{"comments part texts", `<div>a<!-- x -->b</i>c</div><!----->`, true},
	{"table with everything", `<table><tbody><tr><td>a</td><th>b</th></tr></tbody></table>`, true},
	{"table with what was left out", `<table> <tr><td>a<td><p>b<tr><td>c<table><td>d</table>e</table>f`, true},
	{"sections of a table", `<table><thead><td>a<tbody><tr><td>b<tfoot><tr><td>c</tfoot></thead></table>`, true},
	{"cells outside a table", `<td>a</td><tr>b</table>c`, true},
	{"form in a table", `<table><form action=x><tr><td><input name=a></td></tr></form></table><form><input></form>`, true},
	{"form closed before its last div", `<div><form><div><p>a</form>b</div>c</div></form>`, true},
	{"form around a table", `<form><table><tr><td><form>x</form></td></tr></table></form>`, true},
	{"formatting open at the end of a cell", `<table><tr><td><b>a</td><td>b</td></tr></table>`, true},
	{"formatting", `<b>a<i>b</i></b><font color=red>c</font><a href=?a=1&copy=2&amp;b=3>d</a></font>`, true},
	{"misnested formatting", `<b>a<i>b</b>c</i>`, false},
	{"formatting around a block that closes", `<p><b>a</p>b`, false},
	{"a in a", `<a href=1>a<a href=2>b</a>`, false},
	{"text between cells", `<table>x<tr><td>y</table>`, false},
	{"raw text", `<script>if (a<b) "</div>"</script><style>a>b{}</style><textarea>&lt;b></textarea><noscript><p></noscript><iframe src=x></iframe>`, true},
	{"select", `<select><option>a<option selected>b<optgroup label=c><option>d</select><option>e<option>f`, true},
	{"selects", `<select><option>a<select><input>`, true},
	{"entities", `&nbsp;a&copyb&#20013;&#x56fd;&lt;<a title="&nbsp;&notit;&not;&quot;" href='?a&b=&amp;c'>x</a>`, true},
	{"attributes of all kinds", `<div a b=c d="e" F='g' a=h =i / j = k/ l=/ m=">">x</div foo=">" >y`, true},
	{"stray angles", `a < b <3 c <> d`, true},
	{"bogus comments", `a<!b>c</ d>e<?f?>g<![if !IE]>h<![endif]>i`, true},
	{"empty paragraph", `a</p>b`, true},
	{"buttons", `<button>a<p>b</button><button>c<button>d`, true},
	{"definitions", `<dl><dt>a<dd>b<dt>c</dl>`, true},
	{"preformatted", `<pre>a` + "\r\n" + `b</pre>`, true},
	{"preformatted with a break", "<pre>\na</pre>", false},
	{"marquee", `<marquee><a href=1>a</a></marquee><object><param><embed></object>`, true},
	{"parameters", `<a href="?a=1&b=2&amp;c=3&amp=4&AMP;d=5&copy=6&amp;amp;e&lt;=7">x</a><a href="?a=1&b=2&amp;c=3">y</a><a href="?a=1&b">z</a>`, true},
	{"words of office programs", `<o:p>&nbsp;</o:p><st1:date year="2024">a</st1:date>`, true},
	{"rules and breaks", `<p>a<hr>b<br/>c<br>d`, true},
	{"after the end", `a</body>` + "\n" + `<!-- made in 3 ms --></html>` + "\n" + `<script>x</script> <!-- y -->z`, true},
	{"cyrillic İ in a tag", `<divİ>a</divİ>`, true},
}

func TestPlainTreeIsTheStandards(t *testing.T) {
	var b plainBuilder
	for _, c := range plainBodies {
		t.Run(c.name, func(t *testing.T) {
			if taken := samePlain(t, &b, plainDoc(c.body)); taken != c.taken {
				t.Errorf("taken: %v, want %v", taken, c.taken)
			}
		})
	}
}

// TestPlainTreeOfAWholeWeb compares both parsers on every page of the demo web and expects nearly
// all pages to be plain.
func TestPlainTreeOfAWholeWeb(t *testing.T) {
	web, err := webtest.Demo(webtest.Options{Pages: 1500})
	if err != nil {
		t.Fatal(err)
	}
	var b plainBuilder
	pages, taken := 0, 0
	for truth := range web.Truths() {
		host, path, _ := strings.Cut(strings.TrimPrefix(truth.URL, "http://"), "/")
		res := web.Page(host, "/"+path)
		text, _ := DecodeText(res.Body, res.ContentType)
		pages++
		if samePlain(t, &b, text) {
			taken++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d of %d pages are plain", taken, pages)
	if taken < pages*95/100 {
		t.Errorf("only %d of %d pages are plain", taken, pages)
	}
}

// TestPlainTreeOfRealPages compares both parsers on mirrored sites.
func TestPlainTreeOfRealPages(t *testing.T) {
	sites := realpages.Path(t, "sites")
	var b plainBuilder
	pages, taken := 0, 0
	err := filepath.WalkDir(sites, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil || len(body) > strictBytes || !LooksLikeMarkup(body[:min(len(body), 8192)]) {
			return err
		}
		text, _ := DecodeText(body, "")
		pages++
		if samePlain(t, &b, text) {
			taken++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d pages are plain", taken, pages)
	if taken < pages/2 {
		t.Errorf("only %d of %d pages are plain", taken, pages)
	}
}

// TestPlainTreeOfRandomTags writes random tags: pages that the plain builder accepts must have the
// tree of the standard.
func TestPlainTreeOfRandomTags(t *testing.T) {
	names := []string{"div", "p", "ul", "li", "a", "b", "font", "table", "tbody", "tr", "td", "th", "h2", "span", "form", "button",
		"select", "option", "optgroup", "dl", "dd", "dt", "marquee", "pre", "center", "hr", "input", "br", "x-y"}
	r := rand.New(rand.NewPCG(1, 2))
	var b plainBuilder
	taken := 0
	for range 30_000 {
		var s strings.Builder
		var open []string
		for range 3 + r.IntN(25) {
			name := names[r.IntN(len(names))]
			switch k := r.IntN(10); {
			case k < 4:
				s.WriteString("<" + name + ">")
				open = append(open, name)
			case k < 7 && len(open) > 0: // mostly in order
				s.WriteString("</" + open[len(open)-1] + ">")
				open = open[:len(open)-1]
			case k == 7:
				s.WriteString("</" + name + ">")
			case k == 8:
				s.WriteString([]string{" ", "<!-- -->", "<input type=hidden>"}[r.IntN(3)])
			default:
				s.WriteString("w")
			}
		}
		if samePlain(t, &b, plainDoc(s.String())) {
			taken++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d of 30 000 taken", taken)
	if taken < 3_000 {
		t.Errorf("only %d of 30 000 were taken: the test tests little", taken)
	}
}

func FuzzPlainTree(f *testing.F) {
	for _, c := range plainBodies {
		f.Add(c.body, false)
		f.Add(plainDoc(c.body), true)
	}
	f.Fuzz(func(t *testing.T, text string, whole bool) {
		if !whole {
			text = plainDoc(text)
		}
		if !strings.Contains(text, "\x00") {
			samePlain(t, new(plainBuilder), text)
		}
	})
}
