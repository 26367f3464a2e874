package recipe

import (
	"strings"

	"angler/crawl/htmldoc"
)

// call is a JavaScript call in an onclick with its literal arguments; other arguments are empty.
type call struct {
	Name string
	Args []string
}

var (
	callForm = htmldoc.NewPattern(`([A-Za-z_$][\w$.]*)\s*\(([^()]+)\)`)
	argForm  = htmldoc.NewPattern(`\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d[\w.]*)|([^,'"]*))\s*(?:,|$)`)
)

// callIn returns the first call of an onclick with a string or number argument; nil if there is none.
func callIn(code string) *call {
	if len(code) > 4_000 {
		return nil
	}
	for _, m := range callForm.FindAllStringSubmatchIndex(code, 20) {
		c := &call{Name: code[m[2]:m[3]]}
		good := false
		for _, a := range argForm.FindAllStringSubmatchIndex(code[m[4]:m[5]], 40) {
			arg := ""
			for g := 2; g <= 6; g += 2 {
				if a[g] >= 0 {
					arg = unescaped.Replace(code[m[4]+a[g] : m[4]+a[g+1]])
				}
			}
			good = good || arg != ""
			c.Args = append(c.Args, arg)
		}
		if good {
			return c
		}
	}
	return nil
}

var unescaped = strings.NewReplacer(`\/`, "/", `\'`, "'", `\"`, `"`, `\\`, `\`)
