package linkorder

import (
	"fmt"
	"testing"
)

// The value is the model's and the prior's share by the relevant pages seen.
func TestLearnedFormula(t *testing.T) {
	l := make1(t, "learned").(*learned)
	notice := to(Inlink{Anchor: "招标公告", AnchorScore: .5, SourceScore: .4, URLScore: .2})
	for range 3 {
		l.Observe(&Fetch{Target: notice, Verdict: Verdict{Score: .9, Relevant: true}})
	}
	l.Observe(&Fetch{Target: notice, Verdict: Verdict{Score: .1}})
	var f features
	f.link(notice.URL, &notice.Inlinks[0])
	p, h := l.known.model.predict(f.scored(&notice.Inlinks[0]), false)
	const w = 3. / (3 + 20)
	if got, want := l.Value(&notice), w*(p+1.4*h)+(1-w)*l.known.promises.kept(&f)*(.4*.5+.3*.4+.3*.2); !near(got, want) {
		t.Errorf("value %v, want %v of P %v and hub %v", got, want, p, h)
	}
	if p <= .5 || h >= .5 {
		t.Errorf("three of four were relevant, none had links: P %v, hub %v", p, h)
	}
}

// A page full of promising new links is a hub, one with known links is not.
func TestLearnedHub(t *testing.T) {
	l := make1(t, "learned").(*learned)
	list := to(Inlink{Anchor: "更多", Block: "div.more"})
	nav := to(Inlink{Anchor: "首页", Block: "div.nav"})
	nav.ID, nav.URL = 8, "http://a.test/about/us"
	notice := Inlink{Anchor: "采购项目招标公告", Block: "ul.list/li"}
	for i := range uint64(20) {
		l.Observe(&Fetch{Target: Target{ID: 100 + i, URL: "http://a.test/zbgg/1.htm", Inlinks: []Inlink{notice}}, Verdict: Verdict{Relevant: true}})
		full, known := &Fetch{Target: list}, &Fetch{Target: nav}
		for k := range uint64(20) {
			full.Out = append(full.Out, Out{ID: 1000 + 20*i + k, URL: "http://a.test/zbgg/2.htm", New: true, Inlink: notice})
			known.Out = append(known.Out, Out{ID: 1000 + 20*i + k, URL: "http://a.test/zbgg/2.htm", Inlink: notice})
		}
		l.Observe(full)
		l.Observe(known)
	}
	a, b := l.Score(&list), l.Score(&nav)
	if a.Terms[1].Name != "hub" || a.Terms[1].Value < .8 || b.Terms[1].Value > .3 {
		t.Errorf("list %v, menu entry %v", a, b)
	}
	// One new link that a page has thirty times is one.
	f := &Fetch{Target: list}
	for range 30 {
		f.Out = append(f.Out, Out{ID: 5000, URL: "http://a.test/zbgg/3.htm", New: true, Inlink: notice})
	}
	if p := l.promise(f); p > 1 {
		t.Errorf("thirty links to one page promise %v", p)
	}
}

// With very many hosts naive Bayes is silent.
func TestManyHosts(t *testing.T) {
	s, err := New("learned", Params{"learned.hosts": 3})
	must(t, err)
	l := s.(*learned)
	for i := range 6 {
		target := Target{ID: uint64(i), URL: fmt.Sprintf("http://h%d.test/a/b.htm", i), Inlinks: []Inlink{{Anchor: "招标"}}}
		l.Observe(&Fetch{Target: target, Verdict: Verdict{Relevant: true}})
		var f features
		f.link(target.URL, &target.Inlinks[0])
		alone, _ := l.known.model.predict(f.scored(&target.Inlinks[0]), true)
		both, _ := l.known.model.predict(f.scored(&target.Inlinks[0]), false)
		want := both
		if i >= 3 {
			want = alone
		}
		if got := l.Score(&target).Terms[0].Value; got != want || alone == both {
			t.Errorf("after %d hosts: P %v, want %v (regression alone %v, both %v)", i+1, got, want, alone, both)
		}
	}
	if n := len(l.known.hosts); n != 4 {
		t.Errorf("remembers %d hosts, want no more than it needs", n)
	}
}
