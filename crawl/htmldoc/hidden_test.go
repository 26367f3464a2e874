package htmldoc

import (
	"strings"
	"testing"
)

// TestHides reads style attributes as a browser applies them.
func TestHides(t *testing.T) {
	for style, want := range map[string]bool{
		"display:none":                         true,
		"color:red; DISPLAY : NONE !important": true,
		"display:block":                        false,
		"display:inline-none":                  false,
		"visibility:hidden":                    true,
		"visibility:collapse":                  true,
		"content-visibility:hidden":            false,
		"overflow:hidden":                      false,
		"height:0;overflow:hidden":             true,
		"overflow:hidden;width:0px":            true,
		"height:0":                             false, // the text flows over
		"height:0.5em;overflow:hidden":         false,
		"max-height:.0px;overflow:clip":        true,
		"position:absolute;left:-9999px":       true,
		"position:fixed;top:-100em":            true,
		"position:absolute;left:-20px":         false,
		"left:-9999px":                         false, // without a position it has no effect
		"text-indent:-9999px":                  true,
		"text-indent:-2em":                     false,
		"text-indent:2em":                      false,
		"clip:rect(0,0,0,0);position:absolute": true,
		"clip:rect(0 0 100px 300px)":           false,
		"clip-path:inset(50%)":                 true,
		"opacity:0":                            false, // scripts fade whole pages in
		"display":                              false,
		"":                                     false,
		"position:absolute;left:-1e999px":      false,
		strings.Repeat("left:-", 300):          false,
	} {
		if got, _ := hides(style); got != want {
			t.Errorf("%q: %v, want %v", style, got, want)
		}
	}
}

// TestHiddenText reads which text of a page a reader sees.
func TestHiddenText(t *testing.T) {
	const seen, unseen = "青松县医院呼吸机采购公告", "旧版文字"
	for name, c := range map[string]struct {
		html   string
		hidden bool // unseen stands in a hidden element or is left out
	}{
		"style":                       {`<div style="display:none">旧版文字</div>`, true},
		"attribute":                   {`<div hidden>旧版文字</div>`, true},
		"a class of the sheet":        {`<style>/* x */ .gone, b { display: none }</style><div class="a gone">旧版文字</div>`, true},
		"an id of the sheet":          {`<style>@import "x";#old{visibility:hidden}</style><div id="old">旧版文字</div>`, true},
		"an element with a class":     {`<style>div.gone{display:none}</style><div class="gone">旧版文字</div>`, true},
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
