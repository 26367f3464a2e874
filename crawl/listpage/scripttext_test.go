package listpage

import (
	"strings"
	"testing"
)

// FuzzScriptTexts checks that any script is read within bounds.
func FuzzScriptTexts(f *testing.F) {
	f.Add(`a=(function(a,b){return {title:b,c:a}}("` + strings.Repeat("x", 70) + `","y"))`)
	f.Add(`s+="a";s+='b';write("c"+"d");{[(`)
	f.Fuzz(func(t *testing.T, script string) {
		n := 0
		for _, x := range ScriptTexts(script) {
			n += len(x.Text)
		}
		if n > 3*len(script) {
			t.Errorf("%d bytes of %d", n, len(script))
		}
	})
}
