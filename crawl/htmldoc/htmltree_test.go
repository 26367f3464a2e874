package htmldoc

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// check verifies the invariants of every tree.
func check(t *testing.T, tree *Tree) {
	t.Helper()
	text, nodes := int32(len(tree.Text)), int32(len(tree.Nodes))
	if !utf8.ValidString(tree.Text) {
		t.Fatalf("%q is no valid UTF-8", tree.Text)
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Parent < -1 || n.Parent >= int32(i) || n.End <= int32(i) || n.End > nodes || n.From > n.To || n.From < 0 || n.To > text {
			t.Fatalf("node %d of %d with %d bytes of text: %+v", i, nodes, text, *n)
		}
		if n.LinkChars > n.Chars || n.Punct > n.Chars || n.Ref > n.RefEnd || int(n.RefEnd) > len(tree.Refs) || int(n.Division) >= len(tree.Divisions) {
			t.Fatalf("node %d: %+v", i, *n)
		}
		if n.Parent >= 0 {
			if p := &tree.Nodes[n.Parent]; p.IsText || n.End > p.End || n.From < p.From || n.Ref < p.Ref || n.RefEnd > p.RefEnd || n.Chars > p.Chars {
				t.Fatalf("node %d, %+v, is not inside its parent %+v", i, *n, *p)
			}
		}
	}
	end := int32(0)
	for i, r := range tree.Runs {
		if r.From < end || r.To < r.From || r.To > text || r.Chars < 1 || r.LinkChars > r.Chars || r.Host < -1 || r.Host >= nodes {
			t.Fatalf("run %d behind %d: %+v", i, end, r)
		}
		end = r.To
	}
	for i, d := range tree.Divisions {
		if d.Parent < -1 || d.Parent >= int32(i) || d.Node >= nodes || tree.Nodes[d.Node].Division != int32(i) {
			t.Fatalf("division %d: %+v", i, d)
		}
	}
	for i, r := range tree.Refs {
		if r.Node < -1 || r.Node >= nodes || int(r.Division) >= len(tree.Divisions) || len(r.Href) > MaxHref {
			t.Fatalf("reference %d: %+v", i, r)
		}
	}
}

func TestTree(t *testing.T) {
	tree := NewTree("http://a.test/")
	defer tree.Release()
	tree.Parse(`<html><head><title> 公告 </title><base href="/d/"><meta name="PubDate" content="2024-05-06"><script type="application/ld+json">{}</script></head>
		<body><div class="nav"><a href=" x.htm ">栏目</a></div><div><p>第一段，<b>正文</b>。</p><p style="display:none">第2段</p></div></body></html>`)
	check(t, tree)
	if tree.Head != "公告" || tree.Base != "/d/" || tree.Meta("pubdate") != "2024-05-06" || tree.Meta("x") != "" || len(tree.LD) != 1 {
		t.Errorf("head %q, base %q, date %q, %d scripts", tree.Head, tree.Base, tree.Meta("pubdate"), len(tree.LD))
	}
	if tree.Text != "栏目\n第一段，正文。\n第2段\n" || len(tree.Runs) != 3 || !tree.Runs[0].Negative || tree.Runs[1].Punct != 2 {
		t.Errorf("text %q, runs %+v", tree.Text, tree.Runs)
	}
	if len(tree.Refs) != 1 || tree.Refs[0].Href != "x.htm" || tree.Nodes[tree.Refs[0].Node].Tag != atom.A || len(tree.Divisions) != 3 {
		t.Errorf("references %+v, divisions %+v", tree.Refs, tree.Divisions)
	}
	last := tree.Nodes[len(tree.Nodes)-1]
	if !last.IsText || !last.Hidden || !last.Numbered || tree.Text[last.From:last.To] != "第2段" {
		t.Errorf("the last text: %+v", last)
	}
}

func TestParseLines(t *testing.T) {
	tree := NewTree("http://a.test/a.txt")
	defer tree.Release()
	tree.ParseLines("第一行\n\n<b>第二行")
	check(t, tree)
	if tree.Text != "第一行\n<b>第二行\n" || len(tree.Runs) != 2 || tree.Source != "" {
		t.Errorf("text %q, source %q", tree.Text, tree.Source)
	}
}

// A released tree leaves no data for the next page.
func TestReleasedTreeIsEmpty(t *testing.T) {
	for range 3 {
		tree := NewTree("http://a.test/")
		if len(tree.Nodes)+len(tree.Runs)+len(tree.Refs)+len(tree.Divisions)+len(tree.LD)+len(tree.Limits) > 0 || tree.Text+tree.Head+tree.Base+tree.Source+tree.Meta("a") != "" {
			t.Fatalf("not empty: %+v", tree)
		}
		tree.Parse(`<title>t</title><base href=x><meta name=a content=b><div><a href=y>` + strings.Repeat("<b>", 600) + `z`)
		tree.Release()
	}
}

func FuzzTree(f *testing.F) {
	for _, c := range plainBodies {
		f.Add(plainDoc(c.body))
	}
	for _, s := range []string{"", "<", "<a href=//", "<table><a href=x><td>1/2<li>", "<frameset><frame src=y>", "<svg><title>x</title><a href=y>", "<title>x<meta http-equiv=refresh content='0;url=x'>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 || !utf8.ValidString(text) {
			return
		}
		tree := NewTree("http://a.test/")
		defer tree.Release()
		tree.Parse(text)
		check(t, tree)
		linear := NewTree("http://a.test/")
		defer linear.Release()
		linear.Flatten(linear.parseLinear(text))
		check(t, linear)
	})
}
