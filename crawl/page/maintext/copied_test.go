package maintext

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"angler/crawl/page/charset"
	"angler/crawl/page/htmltree"
	"angler/crawl/page/sandbox"
	"angler/crawl/webtest/realpages"
)

// Readability finds the same text in a copy of the tree as in a new parse of the page.
func TestReadersOfElements(t *testing.T) {
	read := func(tree *htmltree.Tree, kind sandbox.Document) string {
		doc, ok := sandbox.Run(tree, MethodReadability, kind, readers[MethodReadability].read)
		if !ok {
			return ""
		}
		var b strings.Builder
		if err := html.Render(&b, doc); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	copied, pages, some := 0, 0, 1
	if testing.Short() {
		some = 10
	}
	one := func(name, text string) {
		tree := htmltree.New("http://a.test/" + filepath.Base(name))
		defer tree.Release()
		tree.Parse(text)
		pages++
		if tree.Copy() != nil {
			copied++
		}
		got, want := flat(t, read(tree, sandbox.Elements)), flat(t, read(tree, sandbox.Whole))
		if got != want {
			t.Errorf("%s: %d bytes of a copy, %d of a parse:\n%.500s\n%.500s", name, len(got), len(want), got, want)
		}
	}
	long := strings.Repeat("采购公告，欢迎参加。The notice says, among other things, what is wanted. ", 12)
	one("plain", `<!doctype html><html><head><title>公告</title></head><body><!-- menu --><div><p>`+long+`</p><!-- x --><br><br>`+long+`</div></body></html>`)
	one("misnested", `<html><head><title>公告</title></head><body><b><i>x</b></i><div><p>`+long+`</p></div></body></html>`)
	for _, folder := range []string{"articles", "text"} {
		dir, ok := realpages.Find(t, folder)
		if !ok {
			break
		}
		n := 0
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(filepath.Ext(name), "htm") {
				return err
			}
			if n++; n%some != 0 {
				return nil
			}
			body, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text, _ := charset.Decode(body, "text/html")
			one(name, text)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if copied < 2 {
		t.Errorf("%d pages copied", copied)
	}
	t.Logf("%d of %d pages copied", copied, pages)
}

// flat is what the workbench makes of a reader's result.
func flat(t *testing.T, markup string) string {
	t.Helper()
	tree := htmltree.New("http://a.test/")
	defer tree.Release()
	tree.Parse(markup)
	return readable(tree, "")
}
