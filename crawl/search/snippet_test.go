package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"angler/crawl/filter"
)

func words(list ...string) (out []filter.Word) {
	for _, s := range list {
		out = append(out, filter.Word{Text: s})
	}
	return out
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("别的内容，", 100)
	for name, c := range map[string]struct {
		text  string
		words []filter.Word
		want  string
	}{
		"in the middle":    {long + "南通大学空调采购项目" + long, words("空调", "采购"), "…，南通大学[空调采购]项目别的内容，别的内容…"},
		"where most stand": {"空调。" + long + "空调采购" + long, words("空调", "采购"), "…别的内容，[空调采购]别的内容，别的内容，别…"},
		"at the end":       {long + "ABC 空调", words("空调", "abc"), "…的内容，别的内容，别的内容，[ABC] [空调]"},
		"nowhere":          {"别的\n内容\x1b[31m 到此", words("空调"), "别的 内容 到此"},
		"nothing":          {"", words("空调"), ""},
		"nearly":           {"空凋采购", []filter.Word{{Text: "空调采购", Near: 1}}, "[空凋采购]"},
		"overlapping":      {"世界石油大会", words("世界石油", "石油大会"), "[世界石油大会]"},
	} {
		got, lit := Snippet(c.text, c.words, 20)
		for i := len(lit) - 1; i >= 0; i-- {
			got = got[:lit[i].From] + "[" + got[lit[i].From:lit[i].To] + "]" + got[lit[i].To:]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("世界石油大会\n\x1b[31m", "石油", 0)
	f.Add("ABCabc", "abd", 1)
	f.Add("A\x86Cab\x86", "ab\xcc", 1)
	f.Fuzz(func(t *testing.T, text, word string, near int) {
		if near < 0 || near > 2 || utf8.RuneCountInString(word) < 2+near || utf8.RuneCountInString(word) > 63 {
			return
		}
		s, lit := Snippet(text, []filter.Word{{Text: strings.ToLower(word), Near: near}}, 30)
		end := 0
		for _, l := range lit {
			if l.From < end || l.To <= l.From || l.To > len(s) {
				t.Fatalf("%q of %q: %v", word, s, lit)
			}
			end = l.To
		}
	})
}
