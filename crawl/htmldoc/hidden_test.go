package htmldoc

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestHides interprets style attributes like a browser.
func TestHides(t *testing.T) {
	for style, want := range map[string]bool{
		"display:none":                                   true,
		"color:red; DISPLAY : NONE !important":           true,
		"display:block":                                  false,
		"display:inline-none":                            false,
		"visibility:hidden":                              true,
		"visibility:collapse":                            true,
		"content-visibility:hidden":                      false,
		"overflow:hidden":                                false,
		"height:0;overflow:hidden":                       true,
		"overflow:hidden;width:0px":                      true,
		"height:0":                                       false, // the text flows over
		"height:0.5em;overflow:hidden":                   false,
		"max-height:.0px;overflow:clip":                  true,
		"position:absolute;left:-9999px":                 true,
		"position:fixed;top:-100em":                      true,
		"position:absolute;left:-20px":                   false,
		"left:-9999px":                                   false, // without a position it has no effect
		"text-indent:-9999px":                            true,
		"text-indent:-2em":                               false,
		"text-indent:2em":                                false,
		"clip:rect(0,0,0,0);position:absolute":           true,
		"clip:rect(0 0 100px 300px)":                     false,
		"clip-path:inset(50%)":                           true,
		"margin-left:-9999px":                            true,
		"position:absolute;left:50%;margin-left:-600px":  false, // centred
		"color: transparent":                             true,
		"color:transparent;-webkit-background-clip:text": false,
		"transform:scale(0)":                             true,
		"transform:scale(0.9)":                           false,
		"opacity:0":                                      false, // scripts fade whole pages in
		"display":                                        false,
		"":                                               false,
		"position:absolute;left:-1e999px":                false,
		strings.Repeat("left:-", 300):                    false,
	} {
		if got, _ := hides(style); got != want {
			t.Errorf("%q: %v, want %v", style, got, want)
		}
	}
}

// TestHiddenText checks which text of a page is visible.
func TestHiddenText(t *testing.T) {
	const seen, unseen = "青松县医院呼吸机采购公告", "旧版文字"
	for name, c := range map[string]struct {
		html   string
		hidden bool // unseen is in a hidden element or left out
	}{
		"style":                       {`<div style="display:none">旧版文字</div>`, true},
		"attribute":                   {`<div hidden>旧版文字</div>`, true},
		"a class of the sheet":        {`<style>/* x */ .gone, b { display: none }</style><div class="a gone">旧版文字</div>`, true},
		"an id of the sheet":          {`<style>@import "x";#old{visibility:hidden}</style><div id="old">旧版文字</div>`, true},
		"an element with a class":     {`<style>div.gone{display:none}</style><div class="gone">旧版文字</div>`, true},
		"a place outside the window":  {`<style>#old,p.old{position:absolute;left:-3000px}</style><div id=old>旧版文字</div>`, true},
		"another element":             {`<style>p.gone{display:none}</style><div class="gone">旧版文字</div>`, false},
		"within another":              {`<style>.a .gone{display:none}</style><div class="gone">旧版文字</div>`, false},
		"shown by a later rule":       {`<style>.tab{display:none}.tab{display:block}</style><div class="tab">旧版文字</div>`, false},
		"shown by its own style":      {`<style>.tab{display:none}</style><div class="tab" style="display:block">旧版文字</div>`, false},
		"only in print":               {`<style>@media print{.gone{display:none} .b{color:red}} .c{color:red}</style><div class="gone">旧版文字</div>`, false},
		"after an at-rule":            {`<style>@media print{.b{color:red}} .gone{display:none}</style><div class="gone">旧版文字</div>`, true},
		"no font":                     {`<div style="font-size:0"><p>旧版文字</p></div>`, true},
		"no font between items":       {`<ul style="font-size:0"><li style="font-size:14px">旧版文字</li></ul>`, false},
		"a piece of a line":           {`<p>关于<span style="display:none">旧版文字</span>呼吸机</p>`, true},
		"a rule that is never closed": {`<style>.gone{display:none</style><div class="gone">旧版文字</div>`, true},
		"a sheet with open brackets":  {`<style>@media{{{{{{</style><div>旧版文字</div>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			tree := NewTree("http://a.example/1.htm")
			defer tree.Release()
			tree.Parse("<html><body><p>" + seen + "</p>" + c.html + "</body></html>")
			if !strings.Contains(tree.Text, seen) {
				t.Errorf("the visible text is missing: %q", tree.Text)
			}
			hidden := true
			for i := range tree.Nodes {
				if n := &tree.Nodes[i]; n.IsText && strings.Contains(tree.Text[n.From:n.To], unseen) {
					hidden = n.Hidden
				}
			}
			if hidden != c.hidden {
				t.Errorf("hidden is %v, want %v", hidden, c.hidden)
			}
		})
	}
}

// FuzzSheet reads any style sheet within bounds: it keeps only simple selectors, at most maxHiding,
// and nothing after maxSheet bytes.
func FuzzSheet(f *testing.F) {
	for _, sheet := range []string{
		".a{display:none}#b,div.c{visibility:hidden}.a{display:block}",
		"@import url(x.css);/* .z{ */.a{display:none}@media print{.b{display:none}}.c{display:none",
		"@media{{{}}}.a{left:-1e999px;position:fixed;display:none!important}",
		"}{}{.a.b{display:none} p>.c,.d:hover{display:none}",
	} {
		f.Add(sheet)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		read := func(sheet string) flattener {
			b := flattener{Tree: NewTree("http://a.test/"), open: -1, host: -1}
			defer b.Release()
			b.readSheet(&html.Node{FirstChild: &html.Node{Type: html.TextNode, Data: sheet}})
			return b
		}
		b := read(sheet)
		if len(b.hiding) > maxHiding {
			t.Fatalf("%d rules", len(b.hiding))
		}
		for s := range b.hiding {
			if !simpleSelector(s) || !strings.Contains(sheet[:min(len(sheet), maxSheet)], s) {
				t.Fatalf("selector %q", s)
			}
			mark := strings.IndexAny(s, ".#")
			key := map[byte]string{'.': "class", '#': "id"}[s[mark]]
			h := &html.Node{Type: html.ElementNode, Data: s[:mark], Attr: []html.Attribute{{Key: key, Val: s[mark+1:]}}}
			if fields := strings.Fields(s[mark+1:]); !b.hiddenByRule(h) && len(fields) == 1 && fields[0] == s[mark+1:] {
				t.Fatalf("rule of %q hides nothing", s)
			}
			h.Attr = append(h.Attr, html.Attribute{Key: "style", Val: "display:block"})
			if b.hiddenByRule(h) {
				t.Fatalf("rule of %q outranks the element's own", s)
			}
		}
		if long := strings.Repeat(" ", maxSheet) + sheet; len(read(long).hiding) > 0 {
			t.Fatal("reads on behind its bound")
		}
	})
}
