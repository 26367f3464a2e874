package htmldoc

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, before, in, want string }{
		{"white space", "", "\u3000 招标\t\r\n公告\u00a0 ", "招标 公告 "},
		{"none after white space", "a\n", "  b", "a\nb"},
		{"colour", "", "a\x1b[31mb", "ab"},
		{"window title", "", "a\x1b]0;title\x07b\x1b]0;title\x1b\\c", "abc"},
		{"C1 control", "", "a\u009bb", "ab"},
		{"direction", "", "a\u202eb\u2066c", "abc"},
		{"zero width", "", "a\u200bb\ufeffc\u00add", "abcd"},
		{"no UTF-8", "", "a\xffb", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := Fold([]byte(c.before), c.in); string(got) != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFoldCounts(t *testing.T) {
	for in, want := range map[string]textCounts{
		"":           {},
		" \n":        {},
		"招标公告。":      {Chars: 5, Punct: 1},
		"a, b; 第1条，": {Chars: 8, Punct: 3, Digits: true},
	} {
		if _, got := Fold(nil, in); got != want {
			t.Errorf("%q: %+v, want %+v", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"", 3, ""}, {"招标公告", 9, "招标公告"}, {"招标公告", 2, "招标"}, {"a  b\nc ", 9, "a b c"}, {"a\x1b[1mb", 9, "ab"},
	} {
		if got := CleanLine(c.in, c.max); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestSqueeze(t *testing.T) {
	if got := string(Squeeze([]byte("x"), " 招标　公告 （ＡＢ１）\n")); got != "x招标公告(AB1)" {
		t.Errorf("%q", got)
	}
}

func TestTruncated(t *testing.T) {
	for in, want := range map[string]bool{"关于采购…": true, "关于采购...": true, "关于采购..": true, "关于采购.": false, "": false} {
		if IsTruncated(in) != want {
			t.Errorf("%q: %v", in, !want)
		}
	}
}

func TestContainsFold(t *testing.T) {
	if !ContainsFold("a Copyright b", "copyright") || ContainsFold("copyrigh", "copyright") {
		t.Error("copyright is found where it is not, or not where it is")
	}
}

// Cleaned text contains nothing unsafe, and cleaning it again changes nothing.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"a\x1b[31mB", "\x1b]0;t\x07", "招 标\u202e", "\x1b", "\x1bP\x1b", "\xe4\xb8"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		if max < 0 || !utf8.ValidString(s) { // the text of a page is valid
			return
		}
		got := CleanLine(s, max)
		if n := utf8.RuneCountInString(got); n > max || !utf8.ValidString(got) {
			t.Fatalf("%q: %d runes, want at most %d", got, n, max)
		}
		if strings.ContainsFunc(got, IsUnsafe) || strings.Contains(got, "  ") {
			t.Fatalf("%q of %q", got, s)
		}
	})
}

// A set and ContainsHan find each word anywhere, and nothing else, like package strings.
func TestWords(t *testing.T) {
	list := []string{"不存在", "不在了", "丢", "404", "notfound", "版权", "版权所有", "编辑：", "编辑:"}
	set := NewWordSet(list...)
	for _, s := range []string{"", "4", "40", "404", "x404", "40 4", "不在", "不存在", "页面不存在了", "丢", "丢失", "a丢", "版", "版权", "无版权所有人", "编辑:x", " 编辑：", "notfoun", "isnotfound", "\xe4\xb8", "\xb8\xa2丢"} {
		in, begin := false, false
		for _, w := range list {
			in, begin = in || strings.Contains(s, w), begin || strings.HasPrefix(s, w)
			if ContainsHan(s, w) != strings.Contains(s, w) {
				t.Errorf("%q contains %q: %v", s, w, ContainsHan(s, w))
			}
		}
		if set.In(s) != in || set.begin(s) != begin {
			t.Errorf("%q: in %v, begins %v", s, set.In(s), set.begin(s))
		}
	}
}
