package dict

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"angler/crawl/webtest/realpages"

	"github.com/go-ego/gse"
)

// reference is gse with its dictionary, the standard for words and parts of speech. Loading it
// takes seconds, so -short skips it.
var reference = sync.OnceValues(func() (*gse.Segmenter, error) {
	seg := &gse.Segmenter{SkipLog: true, NotLoadHMM: true}
	return seg, seg.LoadDictEmbed("zh_s")
})

func gseReference(t testing.TB) *gse.Segmenter {
	t.Helper()
	if testing.Short() {
		t.Skip("loading gse's dictionary takes seconds")
	}
	seg, err := reference()
	must(t, err)
	return seg
}

func TestBaseHoldsGseWords(t *testing.T) {
	seg := gseReference(t)
	base, err := loadBase()
	must(t, err)
	tokens := seg.Dictionary().Tokens
	if base.words != len(tokens) {
		t.Errorf("base holds %d words, gse %d: run go generate", base.words, len(tokens))
	}
	if got, want := base.total, seg.Dictionary().TotalFreq(); got != want {
		t.Errorf("total frequency %v, gse %v", got, want)
	}
	bad := 0
	for i := range tokens {
		word := tokens[i].Text()
		node := base.find(word)
		if node == 0 || base.posName(node) != tokens[i].Pos() {
			if bad++; bad <= 5 {
				t.Errorf("%q: node %d, want part of speech %q", word, node, tokens[i].Pos())
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d words differ", bad)
	}
}

// TestCutsEqualGse cuts real sentences with both and compares the words.
func TestCutsEqualGse(t *testing.T) {
	seg := gseReference(t)
	sentences := ownSentences
	sentences = append(sentences, treebank(t)...)
	sentences = append(sentences, siteLines(t)...)
	total, equal := 0, 0
	for _, s := range sentences {
		want := gseWords(seg, s)
		got := allWords(Shared(), s)
		total += len(want)
		equal += common(want, got)
	}
	share := float64(equal) / float64(total)
	t.Logf("%d lines, %d words of gse, %.5f found at the same place", len(sentences), total, share)
	if share < .9999 {
		t.Errorf("share of equal words %.5f, want .9999", share)
	}
}

var ownSentences = []string{
	"某大学关于采购实验室通风柜的招标公告(二次)",
	"4S店和IC卡的C++程序,见 http://www.example.test/info/1023/1260.htm",
	"ＡＢＣ公司２０２６年度第３号中标结果公示",
	"Ünïcode café 与 Ωmega 混排 x² ½",
	"𠮷野家与㎡、①②③",
	"",
	"。",
	"　　招　标　",
}

func treebank(t testing.TB) (sentences []string) {
	path, ok := realpages.Find(t, "segmentation", "zh_gsdsimp-ud-dev.conllu")
	if !ok {
		t.Log("without the folder of real pages only our own sentences are compared")
		return nil
	}
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if text, ok := strings.CutPrefix(sc.Text(), "# text = "); ok {
			sentences = append(sentences, text)
		}
	}
	return sentences
}

// siteLines returns the lines of the main texts of three real sites.
func siteLines(t testing.TB) (lines []string) {
	for _, site := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		path, ok := realpages.Find(t, "sites", site, "GOLD.jsonl")
		if !ok {
			t.Log("without the folder of real pages no lines of theirs are compared")
			return lines
		}
		raw, err := os.ReadFile(path)
		must(t, err)
		for row := range strings.Lines(string(raw)) {
			var gold struct{ Title, Text string }
			must(t, json.Unmarshal([]byte(row), &gold))
			lines = append(append(lines, gold.Title), strings.Split(gold.Text, "\n")...)
		}
	}
	return lines
}

func gseWords(seg *gse.Segmenter, s string) []string {
	var out []string
	for _, p := range seg.Segment([]byte(foldWord(s))) {
		if w := p.Token().Text(); !isSpace(w) {
			out = append(out, w)
		}
	}
	return out
}

func allWords(d *Dict, s string) []string {
	var out []string
	for _, t := range d.Segment(s) {
		out = append(out, t.Text)
	}
	return out
}

// common counts the words that both cuts have at the same place.
func common(a, b []string) int {
	at := map[[2]int]bool{}
	n := 0
	for _, w := range a {
		at[[2]int{n, n + len(w)}] = true
		n += len(w)
	}
	same, n := 0, 0
	for _, w := range b {
		if at[[2]int{n, n + len(w)}] {
			same++
		}
		n += len(w)
	}
	return same
}

func BenchmarkGse(b *testing.B) {
	seg := gseReference(b)
	text := []byte(foldWord(pageText))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		seg.Segment(text)
	}
}
