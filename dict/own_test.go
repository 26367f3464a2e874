package dict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// gseOwnWords adds gse to the engines of enginesWith; heavy_test.go sets it.
var gseOwnWords = false

// enginesWith opens the default engine with further words, and gse if gseOwnWords is set: its
// dictionary takes a second to load.
func enginesWith(t testing.TB, words string) map[string]*Dict {
	t.Helper()
	engines := map[string]*Dict{EngineFlat: Open(Options{UserWords: strings.NewReader(words)})}
	if gseOwnWords {
		engines[EngineGse] = Open(Options{Engine: EngineGse, UserWords: strings.NewReader(words)})
	}
	for name, d := range engines {
		if err := d.Err(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return engines
}

// TestOwnWordsWin: a word without a frequency is cut whole wherever it occurs.
func TestOwnWordsWin(t *testing.T) {
	const words = "硕士研究生\n研究生招生办\n士研究\n生招\n招考\nic卡\nc++\n大学\nＡＢＣ项目\n采购 5 n\n"
	for name, d := range enginesWith(t, words) {
		for _, c := range []struct{ why, text, want string }{
			{"neighbours that make longer words", "硕士研究生招生简章", "硕士研究生 招生简章"},
			{"the dictionary's 大学生 covers it", "大学生就业", "大学 生 就业"},
			{"the longest of three that overlap", "硕士研究生招生办公室", "硕士 研究生招生办 公室"},
			{"of equal length the leftmost", "生招考", "生招 考"},
			{"twice, with nothing between", "硕士研究生硕士研究生", "硕士研究生 硕士研究生"},
			{"at the ends of a line", "大学的硕士研究生", "大学 的 硕士研究生"},
			{"with punctuation in it", "用c++写程序", "用 c++ 写 程序"},
			{"not inside a Latin word", "basic卡与IC卡", "basic 卡 与 ic卡"},
			{"not at the end of a Latin word", "与abc项目与xabc项目", "与 abc项目 与 xabc 项目"},
			{"full width, capitals and zero-width characters", "ＩＣ卡和硕\u200b士研究生", "ic卡 和 硕士研究生"},
			{"not across a line's end", "硕士研\n究生", "硕士 研 究 生"},
			{"a word with a frequency competes", "采购员", "采购员"},
		} {
			if got := strings.Join(allWords(d, c.text), " "); got != c.want {
				t.Errorf("%s: %s: %q is cut as %q, want %q", name, c.why, c.text, got, c.want)
			}
		}
	}
}

// TestOwnWordsInEveryText puts words before and after every line of real texts: both engines return
// each of them whole.
func TestOwnWordsInEveryText(t *testing.T) {
	own := []string{"硕士研究生", "公开招标", "竞争性磋商公告", "成交结果"}
	for name, d := range enginesWith(t, strings.Join(own, "\n")) {
		lines := append(treebank(t), strings.Split(ownText+"\n"+pageText, "\n")...)
		for i, line := range lines {
			word := own[i%len(own)]
			for _, text := range []string{line + word, word + line} {
				found := 0
				for _, k := range d.Segment(text) {
					if k.Text == word {
						found++
					}
				}
				if want := strings.Count(foldWord(text), word); found != want {
					t.Fatalf("%s: %s stands %d times in %q and is found %d times", name, word, want, text, found)
				}
			}
		}
	}
}

func TestOwnWordsKeepTheirPartOfSpeech(t *testing.T) {
	for name, d := range enginesWith(t, "招标\n硕士研究生\n世界石油大会 9 nz\n世界石油大会\n") {
		pos := map[string]string{}
		for _, k := range d.Segment("招标硕士研究生世界石油大会") {
			pos[k.Text] = k.POS
		}
		base, _ := d.engine.find("招标")
		if base == "x" || pos["招标"] != base || pos["硕士研究生"] != "x" || pos["世界石油大会"] != "nz" {
			t.Errorf("%s: %v; a word of the dictionary keeps its tag (%s), a listed one the tag it was given", name, pos, base)
		}
		if !d.known("硕士研究生") || !d.known("招标") || d.known("硕士研究") {
			t.Errorf("%s: what is known is wrong", name)
		}
	}
}

// TestOwnWordsTouchNothingElse: text between own words is cut as without them.
func TestOwnWordsTouchNothingElse(t *testing.T) {
	for name, d := range enginesWith(t, "竞争性磋商公告\n") {
		plain := func(s string) []string { return allWords(Shared(), s) }
		if name == EngineGse {
			plain = func(s string) []string { return gseWords(gseReference(t), s) }
		}
		for _, line := range strings.Split(pageText, "\n") {
			before, after, found := strings.Cut(line, "竞争性磋商公告")
			want := plain(before)
			if found {
				want = slices.Concat(want, []string{"竞争性磋商公告"}, plain(after))
			}
			if got := allWords(d, line); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

// TestOwnWordsMakePagesStale: an earlier program cut them differently, so its counts are outdated;
// pages without such words stay.
func TestOwnWordsMakePagesStale(t *testing.T) {
	of := func(list string) uint64 { return Open(Options{UserWords: strings.NewReader(list)}).Fingerprint() }
	if of("甲乙 7") == of("甲乙") || of("甲乙 7") == of("甲乙 8") {
		t.Error("a fingerprint does not tell the frequency")
	}
	if of("") != Shared().Fingerprint() {
		t.Error("an empty list makes every page stale")
	}
}

// FuzzOwn compares the search with a plain one: every place of every word, longest first, then
// leftmost.
func FuzzOwn(f *testing.F) {
	f.Add("ab", "ba", "aba", "abab ab aba 甲ab")
	f.Add("硕士研究生", "研究生", "生招", "硕士研究生招生研究生")
	f.Add("招\u0301", "c+", "ic卡", "招\u0301标c++与ic卡")
	f.Fuzz(func(t *testing.T, a, b, c, text string) {
		d := Open(Options{UserWords: strings.NewReader(strings.Join([]string{a, b, c}, "\n")), Cache: -1})
		<-d.Ready()
		if d.own == nil || len(text) > 2000 {
			return
		}
		sc := new(scratch)
		sc.fold(text)
		got := ""
		for _, w := range d.own.find(sc) {
			got += fmt.Sprint(w.start, "-", w.end, " ")
		}
		if want := slowly(d.own, sc.runes); got != want {
			t.Fatalf("%q %q %q in %q: %s, want %s", a, b, c, text, got, want)
		}
	})
}

func slowly(o *own, runes []rune) (out string) {
	taken := make([]bool, len(runes))
	ends := make([]int, len(runes))
	for length := maxWordRunes; length > 0; length-- {
		for i := 0; i+length <= len(runes); i++ {
			e := i + length
			torn := i > 0 && latin(runes[i-1]) && latin(runes[i]) || e < len(runes) && latin(runes[e-1]) && latin(runes[e])
			if torn || o.words.find(string(runes[i:e])) == 0 || slices.Contains(taken[i:e], true) {
				continue
			}
			ends[i] = e
			for k := i; k < e; k++ {
				taken[k] = true
			}
		}
	}
	for i, e := range ends {
		if e > 0 {
			out += fmt.Sprint(i, "-", e, " ")
		}
	}
	return out
}

// BenchmarkCutOwn cuts a page with 500 own words, some of which occur.
func BenchmarkCutOwn(b *testing.B) {
	var list strings.Builder
	for i := range 500 {
		fmt.Fprintf(&list, "%c%c采购\n", 0x4e00+i*7, 0x5e00+i*3)
	}
	d := Open(Options{UserWords: strings.NewReader(list.String() + "竞争性磋商公告\n公开招标\n")})
	<-d.Ready()
	sc := new(scratch)
	b.SetBytes(int64(len(pageText)))
	b.ReportAllocs()
	for b.Loop() {
		eachBlock(pageText, func(_ int, block string) { d.cut(sc, block) })
	}
}
