package dict

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

const enginesUserWords = "世界石油大会\n鲲鹏九二零 9000 nz\n招标 1000000 vn\n公告 3 n\n"

// ownText is a page written for this test in the words of such pages.
const ownText = `某大学2026年实验室通风柜采购项目招标公告
一、项目名称：化学学院实验室通风柜采购及安装（第二次）
二、采购需求：通风柜 24 台，详见附件；本项目不接受联合体投标，预算金额人民币 86.5 万元。
三、投标人资格要求：具有独立承担民事责任的能力，未被列入失信被执行人名单。
四、获取招标文件的时间：2026年3月2日至3月9日，上午9:00—11:30（北京时间，法定节假日除外）。
五、联系人：张老师　电话：023-55555555　E-mail：zb@example.test
计算机科学技术学院党委组织师生赴石油博物馆开展主题教育，第二十届世界石油大会的展品引起热烈讨论。
图书馆电子阅览室开放时间调整的通知；研究生招生考试考场规则；本科生培养方案（2025级）
关于选用鲲鹏九二零服务器与ＤＮＳ系统升级的公示`

// gseDict is a Dict on gse with user words, loaded once.
var gseDict = sync.OnceValue(func() *Dict {
	return Open(Options{Engine: EngineGse, UserWords: strings.NewReader(enginesUserWords)})
})

func bothEngines(t testing.TB) (flat, gse *Dict) {
	t.Helper()
	if testing.Short() {
		t.Skip("loading gse's dictionary takes seconds")
	}
	flat = Open(Options{Engine: EngineFlat, UserWords: strings.NewReader(enginesUserWords)})
	for _, d := range []*Dict{flat, gseDict()} {
		must(t, d.Err())
	}
	return flat, gseDict()
}

func TestEnginesGiveTheSameWords(t *testing.T) {
	flat, gse := bothEngines(t)
	lines := append(strings.Split(ownText, "\n"), ownSentences...)
	total, same, pos := 0, 0, 0
	for _, line := range lines {
		a, b := flat.Segment(line), gse.Segment(line)
		at := map[Token]bool{}
		where := map[[2]int]bool{}
		for _, x := range a {
			at[x] = true
			where[[2]int{x.Start, x.End}] = true
		}
		for _, x := range b {
			if where[[2]int{x.Start, x.End}] {
				same++
			}
			if at[x] {
				pos++
			}
		}
		total += len(b)
		if f, g := flat.words(line), gse.words(line); !slices.Equal(f, g) {
			t.Errorf("flat %v\ngse  %v", f, g)
		}
	}
	t.Logf("%d words, %.4f at the same place, %.4f with the same part of speech too", total, float64(same)/float64(total), float64(pos)/float64(total))
	if float64(same) < .999*float64(total) || float64(pos) < .999*float64(total) {
		t.Errorf("%d of %d words stand at the same place, %d are also tagged alike", same, total, pos)
	}
}

func TestEnginesKnowTheUserWords(t *testing.T) {
	flat, gse := bothEngines(t)
	for name, d := range map[string]*Dict{"flat": flat, "gse": gse} {
		t.Run(name, func(t *testing.T) {
			pos := map[string]string{}
			for _, k := range d.Segment(ownText) {
				pos[k.Text] = k.POS
			}
			if pos["世界石油大会"] != "x" || pos["鲲鹏九二零"] != "nz" || pos["招标"] != "vn" {
				t.Errorf("tags %q %q %q: user words without a tag are x, a higher frequency brings its tag",
					pos["世界石油大会"], pos["鲲鹏九二零"], pos["招标"])
			}
			for word, want := range map[string]bool{"世界石油大会": true, "ＩＣ卡": true, "石油": true, "世界石油": false, "招标公告啊": false, "": false} {
				if d.known(word) != want {
					t.Errorf("Known(%q) = %v", word, !want)
				}
			}
		})
	}
	if flat.Fingerprint() == gse.Fingerprint() {
		t.Error("pages counted by the one engine pass for counted by the other")
	}
	plain := Open(Options{Engine: EngineFlat})
	if plain.Fingerprint() != Shared().Fingerprint() {
		t.Error("naming the default engine makes every page stale")
	}
}

// TestGseCutsWhileOthersCut: all workers read the engine at once.
func TestGseCutsWhileOthersCut(t *testing.T) {
	_, gse := bothEngines(t)
	want := gse.words(ownText)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if got := gse.words(ownText); !slices.Equal(got, want) {
					t.Errorf("%d words, want %d", len(got), len(want))
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestUnknownEngineIsSaidAndFlatCuts(t *testing.T) {
	d := Open(Options{Engine: "jieba"})
	if err := d.Err(); err == nil || !strings.Contains(err.Error(), `"jieba"`) || !strings.Contains(err.Error(), "flat or gse") {
		t.Errorf("error %v", err)
	}
	if !slices.Contains(d.words("招标公告"), "招标") {
		t.Error("nothing cuts")
	}
}

func BenchmarkCutGse(b *testing.B) {
	_, gse := bothEngines(b)
	b.SetBytes(int64(len(pageText)))
	b.ReportAllocs()
	for b.Loop() {
		gse.words(pageText)
	}
}

func BenchmarkLoadGse(b *testing.B) {
	for b.Loop() {
		before := heap()
		d := Open(Options{Engine: EngineGse})
		must(b, d.Err())
		b.ReportMetric(float64(heap()-before)/(1<<20), "MB")
		if !d.known("招标") {
			b.Fatal("nothing loaded")
		}
	}
}
