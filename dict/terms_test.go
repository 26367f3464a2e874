package dict

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest/realpages"
)

func collector(t testing.TB, o TermOptions) *Collector {
	t.Helper()
	c, err := New(Shared(), o)
	must(t, err)
	return c
}

func find(terms []Term, word string) (Term, bool) {
	i := slices.IndexFunc(terms, func(t Term) bool { return t.Word == word })
	if i < 0 {
		return Term{}, false
	}
	return terms[i], true
}

// TestCValue checks a count by hand: 世界石油大会 occurs six times, 石油大会 once more alone and so
// seven times in all, 石油大会展品 once.
func TestCValue(t *testing.T) {
	c := collector(t, TermOptions{MinCount: 1})
	for i := range 6 {
		c.Add(fmt.Sprintf("第%d次：世界石油大会，已经结束。", i))
	}
	c.Add("石油大会。\n石油大会展品。")
	got := c.Terms(0, .001)
	for _, want := range []Term{
		{Word: "世界石油大会", POS: "n+n+n", Count: 6, Pages: 6, Inside: 0, CValue: math.Log2(6) * 6},
		// in 世界石油大会 (6) and 石油大会展品 (1)
		{Word: "石油大会", POS: "n+n", Count: 8, Pages: 7, Inside: 2, CValue: math.Log2(4) * (8 - (6+1)/2.)},
		{Word: "石油大会展品", POS: "n+n+n", Count: 1, Pages: 1, Inside: 0, CValue: math.Log2(6)},
	} {
		term, ok := find(got, want.Word)
		if !ok || term.POS != want.POS || term.Count != want.Count || term.Pages != want.Pages || term.Inside != want.Inside || math.Abs(term.CValue-want.CValue) > 1e-12 {
			t.Errorf("%+v\nwant %+v", term, want)
		}
	}
	if world, ok := find(got, "世界石油"); ok {
		t.Errorf("世界石油 never stands without 大会: %+v", world)
	}
	if got[0].Word != "世界石油大会" || !slices.IsSortedFunc(got, func(a, b Term) int { return int(math.Copysign(1, b.CValue-a.CValue)) }) {
		t.Errorf("first %q", got[0].Word)
	}
	if top := c.Terms(1, .001); len(top) != 1 || top[0].Word != got[0].Word {
		t.Errorf("the first term is %v", top)
	}
}

func TestWhatIsNoTerm(t *testing.T) {
	for _, c := range []struct{ name, line, word string }{
		{"across punctuation", "石油、大会", "石油大会"},
		{"across white space", "石油 大会", "石油大会"},
		{"a word of the dictionary", "高等教育", "高等教育"},
		{"with a stop word", "首页公告", "首页公告"},
		{"a pattern that is not allowed", "迅速发展", "迅速发展"},
		{"with a number", "石油2026大会", "石油2026大会"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := collector(t, TermOptions{})
			for i := range 9 {
				k.Add(fmt.Sprintf("%s。（%d）", c.line, i))
			}
			if term, ok := find(k.Terms(0, 0), c.word); ok {
				t.Errorf("%+v", term)
			}
		})
	}
}

func TestRepeatedLinesCountOnce(t *testing.T) {
	c := collector(t, TermOptions{})
	for range 50 {
		c.Add("石油大会网站导航\n联系石油大会")
	}
	if term, ok := find(c.Terms(0, 0), "石油大会"); ok && term.Count > 2 {
		t.Errorf("a menu on 50 pages counts %d times", term.Count)
	}
	if c.Pages() != 50 {
		t.Errorf("%d pages", c.Pages())
	}
}

func TestExamplesShowThePlace(t *testing.T) {
	c := collector(t, TermOptions{Examples: 2})
	for i := range 5 {
		c.Add(fmt.Sprintf("%d　我们参观了博物馆以后讨论了　世界石油大会　的展品，大家都说很好看，明年再来。", i))
	}
	term, _ := find(c.Terms(0, 0), "世界石油大会")
	if len(term.Examples) != 2 {
		t.Fatalf("%d examples: %q", len(term.Examples), term.Examples)
	}
	if e := term.Examples[0]; !strings.Contains(e, "讨论了 世界石油大会 的展品") || strings.Contains(e, "明年") {
		t.Errorf("example %q", e)
	}
	none := collector(t, TermOptions{Examples: -1})
	none.Add("石油大会甲\n石油大会乙\n石油大会丙")
	if term, ok := find(none.Terms(0, 0), "石油大会"); !ok || len(term.Examples) > 0 {
		t.Errorf("no examples were wanted: %+v", term)
	}
}

func TestOptions(t *testing.T) {
	feed := func(o TermOptions, threshold float64) []Term {
		c := collector(t, o)
		for i := range 4 {
			c.Add(fmt.Sprintf("石油大会。采购项目。竞争性磋商公告。%d", i))
		}
		return c.Terms(0, threshold)
	}
	for _, c := range []struct {
		name string
		o    TermOptions
		over float64 // the threshold
		want string
		has  bool
	}{
		{"default", TermOptions{}, 0, "石油大会", true},
		{"a verb is not in the default patterns", TermOptions{}, 0, "采购项目", false},
		{"the analyst's patterns", TermOptions{Patterns: []string{"v + n"}}, 0, "采购项目", true},
		{"only the analyst's patterns", TermOptions{Patterns: []string{"v+n"}}, 0, "石油大会", false},
		{"classes of tags", TermOptions{Patterns: []string{"n*+v*+n*"}}, 0, "竞争性磋商公告", true},
		{"threshold", TermOptions{}, 8, "石油大会", false},
		{"threshold is exceeded, not met", TermOptions{}, 7.9, "石油大会", true},
		{"occurrences", TermOptions{MinCount: 5}, 0, "石油大会", false},
		{"no sense, no change", TermOptions{MinCount: -1, Limit: -5}, math.NaN(), "石油大会", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, ok := find(feed(c.o, c.over), c.want); ok != c.has {
				t.Errorf("%s found: %v, want %v", c.want, ok, c.has)
			}
		})
	}
}

func TestBadPatterns(t *testing.T) {
	for _, p := range []string{"", "n", "n+n+n+n+n+n", "n+", "n+1", "*+n", "名词+n"} {
		if _, err := New(Shared(), TermOptions{Patterns: []string{"n+n", p}}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", p)) {
			t.Errorf("pattern %q: error %v", p, err)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add("n+vn*+n", "n")
	f.Add("n+ n", "++")
	f.Fuzz(func(t *testing.T, pattern, tag string) {
		root, err := compile([]string{pattern})
		if err != nil {
			return
		}
		alive, end, steps := []*node{root}, false, 0
		for ; len(alive[0].edges) > 0; steps++ {
			alive, end = termStep(alive, alive[0].edges[0].tag, nil) // the only way on
		}
		if after, _ := termStep(alive, tag, nil); len(after) > 0 {
			t.Fatalf("%q goes on after its end", pattern)
		}
		if !end || steps != strings.Count(pattern, "+")+1 {
			t.Fatalf("%q ends after %d steps: %v", pattern, steps, end)
		}
	})
}

// TestMemoryIsBounded adds more candidates than there is space for: the frequent one stays, and its
// count lacks at most the dropped ones.
func TestMemoryIsBounded(t *testing.T) {
	c := collector(t, TermOptions{Limit: 100})
	nouns := strings.Fields("石油 大会 世界 学院 实验室 公告 能源 产业 工艺 计算机 集团 天然气 政府 项目 教师 设备")
	n := 0
	for _, x := range nouns {
		for _, y := range nouns {
			n++
			c.Add(fmt.Sprintf("%s%s。研究生学院公告（%d）", x, y, n))
			if len(c.found) > c.o.Limit+20 {
				t.Fatalf("%d candidates", len(c.found))
			}
		}
	}
	k := c.found["研究生 学院 公告"]
	if c.Forgotten() == 0 || k == nil || k.count > n || k.count < n-c.Forgotten() {
		t.Errorf("forgotten up to %d of %d, counted %+v", c.Forgotten(), n, k)
	}
}

// TestAcceptedTermBecomesAWord: an accepted term is cut as one word and not proposed again.
func TestAcceptedTermBecomesAWord(t *testing.T) {
	const text = "第二十届世界石油大会在北京开幕。"
	c := collector(t, TermOptions{})
	for i := range 3 {
		c.Add(fmt.Sprint(text, i))
	}
	term, ok := find(c.Terms(0, 0), "世界石油大会")
	if !ok {
		t.Fatal("not found")
	}
	d := Open(Options{UserWords: strings.NewReader(term.Word)})
	if !slices.Contains(d.words(text), term.Word) {
		t.Errorf("cut into %v", d.words(text))
	}
	again, err := New(d, TermOptions{})
	must(t, err)
	for i := range 3 {
		again.Add(fmt.Sprint(text, i))
	}
	if _, ok := find(again.Terms(0, 0), term.Word); ok {
		t.Error("proposed again")
	}
}

func FuzzAdd(f *testing.F) {
	f.Add("世界石油大会，石油大会展品\n℃与ＡＢＣ公司\x00\xff\n")
	f.Add(strings.Repeat("石油大会", 300))
	f.Fuzz(func(t *testing.T, text string) {
		c := collector(t, TermOptions{MinCount: 1, Patterns: []string{"n*+n*", "n*+n*+n*", "x+x", "x+n*", "v*+n*+x"}})
		c.Add(text)
		c.Add(text + "x")
		for _, term := range c.Terms(0, 0) {
			if math.IsNaN(term.CValue) || term.CValue <= 0 || strings.Join(term.Segments, "") != term.Word || term.Count < 1 || term.Pages < 1 {
				t.Fatalf("%+v", term)
			}
		}
	})
}

// TestTermsOfRealSites reads the main texts of three university sites and checks the best terms:
// each must consist of nouns, and a good part of the first ones must be fit for a word list.
func TestTermsOfRealSites(t *testing.T) {
	c := collector(t, TermOptions{})
	for _, text := range siteTexts(t) {
		c.Add(text)
	}
	terms := c.Terms(40, 0)
	for _, term := range terms {
		t.Logf("%8.1f %4d× %3d pages, in %2d longer: %s (%s) %q", term.CValue, term.Count, term.Pages, term.Inside, strings.Join(term.Segments, "|"), term.POS, term.Examples[:1])
	}
	for _, want := range []string{"计算机科学技术学院", "硕士研究生"} {
		if _, ok := find(terms, want); !ok && !Shared().known(want) {
			t.Errorf("%s is not among the first %d", want, len(terms))
		}
	}
}

// siteTexts are titles and main texts of three university sites.
func siteTexts(t testing.TB) (texts []string) {
	for _, site := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		raw, err := os.ReadFile(realpages.Path(t, "sites", site, "GOLD.jsonl"))
		must(t, err)
		for row := range strings.Lines(string(raw)) {
			var gold struct{ Title, Text string }
			must(t, json.Unmarshal([]byte(row), &gold))
			texts = append(texts, gold.Title+"\n"+gold.Text)
		}
	}
	return texts
}

// TestAcceptedTermsAreWholeOnRealSites accepts the best terms of three sites and checks that they
// are whole at every place that no longer term covers.
func TestAcceptedTermsAreWholeOnRealSites(t *testing.T) {
	c := collector(t, TermOptions{})
	texts := siteTexts(t)
	for _, text := range texts {
		c.Add(text)
	}
	accepted := []string{"硕士研究生"}
	for _, term := range c.Terms(200, 0) {
		accepted = append(accepted, term.Word)
	}
	slices.SortStableFunc(accepted, func(a, b string) int { return len(b) - len(a) })
	d := Open(Options{UserWords: strings.NewReader(strings.Join(accepted, "\n"))})
	places := 0
	for _, text := range texts {
		for line := range strings.SplitSeq(Fold(text), "\n") {
			cut := map[[2]int]bool{}
			for _, k := range d.Segment(line) {
				cut[[2]int{k.Start, k.End}] = true
			}
			for _, p := range longest(line, accepted) {
				if places++; !cut[p] {
					t.Errorf("%s is torn in %q", line[p[0]:p[1]], line)
				}
			}
		}
	}
	t.Logf("%d places of %d terms", places, len(accepted))
	if places < 1000 {
		t.Errorf("%d places say little", places)
	}
}

// longest returns the places of words in line, longest first; words covered by a longer one, or
// overlapping an equally long one to the left, are skipped.
func longest(line string, words []string) (places [][2]int) {
	taken := make([]bool, len(line))
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && len(words[to]) == len(words[from]) {
			to++
		}
		n := len(words[from])
		for i := 0; i+n <= len(line); i++ {
			if slices.Contains(words[from:to], line[i:i+n]) && !slices.Contains(taken[i:i+n], true) {
				places = append(places, [2]int{i, i + n})
				for k := i; k < i+n; k++ {
					taken[k] = true
				}
			}
		}
		from = to
	}
	return places
}

// published is a published word list.
func published(t testing.TB, names ...string) (words []string) {
	for _, name := range names {
		f, err := os.Open(realpages.Path(t, "terms", "thuocl", "THUOCL_"+name+".txt"))
		must(t, err)
		list, _, err := ReadList(f)
		f.Close()
		must(t, err)
		words = append(words, list...)
	}
	return words
}

// TestTable3OnRealSites prints P2's table 3 for the texts of three sites: loose patterns, the
// default ones, and those mined from lists of other fields, measured by published lists. It asserts
// the paper's finding that rules are more precise than the loose filter.
func TestTable3OnRealSites(t *testing.T) {
	d := Shared()
	gold := NewGold(d, published(t, "IT", "law"))
	loose, err := Patterns(Loose, nil)
	must(t, err)
	mined, _ := mine(published(t, "caijing", "medical"))
	mined = mined[:20]
	rows := []Measure{{Method: "loose", Patterns: len(loose)}, {Method: "ruled", Patterns: len(DefaultPatterns)}, {Method: "mined", Patterns: len(mined)}}
	counts := []*Collector{collector(t, TermOptions{Patterns: loose}), collector(t, TermOptions{}), collector(t, TermOptions{Patterns: mined})}
	for _, text := range siteTexts(t) {
		gold.Add(text)
		for _, c := range counts {
			c.Add(text)
		}
	}
	all, whole, stand := gold.Words()
	t.Logf("%d listed words, %d in the dictionary, %d of the others in the texts", all, whole, stand)
	for _, threshold := range []float64{defaultThreshold, 10, 30} {
		for i, c := range counts {
			m := gold.Measure(c.Terms(0, threshold))
			t.Logf("C-value > %-3g %-6s %3d patterns: %5d found, %3d right, P %.4f R %.4f F1 %.4f", threshold, rows[i].Method, rows[i].Patterns, m.Found, m.Right, m.Precision, m.Recall, m.F1)
			if threshold == defaultThreshold {
				rows[i].Precision, rows[i].Recall = m.Precision, m.Recall
			}
		}
	}
	if rows[1].Precision <= rows[0].Precision {
		t.Errorf("precision %.4f of the rules, %.4f of the loose patterns", rows[1].Precision, rows[0].Precision)
	}
}

// TestPatternsCoverWordLists says which share of published domain terms that the
// dictionary cuts into two to five segments the default patterns allow.
func TestPatternsCoverWordLists(t *testing.T) {
	root, err := compile(DefaultPatterns)
	must(t, err)
	for _, list := range []string{"IT", "caijing", "law", "medical"} {
		cut, allowed := 0, 0
		for _, word := range published(t, list) {
			tokens := Shared().Segment(word)
			if len(tokens) < minSegments || len(tokens) > maxSegments {
				continue
			}
			cut++
			alive, end := []*node{root}, false
			for _, k := range tokens {
				alive, end = termStep(alive, k.POS, nil)
			}
			if end {
				allowed++
			}
		}
		share := float64(allowed) / float64(cut)
		t.Logf("%-8s %5d terms of 2 to 5 segments, %.2f allowed", list, cut, share)
		if share < .15 {
			t.Errorf("%s: %.2f allowed", list, share)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	c := collector(b, TermOptions{})
	page := strings.Repeat("关于世界石油大会采购实验室通风柜的招标公告（%d）\n", 40)
	b.SetBytes(int64(len(page)))
	i := 0
	for b.Loop() {
		c.Add(strings.ReplaceAll(page, "%d", fmt.Sprint(i)))
		i++
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
