package config

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

func TestEditList(t *testing.T) {
	const own = "# head\nseeds = [ # first\n  # of the city\n  'http://a/', # ours\n  \"http://b/\",\n] # end\n\n[scope]\nkind = 'site'\n"
	for _, c := range []struct {
		name, doc string
		items     []string
		want      string // new lines of the list; "": impossible
	}{
		{"added", own, []string{"http://a/", "http://b/", "http://c/"}, strings.Replace(own, "] # end", "  'http://c/',\n] # end", 1)},
		{"taken out", own, []string{"http://b/"}, strings.Replace(own, "  'http://a/', # ours\n", "", 1)},
		{"both", own, []string{"http://a/", "http://c/"}, strings.Replace(own, "  \"http://b/\",\n", "  'http://c/',\n", 1)},
		{"all out", own, nil, "# head\nseeds = [ # first\n  # of the city\n] # end\n\n[scope]\nkind = 'site'\n"},
		{"empty", "seeds = []\n", []string{"x"}, "seeds = [\n  'x',\n]\n"},
		{"one line", "seeds = ['a', 'b']\n", []string{"a", "b", "c"}, "seeds = ['a', 'b',\n  'c',\n]\n"},
		{"one line, the middle out", "seeds = ['a', 'b', 'c']\n", []string{"a", "c"}, "seeds = ['a',  'c']\n"},
		{"another order", own, []string{"http://b/", "http://a/"}, ""},
		{"no list", "seeds = 1\n", []string{"x"}, ""},
		{"numbers", "seeds = [1]\n", []string{"x"}, ""},
		{"missing", "name = 'x'\n", []string{"x"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := editList([]byte(c.doc), "seeds", c.items)
			if ok != (c.want != "") || ok && string(got) != c.want {
				t.Errorf("%v\n%s\nwant\n%s", ok, got, c.want)
			}
		})
	}
}

func FuzzEditList(f *testing.F) {
	f.Add("seeds = [ 'a', # x\n 'b' ]\n", "a", "c")
	f.Add("seeds = [\n\"a\\\"\",]", "a\"", "")
	f.Fuzz(func(t *testing.T, doc, one, two string) {
		var before struct{ Seeds []string }
		if toml.Unmarshal([]byte(doc), &before) != nil || !utf8.ValidString(one) || !utf8.ValidString(two) { // no TOML holds what is no text
			return
		}
		items := []string{one, two}
		got, ok := editList([]byte(doc), "seeds", items)
		if !ok {
			return
		}
		var after struct{ Seeds []string }
		if err := toml.Unmarshal(got, &after); err != nil {
			t.Fatalf("%v: %q", err, got)
		}
		if !slices.Equal(after.Seeds, items) {
			t.Fatalf("%q holds %q; want %q", got, after.Seeds, items)
		}
	})
}
