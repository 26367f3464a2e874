package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angler/crawl/htmldoc"
)

func learned() *Boilerplate {
	b := new(Boilerplate)
	for i := range 40 {
		b.Learn(SampledPage{Key: uint64(i), ID: uint64(i)}, &Page{Head: fmt.Sprintf("公告%d-东湖大学", i), Text: fmt.Sprintf("首页 学校概况\n第%d条公告", i),
			Links: []htmldoc.Link{{URL: "http://a.test/", Anchor: "首页"}, {URL: fmt.Sprintf("http://a.test/%d", i), Anchor: "公告"}}}, nil)
	}
	b.UpdateProfile()
	return b
}

func TestBoilerplateSurvivesStorage(t *testing.T) {
	v, err := learned().MarshalBinary()
	must(t, err)
	b := new(Boilerplate)
	must(t, b.UnmarshalBinary(v))
	p := b.Profile()
	if b.Pages() != 40 || !p.RepeatedLink("http://a.test/", "首页") || p.RepeatedLink("http://a.test/7", "公告") || p.RepeatedLink("http://a.test/", "公告") ||
		!p.RepeatedText("首页 学校概况") || p.RepeatedText("第7条公告") || p.titleTail() != "-东湖大学" {
		t.Errorf("came back with %d pages, tail %q", b.Pages(), p.titleTail())
	}
	if wanted, ready := b.Wants(41); !wanted || ready {
		t.Error("the pages of a stored sample are not in memory")
	}
	b.Fill(func(uint64) *Trace { return (&Page{Head: "公告-东湖大学", Text: "首页 学校概况"}).Trace() })
	b.Learn(SampledPage{Key: 41}, &Page{Head: "新闻-东湖大学", Text: "首页 学校概况"}, nil)
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
		if n := len(b.Profile().lines); n > sampleSize*learnLines || b.Pages() > sampleSize {
			t.Errorf("%d lines of %d pages", n, b.Pages())
		}
		b.Fill(func(uint64) *Trace { return (&Page{Head: "a-b", Text: "c"}).Trace() })
		b.Learn(SampledPage{}, &Page{Head: "a-b", Text: "c"}, nil)
	})
}

// A decoded profile gives the same answers.
func TestProfilesAreTold(t *testing.T) {
	if v := new(HostProfile).Bytes(); v != nil {
		t.Errorf("nothing was learned: %v", v)
	}
	random := rand.New(rand.NewPCG(1, 2))
	b, repeated := new(Boilerplate), 0
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
		b.Learn(SampledPage{Key: random.Uint64(), ID: uint64(i)}, p, nil)
		now := b.Profile()
		told, err := ProfileFrom(now.Bytes())
		must(t, err)
		if told.titleTail() != now.titleTail() {
			t.Fatalf("page %d: the tail is %q, told was %q", i, now.titleTail(), told.titleTail())
		}
		for n := range 60 {
			url, line := fmt.Sprintf("http://a.test/%d", n), fmt.Sprintf("第%d条公告", n)
			if told.RepeatedLink(url, "公告") != now.RepeatedLink(url, "公告") || told.RepeatedText(line) != now.RepeatedText(line) {
				t.Fatalf("page %d: what is told of %s and %s is another than what is known", i, url, line)
			}
		}
		repeated = max(repeated, len(now.lines))
	}
	if repeated == 0 {
		t.Error("no line is repeated: nothing was compared")
	}
}

func FuzzProfile(f *testing.F) {
	f.Add(learned().Profile().Bytes())
	f.Add([]byte{0, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := ProfileFrom(in)
		if err != nil {
			return
		}
		if len(p.lines)+len(p.targets) > len(in) {
			t.Errorf("%d bytes tell of %d things", len(in), len(p.lines)+len(p.targets))
		}
		again, err := ProfileFrom(p.Bytes())
		if err != nil || again.tail != p.tail || !slices.Equal(again.lines, p.lines) || !slices.Equal(again.targets, p.targets) {
			t.Errorf("written again it is another: %v", err)
		}
	})
}
