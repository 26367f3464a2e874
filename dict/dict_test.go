package dict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/simplifiedchinese"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"content words", "关于采购实验室通风柜的招标公告", "采购 实验室 通风柜 招标 公告"},
		{"single characters, digits and punctuation go", "我 买 3 台，共2026元。", ""},
		{"full width becomes half width, capitals small", "ＩＢＭ　Server采购", "ibm server 采购"},
		{"letters with digits stay", "华为mate60手机", "华为 mate60 手机"},
		{"zero-width characters do not split", "招\u200b标公\u00ad告", "招标 公告"},
		{"compatibility forms", "ﬁle㈱", "file"},
		{"hashes and keys go", strings.Repeat("a1", 40), ""},
		{"words do not reach over lines", "招\n标", ""},
		{"stop words go", "首页 上一页 我们 the", ""},
		{"nothing", "", ""},
		{"broken UTF-8", "招标\xff\xfe公告", "招标 公告"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Shared().words(c.text), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestSegmentKeepsPlacesInTheSource(t *testing.T) {
	text := "ＡＢ公司　中标。\n℃与招标"
	tokens := Shared().Segment(text)
	var got []string
	for _, k := range tokens {
		got = append(got, fmt.Sprintf("%s=%s/%s", k.Text, text[k.Start:k.End], k.POS))
	}
	want := []string{"ab=ＡＢ/x", "公司=公司/n", "中标=中标/n", "。=。/x", "°=℃/x", "c=℃/x", "与=与/p", "招标=招标/n"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestUserWords(t *testing.T) {
	const text = "第二十届世界石油大会开幕"
	if slices.Contains(Shared().words(text), "世界石油大会") {
		t.Fatal("the base dictionary holds the word already")
	}
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("世界石油大会 nz\n世界石油大会\n")
	must(t, err)
	for _, c := range []struct {
		name, list string
		problems   []string
	}{
		{"word only", "世界石油大会", nil},
		{"with frequency and part of speech", "\ufeff世界石油大会 5000 nz\r\n", nil},
		{"GBK and a bad line", gbk, []string{`user words line 1: frequency "nz" is not a number`}},
		{"bad lines among good ones", strings.Join([]string{
			"石油 多 n", "一 二 三 四", "", "世界石油大会 2000 nz", "坏\x01字 3 n", "石油 NaN n", "石油 0 n", "石油 3 <b>",
			strings.Repeat("长", 40),
		}, "\n"), []string{
			`user words line 1: frequency "多" is not a number`,
			"user words line 2: want word, frequency and part of speech, got 4 fields",
			`user words line 5: word "坏\x01字" holds a character that cannot be shown`,
			`user words line 6: frequency "NaN" is not a number`,
			`user words line 7: frequency "0" is not between 1 and 1000000000`,
			`user words line 8: part of speech "<b>" is not 1 to 8 letters`,
			"user words line 9: word of 40 characters, at most 32 are allowed",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Open(Options{UserWords: strings.NewReader(c.list)})
			must(t, d.Err())
			var problems []string
			for _, p := range d.Problems() {
				problems = append(problems, p.String())
			}
			if !slices.Equal(problems, c.problems) {
				t.Errorf("problems\n%s\nwant\n%s", strings.Join(problems, "\n"), strings.Join(c.problems, "\n"))
			}
			if words := d.words(text); !slices.Contains(words, "世界石油大会") {
				t.Errorf("words %v", words)
			}
			if d.Fingerprint() == Shared().Fingerprint() {
				t.Error("the fingerprint does not tell the user word")
			}
		})
	}
}

func TestPartOfSpeechOfUserWords(t *testing.T) {
	d := Open(Options{UserWords: strings.NewReader("世界石油大会 9000 nz\n鲲鹏九二零")})
	pos := map[string]string{}
	for _, k := range d.Segment("世界石油大会用鲲鹏九二零") {
		pos[k.Text] = k.POS
	}
	if pos["世界石油大会"] != "nz" || pos["鲲鹏九二零"] != "x" {
		t.Errorf("%v", pos)
	}
}

func TestStopWords(t *testing.T) {
	d := Open(Options{StopWords: strings.NewReader("# ours\n招标\nＳＥＲＶＥＲ\n" + strings.Repeat("长", 99))})
	if got := d.words("server 招标 公告"); !slices.Equal(got, []string{"公告"}) {
		t.Errorf("%v", got)
	}
	if ps := d.Problems(); len(ps) != 1 || ps[0].File != "stop words" || ps[0].Line != 4 {
		t.Errorf("problems %v", ps)
	}
	if !slices.Contains(Shared().words("招标"), "招标") {
		t.Error("one dictionary's stop words reached another")
	}
}

func TestUnreadableListsAreReportedAndTheRestWorks(t *testing.T) {
	broken := errors.New("disk on fire")
	d := Open(Options{UserWords: io.MultiReader(strings.NewReader("世界石油大会\n"), iotest.ErrReader(broken))})
	if err := d.Wait(context.Background()); !errors.Is(err, broken) || !strings.Contains(err.Error(), "user words") {
		t.Errorf("error %v", err)
	}
	if !slices.Contains(d.words("世界石油大会"), "世界石油大会") {
		t.Error("what was read before the error is not in use")
	}
}

func TestBinaryListIsNotReportedLineByLine(t *testing.T) {
	d := Open(Options{UserWords: strings.NewReader(strings.Repeat("\x00\x01 x\n", 5000))})
	if n := len(d.Problems()); n == 0 || n > maxProblems+1 {
		t.Errorf("%d problems", n)
	}
}

func TestWaitGivesUpWithItsContext(t *testing.T) {
	block, unblock := io.Pipe()
	d := Open(Options{UserWords: block})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v while loading, want canceled", err)
	}
	unblock.Close()
	<-d.Ready()
	if err := d.Wait(context.Background()); err != nil {
		t.Errorf("error %v after loading", err)
	}
}

func counts(d *Dict, lex *Lexicon, text string) map[string]uint32 {
	var c Counter
	d.Count(lex, text, &c)
	out := map[string]uint32{}
	last := -1
	c.Each(func(id, n uint32) {
		if int(id) <= last {
			panic("ids are not ascending")
		}
		last = int(id)
		out[lex.Word(id)] = n
	})
	return out
}

// TestCountEqualsWords counts twice with a cache so small that blocks are evicted, and compares
// with words.
func TestCountEqualsWords(t *testing.T) {
	texts := append(slices.Clone(ownSentences), pageText, pageText[:3000], strings.Repeat("采购公告\n", 300))
	for _, size := range []int{-1, 32, 64, 0} {
		d := Open(Options{Cache: size})
		lex := NewLexicon([]string{"公告"})
		for range 2 {
			for _, text := range texts {
				want := map[string]uint32{}
				for _, w := range d.words(text) {
					want[w]++
				}
				got := counts(d, lex, text)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("cache %d, %.30q: %v, want %v", size, text, got, want)
				}
			}
		}
		if id, ok := lex.Lookup("公告"); !ok || id != 0 {
			t.Errorf("公告 has id %d, %v; it came first", id, ok)
		}
	}
}

func TestCacheKeepsLexiconsApart(t *testing.T) {
	d := Open(Options{})
	a, b := NewLexicon(nil), NewLexicon([]string{"甲", "乙", "丙"})
	first := counts(d, a, "采购公告")
	if second := counts(d, b, "采购公告"); fmt.Sprint(second) != fmt.Sprint(first) {
		t.Errorf("second lexicon %v, first %v", second, first)
	}
}

func TestCounterStartsAfresh(t *testing.T) {
	var c Counter
	c.Add(5, 2)
	c.Add(NoWord, 9)
	c.Reset()
	c.Add(6, 1)
	if c.Len() != 1 {
		t.Errorf("%d words", c.Len())
	}
	c.Add(6, math.MaxUint32)
	c.Each(func(id, n uint32) {
		if id != 6 || n != math.MaxUint32 {
			t.Errorf("word %d counted %d: it must stop at the top, not start over", id, n)
		}
	})
}

func TestLexicon(t *testing.T) {
	l := NewLexicon([]string{"采购", "招标", "采购"})
	if l.Len() != 3 || l.Intern("招标") != 1 || l.Intern("采购") != 0 || l.Intern("中标") != 3 {
		t.Errorf("ids moved: %v", l.Since(0))
	}
	if got := l.Since(2); !slices.Equal(got, []string{"采购", "中标"}) {
		t.Errorf("since 2: %v", got)
	}
	if l.Since(9) != nil || l.Since(-1) != nil || l.Word(9) != "" {
		t.Error("ids that do not exist have words")
	}
	if _, ok := l.Lookup("投标"); ok || l.Len() != 4 {
		t.Error("Lookup entered a word")
	}
}

// TestLexiconUnderConcurrentUse lets many goroutines add the same new words in different order;
// every word must get one id and every id its word.
func TestLexiconUnderConcurrentUse(t *testing.T) {
	l := NewLexicon(nil)
	d := Shared()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			var c Counter
			for i := range 300 {
				d.Count(l, fmt.Sprintf("word%c%c 采购%c公告", 'a'+(i*(g+1))%26, 'a'+i%26, 'a'+i%26), &c)
				l.Intern(fmt.Sprint("own", i))
				if w := l.Since(max(l.Len()-3, 0)); slices.Contains(w, "") {
					t.Error("an id without a word was visible")
				}
			}
		})
	}
	wg.Wait()
	for id, w := range l.Since(0) {
		if got, ok := l.Lookup(w); !ok || got != uint32(id) || l.Word(got) != w {
			t.Errorf("%q has id %d and %d", w, id, got)
		}
	}
}

func TestHugeLineIsCutInPieces(t *testing.T) {
	text := strings.Repeat("采购公告", 60_000) // 720 KB without a break
	c := counts(Open(Options{}), NewLexicon(nil), text)
	// Each piece may split one word.
	if c["采购"] < 59_950 || c["公告"] < 59_950 {
		t.Errorf("%v", c)
	}
}

// TestOwnStopWordsOccur checks that every stop word is in the form in which text is cut; any other
// form never matches.
func TestOwnStopWordsOccur(t *testing.T) {
	for w := range ownStopWords() {
		var parts []string
		for _, k := range Shared().Segment(w) {
			parts = append(parts, k.Text)
		}
		if len(parts) != 1 || parts[0] != w {
			t.Errorf("stop word %q is cut as %q", w, parts)
		}
	}
}

func FuzzReadWords(f *testing.F) {
	f.Add([]byte("世界石油大会 5000 nz\n\xca\xaf 3\n# x\n"))
	f.Add([]byte("a\x00b 1e309 n\n\xff\xfe\n４Ｓ店 2"))
	f.Fuzz(func(t *testing.T, list []byte) {
		d := Open(Options{UserWords: strings.NewReader(string(list)), StopWords: strings.NewReader(string(list)), Cache: -1})
		must(t, d.Err())
		lines := strings.Count(string(list), "\n") + 1
		for _, p := range d.Problems() {
			if p.Line < 1 || p.Line > lines || p.Reason == "" {
				t.Errorf("problem %+v of %d lines", p, lines)
			}
		}
		d.words(string(list))
	})
}

func FuzzSegment(f *testing.F) {
	for _, s := range ownSentences {
		f.Add(s)
	}
	f.Add("e\u0301\u0301\u0301 ﷺ \u202e招标\xf0\x9f\x98")
	d := Shared()
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, k := range d.Segment(text) {
			if k.Start < last || k.End <= k.Start || k.End > len(text) || k.Text == "" {
				t.Fatalf("token %+v of %d bytes, the one before began at %d", k, len(text), last)
			}
			last = k.Start
		}
		for _, w := range d.words(text) {
			if w == "" {
				t.Error("empty word")
			}
		}
	})
}

// pageText is a made-up page text of 13 KB: navigation, records, running text.
var pageText = func() string {
	var sb strings.Builder
	sb.WriteString("学校首页\n机构设置\n采购公告\n中标公告\n规章制度\n办事指南\n")
	places := []string{"计算机学院", "化学化工学院", "后勤保障部", "图书馆", "附属医院", "国际交流中心"}
	things := []string{"实验室通风柜", "高性能计算服务器", "教学楼外墙维修工程", "图书资源数据库", "校园网络安全设备", "学生公寓空调"}
	for i := 0; sb.Len() < 13<<10; i++ {
		sb.WriteString(places[i%6] + things[(i*5+i/6)%6] + "采购项目竞争性磋商公告 2026-03-12\n")
		if i%4 == 0 {
			sb.WriteString("本项目采用公开招标方式，投标人应当具备独立承担民事责任的能力，并在规定时间内递交投标文件。\n")
		}
	}
	return sb.String()
}()

func BenchmarkLoad(b *testing.B) {
	before := heap()
	t, err := unpackBase()
	must(b, err)
	b.Logf("%.1f MB heap for %d words", float64(heap()-before)/(1<<20), t.words)
	runtime.KeepAlive(t)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := unpackBase(); err != nil {
			b.Fatal(err)
		}
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkCut(b *testing.B) {
	d := Shared()
	<-d.Ready()
	sc := new(scratch)
	b.SetBytes(int64(len(pageText)))
	for b.Loop() {
		eachBlock(pageText, func(_ int, block string) { d.cut(sc, block) })
	}
}

func BenchmarkCount(b *testing.B) {
	for name, cache := range map[string]int{"fresh": -1, "seen": 0} {
		b.Run(name, func(b *testing.B) {
			d := Open(Options{Cache: cache})
			lex := NewLexicon(nil)
			var c Counter
			d.Count(lex, pageText, &c)
			b.SetBytes(int64(len(pageText)))
			b.ReportAllocs()
			for b.Loop() {
				c.Reset()
				d.Count(lex, pageText, &c)
			}
		})
	}
}

func TestReadList(t *testing.T) {
	words, bad, err := ReadList(strings.NewReader("\ufeff# ours\r\n招标公告\t120\r\n\n ＩＣ卡 \n" + strings.Repeat("长", 40) + "\n坏\x01字\n"))
	if err != nil || !slices.Equal(words, []string{"招标公告", "ic卡"}) {
		t.Errorf("%q, %v", words, err)
	}
	if len(bad) != 2 || bad[0].Line != 5 || bad[1].Line != 6 {
		t.Errorf("skipped %v", bad)
	}
}
