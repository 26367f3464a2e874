package page

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"angler/crawl/htmldoc"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Stored traces give the same profile as their pages, in Relearn and in Fill with Learn.
func TestTracesGiveTheSameProfile(t *testing.T) {
	pages := make([]*Page, 200)
	var at []SampledPage
	for i := range pages {
		pages[i] = &Page{Head: fmt.Sprintf("公告%d-东湖大学", i), Text: fmt.Sprintf("首页 学校概况\n第%d条公告\n第%d组", i, i%7),
			Links: []htmldoc.Link{{URL: "http://a.test/", Anchor: "首页"}, {URL: fmt.Sprintf("http://a.test/%d", i%9), Anchor: "公告"}}}
		at = append(at, SampledPage{Key: uint64(i*7919%200) + 1, ID: uint64(i)})
	}
	stored := func(id uint64) *Trace {
		v, err := pages[id].Trace().MarshalBinary()
		must(t, err)
		x := new(Trace)
		must(t, x.UnmarshalBinary(v))
		return x
	}
	whole, left := new(Boilerplate), new(Boilerplate)
	whole.Relearn(at, func(id uint64) *Trace { return pages[id].Trace() })
	left.Relearn(at, stored)
	if !reflect.DeepEqual(whole.pages, left.pages) || !bytes.Equal(whole.Profile().Bytes(), left.Profile().Bytes()) {
		t.Error("the host was learned otherwise")
	}
	v, err := whole.MarshalBinary()
	must(t, err)
	again := new(Boilerplate)
	must(t, again.UnmarshalBinary(v))
	again.Fill(stored)
	next := &Page{Head: "新闻-东湖大学", Text: "首页 学校概况\n第3组"}
	for _, b := range []*Boilerplate{whole, again} {
		b.Learn(SampledPage{Key: 0, ID: 999}, next, nil)
		b.UpdateProfile()
	}
	if !bytes.Equal(whole.Profile().Bytes(), again.Profile().Bytes()) {
		t.Error("the host learned on otherwise")
	}
}

func FuzzTrace(f *testing.F) {
	p := &Page{Head: "公告-东湖大学", Text: "首页\n学校概况\n首页", Links: []htmldoc.Link{{URL: "http://a.test/", Anchor: "首页"}}}
	v, _ := p.Trace().MarshalBinary()
	f.Add(v)
	f.Add([]byte{traceFormat, 0, 0, 0, 0, 255, 255, 255, 255, 15})
	f.Add([]byte{traceFormat, 0, 0, 0, 0, 0, 0, 1, '-', 0, 0, 0})
	f.Fuzz(func(t *testing.T, in []byte) {
		x := new(Trace)
		if x.UnmarshalBinary(in) != nil {
			return
		}
		if len(x.lines) > learnLines || len(x.targets) > learnTargets || len(x.tails) > traceTails {
			t.Errorf("%d lines, %d links, %d endings", len(x.lines), len(x.targets), len(x.tails))
		}
		out, _ := x.MarshalBinary()
		y := new(Trace)
		must(t, y.UnmarshalBinary(out))
		if again, _ := y.MarshalBinary(); !bytes.Equal(out, again) {
			t.Error("written otherwise after it was read")
		}
	})
}
