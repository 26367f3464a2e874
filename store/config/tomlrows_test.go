package config

import (
	"testing"

	"github.com/pelletier/go-toml/v2"
)

const rowsDoc = `name = "x"

[crawl]
depth = 3

# the team
[[notify]]
name = "morning" # every day
to = [
  "a@b.test",
  "[[notify]]",
]

[[notify]]
name = "robot"

# at the end
[store]
n = 1
`

func TestRows(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"a value is replaced, its comment stays", string(editRow([]byte(rowsDoc), "notify", 0, "name", `"noon"`)),
			"name = \"x\"\n\n[crawl]\ndepth = 3\n\n# the team\n[[notify]]\nname = \"noon\" # every day\nto = [\n  \"a@b.test\",\n  \"[[notify]]\",\n]\n\n[[notify]]\nname = \"robot\"\n\n# at the end\n[store]\nn = 1\n"},
		{"a key is added to its row", string(editRow([]byte(rowsDoc), "notify", 1, "off", "true")),
			"name = \"x\"\n\n[crawl]\ndepth = 3\n\n# the team\n[[notify]]\nname = \"morning\" # every day\nto = [\n  \"a@b.test\",\n  \"[[notify]]\",\n]\n\n[[notify]]\nname = \"robot\"\noff = true\n\n# at the end\n[store]\nn = 1\n"},
		{"a key is removed", string(removeRowKey([]byte(rowsDoc), "notify", 0, "to")),
			"name = \"x\"\n\n[crawl]\ndepth = 3\n\n# the team\n[[notify]]\nname = \"morning\" # every day\n\n[[notify]]\nname = \"robot\"\n\n# at the end\n[store]\nn = 1\n"},
		{"a row is removed", string(removeRow([]byte(rowsDoc), "notify", 0)),
			"name = \"x\"\n\n[crawl]\ndepth = 3\n\n# the team\n[[notify]]\nname = \"robot\"\n\n# at the end\n[store]\nn = 1\n"},
		{"a row is added behind the last", string(addRow([]byte("[[notify]]\nname = \"a\"\n\n[store]\nn = 1\n"), "notify", "name = \"b\"\n")),
			"[[notify]]\nname = \"a\"\n\n[[notify]]\nname = \"b\"\n\n[store]\nn = 1\n"},
		{"the first row goes to the end", string(addRow([]byte("x = 1\n"), "notify", "name = \"b\"")), "x = 1\n\n[[notify]]\nname = \"b\"\n"},
		{"no such row", string(removeRow([]byte("x = 1\n"), "notify", 0)), "x = 1\n"},
		{"the last line has no end", string(editRow([]byte("[[notify]]\nname = 1"), "notify", 0, "off", "true")), "[[notify]]\nname = 1\noff = true\n"},
		{"a row without keys at the end", string(editRow([]byte("[[notify]]"), "notify", 0, "off", "true")), "[[notify]]\noff = true\n"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
		var doc map[string]any
		if err := toml.Unmarshal([]byte(c.got), &doc); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A valid document is still valid after an edit.
func FuzzRows(f *testing.F) {
	f.Add(rowsDoc, 0)
	f.Add("[[notify]]\nname = '''a\n[[notify]]\n'''\n", 1)
	f.Fuzz(func(t *testing.T, doc string, row int) {
		var was, is struct{ Notify []map[string]any }
		if len(doc) > 4096 || row < 0 || row > 8 || toml.Unmarshal([]byte(doc), &was) != nil {
			return
		}
		if spans := rowsOf([]byte(doc), "notify"); len(spans) != len(was.Notify) {
			return // inline or quoted rows are not edited
		}
		out := removeRow([]byte(doc), "notify", row)
		if err := toml.Unmarshal(out, &is); err == nil && row < len(was.Notify) && len(is.Notify) > len(was.Notify) {
			t.Errorf("%q: %d rows became %d", doc, len(was.Notify), len(is.Notify))
		}
		editRow([]byte(doc), "notify", row, "off", "true")
		addRow([]byte(doc), "notify", "name = 1")
	})
}
