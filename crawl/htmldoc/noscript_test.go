package htmldoc

import (
	"strings"
	"testing"
)

// A page whose text is in <noscript> is read as without scripts, with links and title. A request to
// enable scripts, or fallback images, are not text.
func TestNoscript(t *testing.T) {
	text := strings.Repeat("The archive opens on weekdays. ", 12)
	shown := "<p>" + strings.Repeat("What everybody sees of the page. ", 30)
	for _, c := range []struct {
		name, html string
		read       bool
	}{
		{"text in noscript", `<html><head><title>Hours</title></head><body><div id=app>Loading</div><noscript><p>` + text + `<a href="/next">more</a></p></noscript></body></html>`, true},
		{"in two parts and capitals", `<title>Hours</title><body><NoScript><p>` + text + `</p></NOSCRIPT><div>x</div><noscript><p>` + text + `<a href="/next">more</a></noscript>`, true},
		{"a plea", `<title>Hours</title><body><div id=app></div><noscript>You need to enable JavaScript to run this application.</noscript>`, false},
		{"images", `<title>Hours</title><body><p>Short.</p>` + strings.Repeat(`<noscript><img src="/i.png" alt="`+text+`"></noscript>`, 20), false},
		{"less than is shown", `<title>Hours</title><body>` + shown + `<noscript><p>` + text + `</p></noscript>`, false},
		{"in the head", `<html><head><noscript><style>` + text + `</style></noscript><title>Hours</title></head><body><p>Short.</p></body></html>`, false},
		{"in a script", `<title>Hours</title><body><p>Short.</p><script>s = "<noscript>` + text + `</noscript>"</script>`, false},
	} {
		tree := NewTree("http://a.test/")
		tree.Parse(c.html)
		if got := strings.Contains(tree.Text, "archive opens"); got != c.read {
			t.Errorf("%s: read %v, want %v: %.200q", c.name, got, c.read, tree.Text)
		}
		if c.read && (len(tree.Refs) != 1 || tree.Refs[0].Href != "/next" || !strings.Contains(tree.Source, "<div>")) {
			t.Errorf("%s: links %v, source %.200q", c.name, tree.Refs, tree.Source)
		}
		if tree.Head != "Hours" {
			t.Errorf("%s: title %q", c.name, tree.Head)
		}
		tree.Release()
	}
}

// A script that writes one text shows it; other scripts show nothing.
func TestWrittenText(t *testing.T) {
	for code, want := range map[string]string{
		`document.write("2026-11-20")`:                      "前2026-11-20后",
		` document.write( '<b>2026-11-20</b>' ) ; `:         "前2026-11-20后",
		`document.write("2026" + "-11-20")`:                 "前后",
		`document.write("2026'-11-20");go("x")`:             "前后",
		`document.write(date)`:                              "前后",
		`document.write("\x3cb>")`:                          "前后",
		`document.write("` + strings.Repeat("长", 60) + `")`: "前后",
		`document.write("`:                                  "前后",
		`document.write(")`:                                 "前后",
		``:                                                  "前后",
	} {
		tree := NewTree("http://a.test/")
		tree.Parse("<body><p>前<script>" + code + "</script>后</p>")
		if got := strings.TrimSpace(tree.Text); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
		tree.Release()
	}
}
