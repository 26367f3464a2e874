package page

import (
	"fmt"
	"testing"
)

func learned() *Boilerplate {
	b := new(Boilerplate)
	for i := range 40 {
		b.Learn(SampledPage{Key: uint64(i), ID: uint64(i)}, &Page{Head: fmt.Sprintf("公告%d-东湖大学", i), Text: fmt.Sprintf("首页 学校概况\n第%d条公告", i),
			Links: []Link{{URL: "http://a.test/", Anchor: "首页"}, {URL: fmt.Sprintf("http://a.test/%d", i), Anchor: "公告"}}})
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
