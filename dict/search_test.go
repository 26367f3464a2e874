package dict

import (
	"slices"
	"strings"
	"testing"
)

func cutSearch(d *Dict, text string) (out []string) {
	d.CutSearch(text, func(w []byte) { out = append(out, string(w)) })
	return out
}

func TestCutSearch(t *testing.T) {
	plain := Open(Options{})
	with := Open(Options{UserWords: strings.NewReader("世界石油大会\n")})
	for _, c := range []struct {
		name string
		d    *Dict
		text string
		want []string
	}{
		{"words", plain, "世界石油大会召开", []string{"世界", "石油", "大会", "召开"}},
		{"a term is one word, and its parts stay", with, "世界石油大会召开", []string{"世界", "石油", "大会", "世界石油大会", "召开"}},
		{"parts of a long word", plain, "南京长江大桥", []string{"南京", "长江", "大桥", "南京长江大桥"}},
		{"folded, without signs", plain, "《ＡＢＣ-12》", []string{"abc", "12"}},
		{"nothing", plain, "，。", nil},
	} {
		got := cutSearch(c.d, c.text)
		slices.Sort(got)
		want := slices.Clone(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
	if got := with.Plain("世界石油大会"); !slices.Equal(got, []string{"世界", "石油", "大会"}) {
		t.Errorf("without terms: %q", got)
	}
}
