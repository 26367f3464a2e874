package dict

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMethods(t *testing.T) {
	for _, c := range []struct {
		method string
		own    []string
		want   string // a part of the error, "" for none
		has    string
	}{
		{Ruled, nil, "", "n+vn+n"},
		{Ruled, []string{"v+n"}, "", "v+n"},
		{Ruled, []string{"v+n", "n"}, `"n" has 1 parts`, ""},
		{Loose, []string{"v+n"}, "", "b+n*"},
		{"strict", nil, `"strict" is neither ruled nor loose`, ""},
	} {
		got, err := Patterns(c.method, c.own)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %v: error %v, want %q", c.method, c.own, err, c.want)
			}
			continue
		}
		if err != nil || !slices.Contains(got, c.has) {
			t.Errorf("%s %v: %v, %v", c.method, c.own, got, err)
		}
	}
}

// TestLooseAllowsMore: adjectives count, a run must end in a noun, and every nominal pattern of
// ruled is in loose, too.
func TestLooseAllowsMore(t *testing.T) {
	loose, err := Patterns(Loose, nil)
	must(t, err)
	root, err := compile(loose)
	must(t, err)
	allows := func(pattern string) bool {
		alive, end := []*node{root}, false
		for tag := range strings.SplitSeq(pattern, "+") {
			alive, end = termStep(alive, tag, nil)
		}
		return end
	}
	for pattern, want := range map[string]bool{
		"a+n": true, "b+nz+n": true, "n+an+vn+n": true, "n+n+n+n+n": true, "ns+vn": true,
		"n": false, "n+a": false, "v+n": false, "n+v+n": false, "n+n+n+n+n+n": false, "m+n": false,
	} {
		if allows(pattern) != want {
			t.Errorf("%s allowed: %v, want %v", pattern, !want, want)
		}
	}
	for _, pattern := range DefaultPatterns {
		nominal := !strings.ContainsAny(pattern, "jl")
		if allows(pattern) != nominal {
			t.Errorf("ruled %s allowed: %v", pattern, !nominal)
		}
	}
}

func TestOwnWordsMayBePartsOfTerms(t *testing.T) {
	d := Open(Options{UserWords: strings.NewReader("硕士研究生")})
	for _, own := range []bool{true, false} {
		c, err := New(d, TermOptions{Own: func(w string) bool { return own && w == "硕士研究生" }})
		must(t, err)
		for i := range 4 {
			c.Add(fmt.Sprintf("（%d）硕士研究生学院", i))
		}
		term, ok := find(c.Terms(0, 0), "硕士研究生学院")
		if ok != own || own && (term.POS != "nz+n" || len(term.Segments) != 2) {
			t.Errorf("accepted %v: found %v, %+v", own, ok, term)
		}
	}
}

// TestGold checks a count by hand: of four words one is in the dictionary, and one is not in the
// text.
func TestGold(t *testing.T) {
	d := Shared()
	g := NewGold(d, []string{"石油大会", "石油大会", "石油", "能源产业", "天然气管道局"})
	g.Add("第二十届ＡＢ石油大会\n能源 产业\n")
	g.Add("我们的能源产业")
	if all, whole, stand := g.Words(); all != 4 || whole != 1 || stand != 2 {
		t.Errorf("%d words, %d of the dictionary, %d stand in the text; want 4, 1, 2", all, whole, stand)
	}
	m := g.Measure([]Term{{Word: "石油大会"}, {Word: "石油大会"}, {Word: "二十届"}, {Word: "天然气管道局"}})
	if m.Found != 3 || m.Right != 1 || math.Abs(m.Precision-1./3) > 1e-12 || m.Recall != .5 || math.Abs(m.F1-.4) > 1e-12 {
		t.Errorf("%+v", m)
	}
	if m := g.Measure(nil); m.Precision != 0 || m.Recall != 0 || m.F1 != 0 {
		t.Errorf("nothing found: %+v", m)
	}
	if m := NewGold(d, nil).Measure([]Term{{Word: "x"}}); m.Recall != 0 || math.IsNaN(m.F1) {
		t.Errorf("nothing wanted: %+v", m)
	}
}

func FuzzGold(f *testing.F) {
	f.Add("石油大会\n能源产业", "ＡＢ石油大会\xff\n℃")
	f.Fuzz(func(t *testing.T, list, text string) {
		words, _, err := ReadList(strings.NewReader(list))
		must(t, err)
		g := NewGold(Shared(), words)
		g.Add(text)
		all, whole, stand := g.Words()
		if all > len(words) || whole+stand > all {
			t.Fatalf("%d words, %d whole, %d stand", all, whole, stand)
		}
		for w := range g.stands {
			if !strings.Contains(Fold(text), w) {
				t.Fatalf("%q does not stand in %q", w, text)
			}
		}
	})
}
