package page

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"angler/crawl/htmldoc"
)

func learned() *Boilerplate {
	b := new(Boilerplate)
	for i := range 40 {
		b.Learn(SampledPage{Key: uint64(i), ID: uint64(i)}, &Page{Head: fmt.Sprintf("公告%d-东湖大学", i), Text: fmt.Sprintf("首页 学校概况\n第%d条公告", i),
			Links: []htmldoc.Link{{URL: "http://a.test/", Anchor: "首页"}, {URL: fmt.Sprintf("http://a.test/%d", i), Anchor: "公告"}}})
	}
	return b
}

func TestBoilerplateSurvivesStorage(t *testing.T) {
	v, err := learned().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b := new(Boilerplate)
	if err := b.UnmarshalBinary(v); err != nil {
		t.Fatal(err)
	}
	if b.Pages() != 40 || !b.RepeatedLink("http://a.test/", "首页") || b.RepeatedLink("http://a.test/7", "公告") || b.RepeatedLink("http://a.test/", "公告") ||
		!b.RepeatedText("首页 学校概况") || b.RepeatedText("第7条公告") || b.titleTail() != "-东湖大学" {
		t.Errorf("came back with %d pages, tail %q", b.Pages(), b.titleTail())
	}
	if wanted, ready := b.Wants(41); !wanted || ready {
		t.Error("the pages of a stored sample are not in memory")
	}
	b.Fill(func(uint64) *Trace { return (&Page{Head: "公告-东湖大学", Text: "首页 学校概况"}).Trace() })
	b.Learn(SampledPage{Key: 41}, &Page{Head: "新闻-东湖大学", Text: "首页 学校概况"})
	if b.Pages() != 41 {
		t.Errorf("learned on to %d pages", b.Pages())
	}
}

func FuzzBoilerplateState(f *testing.F) {
	v, _ := learned().MarshalBinary()
	f.Add(v)
	f.Add([]byte{boilerFormat, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, in []byte) {
		b := new(Boilerplate)
		if b.UnmarshalBinary(in) != nil {
			return
		}
		if len(b.lines) > sampleSize*learnLines || b.Pages() > sampleSize {
			t.Errorf("%d lines of %d pages", len(b.lines), b.Pages())
		}
		b.Fill(func(uint64) *Trace { return (&Page{Head: "a-b", Text: "c"}).Trace() })
		b.Learn(SampledPage{}, &Page{Head: "a-b", Text: "c"})
	})
}

// What was written once is written again as long as no verdict is another: a reader that is
// told it must answer as the host does, after every page.
func TestVerdictsAreThoseOfTheMoment(t *testing.T) {
	if v := new(Boilerplate).Verdicts(); v != nil {
		t.Errorf("nothing was learned: %v", v)
	}
	random := rand.New(rand.NewPCG(1, 2))
	b, same := new(Boilerplate), 0
	var before *byte
	for i := range 3 * sampleSize {
		p := &Page{Head: "公告-东湖大学", Text: "首页 学校概况"}
		for n := range 60 { // the smaller the number, the more pages have it
			if random.IntN(60) >= n {
				p.Text += fmt.Sprintf("\n第%d条公告", n)
				p.Links = append(p.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/%d", n), Anchor: "公告"})
			}
		}
		if i%3 == 0 {
			p.Head = "公告"
		}
		b.Learn(SampledPage{Key: random.Uint64(), ID: uint64(i)}, p)
		told, err := FromVerdicts(b.Verdicts())
		if err != nil {
			t.Fatal(err)
		}
		if told.titleTail() != b.titleTail() {
			t.Fatalf("page %d: the tail is %q, told was %q", i, b.titleTail(), told.titleTail())
		}
		for n := range 60 {
			url, line := fmt.Sprintf("http://a.test/%d", n), fmt.Sprintf("第%d条公告", n)
			if told.RepeatedLink(url, "公告") != b.RepeatedLink(url, "公告") || told.RepeatedText(line) != b.RepeatedText(line) {
				t.Fatalf("page %d: what is told of %s and %s is another than what is known", i, url, line)
			}
		}
		if v := b.Verdicts(); len(v) > 0 {
			if &v[0] == before {
				same++
			}
			before = &v[0]
		}
	}
	if same == 0 {
		t.Error("they were written anew for every page")
	}
	want := slices.Sorted(maps.Keys(b.lines))
	if want = slices.DeleteFunc(want, func(h uint32) bool { return !b.lineVerdicts().repeated(b.lines[h]) }); len(want) == 0 {
		t.Error("no line is repeated: nothing was compared")
	}
}

func FuzzVerdicts(f *testing.F) {
	f.Add(learned().Verdicts())
	f.Add([]byte{0, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, in []byte) {
		b, err := FromVerdicts(in)
		if err != nil {
			return
		}
		if len(b.lines)+len(b.targets) > len(in) {
			t.Errorf("%d bytes tell of %d things", len(in), len(b.lines)+len(b.targets))
		}
		again, err := FromVerdicts(b.Verdicts())
		if err != nil || again.tail != b.tail || !maps.Equal(again.lines, b.lines) || !maps.Equal(again.targets, b.targets) {
			t.Errorf("written again it is another: %v", err)
		}
	})
}
