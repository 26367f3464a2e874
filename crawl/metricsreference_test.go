package crawl

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"angler/crawl/view"
	"angler/store/generated"
)

var update = flag.Bool("update", false, "write the metrics into docs/metrics.md")

// TestReferenceOfMetrics keeps docs/metrics.md equal to what is counted: the metrics
// that the source names, whether or not they are there at every moment.
func TestReferenceOfMetrics(t *testing.T) {
	var b strings.Builder
	b.WriteString("| metric | kind | what it is |\n|---|---|---|\n")
	row := func(name, kind, help string) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, kind, strings.ReplaceAll(help, "|", `\|`))
	}
	file, err := parser.ParseFile(token.NewFileSet(), "metrics.go", nil, 0)
	must(t, err)
	named := 0
	ast.Inspect(file, func(n ast.Node) bool {
		var args []ast.Expr
		switch n := n.(type) {
		case *ast.CompositeLit:
			args = n.Elts
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "one" || f.Sel.Name == "head") {
				args = n.Args
			}
		}
		var words [3]string
		for i := range words {
			if i == len(args) {
				return true
			}
			lit, ok := args[i].(*ast.BasicLit)
			if !ok {
				return true
			}
			words[i], _ = strconv.Unquote(lit.Value)
		}
		row(words[0], words[1], words[2])
		named++
		return true
	})
	if named < 40 {
		t.Fatalf("%d metrics were found in the source", named)
	}
	var x prometheus
	workerMetrics(&x, &view.Machines{})
	for _, m := range regexp.MustCompile(`(?m)^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$`).FindAllStringSubmatch(x.b.String(), -1) {
		row(m[1], m[3], m[2])
	}
	generated.Section(t, "../docs/metrics.md", "metrics", b.String(), *update)
}
