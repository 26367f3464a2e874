package linkorder

import (
	"fmt"
	"math"
	"testing"
)

// column returns the i-th notice of a column. The column's front page, which looks exactly like the samples, links
// to it.
func column(dir string, i int) Target {
	return Target{ID: uint64(1000*len(dir) + i), URL: fmt.Sprintf("http://a.test/info/%s/%d.htm", dir, i),
		Inlinks: []Inlink{{Anchor: "通知", Block: "ul.list", SourceURL: "http://a.test/" + dir + "/list.htm", AnchorScore: 1, SourceScore: .5, URLScore: 1}}}
}

// A misleading column must not be read to its end before another is tried.
func TestPromisesBroken(t *testing.T) {
	l := make1(t, "learned").(*learned)
	other := column("1124", 99)
	other.Inlinks[0].AnchorScore = .2 // the other column looks less relevant by itself
	wrong := func(i int) Target { return column("1066", i) }
	first := wrong(0)
	before := l.Value(&other)
	if l.Value(&first) <= before {
		t.Fatal("the column that looks right does not come first")
	}
	read := 0
	for ; read < 50; read++ {
		next := wrong(read)
		if l.Value(&next) < l.Value(&other) {
			break
		}
		l.Observe(&Fetch{Target: next, Verdict: Verdict{Score: .1}})
	}
	if read == 0 || read > 5 {
		t.Errorf("%d pages of the wrong column were read before another was tried", read)
	}
	// Both share /info/ and the look of their lists; the other column loses only that part.
	tried, untried := l.Score(ptr(wrong(60))), l.Score(&other)
	if a, b := kept(t, tried), kept(t, untried); a >= b/2 {
		t.Errorf("the prior counts %v in the column that failed, %v in the other", a, b)
	}
}

func kept(t *testing.T, s Score) float64 {
	t.Helper()
	for _, term := range s.Terms {
		if term.Name == "kept" {
			return term.Value
		}
	}
	t.Fatalf("no term kept in %v", s)
	return 0
}

func TestPromisesKept(t *testing.T) {
	cases := []struct {
		name     string
		relevant []bool // of pages with a prior of .85, one after another, in five places
		credit   float64
		want     float64
	}{
		{"nothing known", nil, 1, 1},
		{"every one kept", []bool{true, true, true}, 1, 1},
		{"one broken", []bool{false}, 1, math.Pow(1/1.85, 5)},
		{"two broken, one kept", []bool{false, true, false}, 1, math.Pow(2/3.55, 5)},
		{"more credit", []bool{false}, 10, math.Pow(10/10.85, 5)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := New("learned", Params{"learned.credit": c.credit})
			must(t, err)
			l := s.(*learned)
			for i, r := range c.relevant {
				l.Observe(&Fetch{Target: column("7", i), Verdict: Verdict{Relevant: r}})
			}
			next := column("7", 50)
			var f features
			f.link(next.URL, &next.Inlinks[0])
			if got := l.known.promises.kept(&f); got < c.want-1e-6 || got > c.want+1e-6 {
				t.Errorf("kept %v, want %v", got, c.want)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }
