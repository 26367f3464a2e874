package linkorder

import (
	"strings"
	"testing"
)

// Important domains raise the addresses under them (P3 2.3.2); the longest name counts.
func TestImportantDomains(t *testing.T) {
	s, err := New("linear", Params{ImportantDomain + "edu.cn": commonWeight, ImportantDomain + "jw.a.edu.cn": .7, ImportantDomain + "b.test": 0, "linear.important": .2})
	must(t, err)
	for url, want := range map[string]float64{
		"http://edu.cn/":                  .2,
		"http://www.a.edu.cn/x/y.htm":     .2,
		"https://jw.a.edu.cn:8080/?q=1":   .7,
		"http://x.jw.a.edu.cn":            .7,
		"http://myedu.cn/edu.cn/":         0,
		"http://www.edu.cn.evil.test/":    0,
		"http://c.test/?u=http://edu.cn/": 0,
		"http://b.test/":                  0,
		"www.a.edu.cn:81":                 .2, // a host
		"":                                0,
	} {
		if got := s.(linear).important.of(url); got != want {
			t.Errorf("%q weighs %v, want %v", url, got, want)
		}
		target := to(Inlink{AnchorScore: .5})
		target.URL = url
		if got := s.Value(&target) - (.4*.5 - .02); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%q gains %v, want %v", url, got, want)
		}
	}
	target := to(Inlink{AnchorScore: .5})
	target.URL = "http://jw.a.edu.cn/"
	if why := s.Score(&target).String(); why != "anchor .50 url 0 parent 0 important domain .70 depth 2" {
		t.Errorf("because %s", why)
	}
	if n := testing.AllocsPerRun(100, func() { s.Value(&target) }); n != 0 {
		t.Errorf("a value allocates %v times", n)
	}
	if _, err := New("linear", Params{ImportantDomain + "edu.cn": 1.5}); err == nil || !strings.Contains(err.Error(), "edu.cn") {
		t.Errorf("a weight above 1: %v", err)
	}
}

// The strategy and the reasons report the threshold of P3 2.3.
func TestLinearLeavesOut(t *testing.T) {
	s, err := New("linear", Params{"linear.min": .3})
	must(t, err)
	if least := s.(chooser).Least(); least != .3 {
		t.Errorf("least %v", least)
	}
	low, high := to(Inlink{AnchorScore: .5}), to(Inlink{AnchorScore: .9})
	if why := s.Score(&low).String(); !strings.HasSuffix(why, "below relevance .30") {
		t.Errorf("below it because %s", why)
	}
	if why := s.Score(&high).String(); strings.Contains(why, "below") {
		t.Errorf("above it because %s", why)
	}
	all, err := New("linear", nil)
	must(t, err)
	if deep := to(Inlink{}); all.Value(&deep) >= 0 || strings.Contains(all.Score(&deep).String(), "below") {
		t.Errorf("a link that is worth %v is below relevance without a threshold: %s", all.Value(&deep), all.Score(&deep))
	}
	if v := s.Value(&Target{}); v < s.(chooser).Least() {
		t.Errorf("a seed is worth %v", v)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
