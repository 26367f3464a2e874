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
		"color:#FFF;background-color: white":             true,
		"color:#fff;background:#ffffff":                  true,
		"color:rgb(255, 255, 255);background:#fff":       true,
		"color:#fff;background:#369":                     false,
		"color:#fff":                                     false,
		"display":                                        false,
		"":                                               false,
		"position:absolute;left:-1e999px":                false,
		strings.Repeat("left:-", 300):                    false,
	} {
		if got := sightOf(style)&unseen != 0; got != want {
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
		"within no other":             {`<style>.a .gone{display:none}</style><div class="gone">旧版文字</div>`, false},
		"within another":              {`<style>#b div.a .gone{display:none}</style><div id=b><div class="x a"><p><span class="gone">旧版文字</span></p></div></div>`, true},
		"a child":                     {`<style>.a>.gone{display:none}</style><div class="a"><p class="gone">旧版文字</p></div>`, true},
		"no child":                    {`<style>.a > .gone{display:none}</style><div class="a"><div><p class="gone">旧版文字</p></div></div>`, false},
		"two classes":                 {`<style>.gone.now{display:none}</style><div class="now gone">旧版文字</div>`, true},
		"one of two classes":          {`<style>.gone.now{display:none}</style><div class="gone">旧版文字</div>`, false},
		"the open tab":                {`<style>.tab .in.on{display:block}.tab .in{display:none}</style><div class="tab"><div class="in on">旧版文字</div></div>`, false},
		"the closed tab":              {`<style>.tab .in.on{display:block}.tab .in{display:none}</style><div class="tab"><div class="in">旧版文字</div></div>`, true},
		"faded":                       {`<p style="opacity:0">旧版文字</p>`, true},
		"a faded region":              {`<div style="opacity:0"><p>旧版文字</p></div>`, false},
		"fading in":                   {`<style>.in{opacity:0;transition:opacity 1s}</style><p class="in">旧版文字</p>`, false},
		"a class without a font":      {`<style>.tip{font-size:0}</style><p class="tip">旧版文字</p>`, true},
		"struck":                      {`<p>时间：<s>旧版文字</s>待定</p>`, true},
		"deleted lines":               {`<del><p>旧版文字</p></del>`, true},
		"struck by style":             {`<p>时间：<span style="text-decoration:line-through red">旧版文字</span>待定</p>`, true},
		"struck by a class":           {`<style>.old{text-decoration:line-through}</style><p class="old">旧版文字</p>`, true},
		"underlined":                  {`<p style="text-decoration:underline">旧版文字</p>`, false},
		"not struck after all":        {`<p style="text-decoration:line-through;text-decoration:none">旧版文字</p>`, false},
		"a struck link":               {`<p><a href="/1.htm"><s>旧版文字</s></a></p>`, false},
		"a struck row of a list":      {`<li style="text-decoration:line-through"><a href="/1.htm">旧版文字</a></li>`, false},
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

// TestRulesWithAncestors checks that the work for selectors of several elements ends at its bound.
func TestRulesWithAncestors(t *testing.T) {
	b := flattener{Tree: NewTree("http://a.test/"), open: -1, host: -1}
	defer b.Release()
	sheet := strings.Repeat(".x .y .a{display:none}", maxRules+1) + ".a.b{display:none}"
	b.readSheet(&html.Node{FirstChild: &html.Node{Type: html.TextNode, Data: sheet}})
	if b.rules != maxRules {
		t.Errorf("%d rules, want %d", b.rules, maxRules)
	}
	classes := []html.Attribute{{Key: "class", Val: strings.Repeat("z ", 200)}}
	h := &html.Node{Type: html.ElementNode, Data: "p", Attr: []html.Attribute{{Key: "class", Val: "a"}}}
	for outer := h; outer.Parent == nil && b.compared < maxOuter; b.compared++ {
		next := &html.Node{Type: html.ElementNode, Data: "div", Attr: classes}
		next.AppendChild(outer)
		outer = next
	}
	for range 1000 {
		b.sightByRule(h)
	}
	if most := maxMatchWork + maxOuter*(len(classes[0].Val)+1) + len("a") + 1; b.compared <= maxMatchWork/2 || b.compared > most {
		t.Errorf("%d bytes compared, want at most %d", b.compared, most)
	}
}

// FuzzSheet reads any style sheet within bounds: it keeps at most maxRules and nothing after maxSheet bytes.
func FuzzSheet(f *testing.F) {
	for _, sheet := range []string{
		".a{display:none}#b,div.c{visibility:hidden}.a{display:block}",
		"@import url(x.css);/* .z{ */.a{display:none}@media print{.b{display:none}}.c{display:none",
		"@media{{{}}}.a{left:-1e999px;position:fixed;display:none!important}",
		"}{}{.a.b{display:none} p>.c,.d:hover{display:none}",
		"div .a .b > p.c#d{text-decoration:line-through} > .e{opacity:0}.f.{font-size:0}",
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
		if b.rules > maxRules {
			t.Fatalf("%d rules", b.rules)
		}
		h := &html.Node{Type: html.ElementNode, Data: "p"}
		for range maxOuter {
			outer := &html.Node{Type: html.ElementNode, Data: "div", Attr: []html.Attribute{{Key: "class", Val: "a b c"}}}
			outer.AppendChild(h)
			h = outer
		}
		for h.FirstChild != nil {
			h = h.FirstChild
		}
		for key, rules := range b.sheet {
			for _, r := range rules {
				last := r.parts[len(r.parts)-1]
				if at := strings.IndexAny(last, ".#"); len(r.parts) > maxParts || !strings.HasPrefix(last[at:], key) {
					t.Fatalf("selector %q by %q", r.parts, key)
				}
			}
			attr := html.Attribute{Key: map[byte]string{'.': "class", '#': "id"}[key[0]], Val: key[1:]}
			h.Attr = []html.Attribute{attr}
			if before := b.compared; b.sightByRule(h) != 0 && b.compared == before {
				t.Fatalf("rule of %q hides without a comparison", key)
			}
			h.Attr = append(h.Attr, html.Attribute{Key: "style", Val: "display:block"})
			if b.sightByRule(h) != 0 {
				t.Fatalf("rule of %q outranks the element's own", key)
			}
		}
		if long := strings.Repeat(" ", maxSheet) + sheet; read(long).rules > 0 {
			t.Fatal("reads on behind its bound")
		}
	})
}
