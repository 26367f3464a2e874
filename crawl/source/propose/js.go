package propose

import (
	"strings"

	"angler/crawl/listpage"
)

// Literals of scripts are read: texts, numbers, objects, arrays and what is put together
// of them with +. Nothing is run. What depends on something else stays a hole with the name
// of what it depends on.

// Bounds of a script.
const (
	maxScript = 2 << 20 // bytes
	maxTokens = 400_000
	maxDepth  = 40
	maxJoined = 64 << 10 // bytes of what is put together
)

// tokensOf cuts a script into tokens. The text of a template has its holes as those of
// recipes are written: ${a.b} is {a.b}. A regular expression is a number like any other.
func tokensOf(script string) []listpage.Token {
	tokens := listpage.ScanTokens(script, maxScript, maxTokens)
	for i := range tokens {
		switch t := &tokens[i]; t.Kind {
		case listpage.Regex:
			t.Kind, t.Text = listpage.Number, "0"
		case listpage.Template:
			t.Text = withHoles(t.Text)
		}
	}
	return tokens
}

func withHoles(template string) string {
	var b strings.Builder
	for part, expression := range listpage.TemplateParts(template) {
		if expression {
			part = "{" + holeName(part) + "}"
		}
		b.WriteString(part)
	}
	return b.String()
}

// holeName is the name that an expression depends on: the first in it.
func holeName(s string) string {
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && (listpage.IsWordByte(s[end]) || s[end] == '.') {
		end++
	}
	if end == 0 {
		return "x"
	}
	return strings.Trim(s[:end], ".")
}
