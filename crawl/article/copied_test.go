package article

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/net/html"

	"angler/crawl/htmldoc"
	"angler/crawl/webtest/realpages"
)

// The readers find the same text in a copy of the tree as in a new parse of the page. In synctest no
// reader runs out of time.
func TestReadersOfElements(t *testing.T) { synctest.Test(t, testReadersOfElements) }

func testReadersOfElements(t *testing.T) {
	read := func(tree *htmldoc.Tree, method string, kind htmldoc.ParserInput) string {
		doc, ok := htmldoc.RunParser(tree, method, kind, readers[method].read)
		if !ok {
			return ""
		}
		var b strings.Builder
		if err := html.Render(&b, doc); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	copied, pages := 0, 0
	eachPage(t, func(name, text string) {
		tree := htmldoc.NewTree("http://a.test/" + filepath.Base(name))
		defer tree.Release()
		tree.Parse(text)
		pages++
		if tree.Copy() != nil {
			copied++
		}
		for _, method := range []string{MethodReadability, MethodTrafilatura} {
			got, want := flat(t, read(tree, method, htmldoc.ElementsOnly)), flat(t, read(tree, method, htmldoc.WholeDocument))
			if got != want {
				t.Errorf("%s, %s: %d bytes of a copy, %d of a parse:\n%.500s\n%.500s", name, method, len(got), len(want), got, want)
			}
		}
	})
	if copied < 2 {
		t.Errorf("%d pages copied", copied)
	}
	t.Logf("%d of %d pages copied", copied, pages)
}

// On a page where auto runs only firstLook, all runs of Readability would not replace mass.
func TestFirstLook(t *testing.T) { synctest.Test(t, testFirstLook) }

func testFirstLook(t *testing.T) {
	short, pages := 0, 0
	eachPage(t, func(name, text string) {
		tree := htmldoc.NewTree("http://a.test/" + filepath.Base(name))
		defer tree.Release()
		tree.Parse(text)
		var x TextExtractor
		m, method := x.Extract(MethodAuto, TextInput{Tree: tree, Links: make([]htmldoc.Link, len(tree.Refs)), Title: -1})
		pages++
		if !strings.HasPrefix(m.Why, "mass found ") || strings.Contains(m.Why, " punctuation marks") {
			return
		}
		short++
		n, marks := countText(x.byReader(MethodReadability).Text)
		if own, _ := countText(m.Text); method != MethodMass || readabilityWins(n, marks, own) {
			t.Errorf("%s: %s, %s, but all looks find %d characters with %d punctuation marks", name, method, m.Why, n, marks)
		}
	})
	if short == 0 {
		t.Error("Readability had all its looks at every page")
	}
	t.Logf("at %d of %d pages Readability looked no more than once", short, pages)
}

// step makes eachPage take every tenth real page. heavy_test.go makes it 1.
var step = 10

// eachPage calls f with invented pages and, if available, with real ones.
func eachPage(t *testing.T, f func(name, text string)) {
	t.Helper()
	long := strings.Repeat("采购公告，欢迎参加。The notice says, among other things, what is wanted. ", 12)
	f("plain", `<!doctype html><html><head><title>公告</title></head><body><!-- menu --><div><p>`+long+`</p><!-- x --><br><br>`+long+`</div></body></html>`)
	f("misnested", `<html><head><title>公告</title></head><body><b><i>x</b></i><div><p>`+long+`</p></div></body></html>`)
	f("notice", `<html><head><title>公告</title></head><body><div><p>`+strings.Repeat("采购公告，欢迎各供应商踊跃参加投标。", 25)+`</p></div></body></html>`)
	for _, folder := range []string{"articles", "text", "sites"} {
		dir, ok := realpages.Find(t, folder)
		if !ok {
			break
		}
		n := 0
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(filepath.Ext(name), "htm") {
				return err
			}
			if n++; n%step != 0 {
				return nil
			}
			body, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text, _ := htmldoc.DecodeText(body, "text/html")
			f(name, text)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// flat returns the text of a reader's result.
func flat(t *testing.T, markup string) string {
	t.Helper()
	tree := htmldoc.NewTree("http://a.test/")
	defer tree.Release()
	tree.Parse(markup)
	return readable(tree, "")
}
