package httpapi

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"angler/store/generated"
)

var update = flag.Bool("update", false, "write the questions into docs/agents.md")

// docs/agents.md has the table of questions.
func TestReferenceOfAPI(t *testing.T) {
	var b strings.Builder
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	for _, rt := range routes() {
		media, _, _ := strings.Cut(rt.answerType, ";")
		fmt.Fprintf(&b, "### `GET %s`\n\n%s. It answers with `%s`.\n\n", rt.path, rt.summary, media)
		if len(rt.in.PropertyOrder) == 0 {
			continue
		}
		b.WriteString("| parameter | type | what it is |\n|---|---|---|\n")
		for _, name := range rt.in.PropertyOrder {
			p, need := rt.in.Properties[name], ""
			if slices.Contains(rt.in.Required, name) {
				need = ", required"
			}
			fmt.Fprintf(&b, "| `%s` | %s%s | %s |\n", name, p.Type, need, cell.Replace(p.Description))
		}
		b.WriteString("\n")
	}
	generated.Section(t, "../../docs/agents.md", "api", b.String(), *update)
}
