package linkorder

import (
	"fmt"
	"testing"
)

// benchTargets are targets as a university site has them, three inlinks each.
func benchTargets(n int) []Target {
	ts := make([]Target, n)
	for i := range ts {
		dir := []string{"zbgg", "xwdt", "tzgg", "xxgk/zcwj"}[i%4]
		ts[i] = Target{ID: uint64(i + 1), URL: fmt.Sprintf("http://www.example.edu.cn/%s/2024/%04d/t%08d.htm", dir, i%1231, i), Depth: 3}
		for k := range 3 {
			ts[i].Inlinks = append(ts[i].Inlinks, Inlink{
				Source: uint64(i/40 + k), SourceURL: fmt.Sprintf("http://www.example.edu.cn/%s/list%d.htm", dir, i/40+k),
				Anchor:      "关于2024年实验楼设备采购项目公开招标的公告",
				Block:       "html/body/div.main/div.wp_article_list/ul.news_list.list2/li.news.n1.clearfix/span.news_title",
				AnchorScore: .4, URLScore: .3, BlockScore: .35, SourceScore: .7, Inherited: .2,
			})
		}
	}
	return ts
}

func benchFetch(t *Target, ts []Target) *Fetch {
	f := &Fetch{Target: *t, Verdict: Verdict{Score: .5, Relevant: t.ID%4 == 1}}
	for i := range 45 {
		to := &ts[(int(t.ID)*45+i)%len(ts)]
		f.Out = append(f.Out, Out{ID: to.ID, URL: to.URL, New: i%4 == 0, Inlink: to.Inlinks[0]})
	}
	return f
}

// BenchmarkValue is a link never seen before, which learned's cache does not
// hold.
func BenchmarkValue(b *testing.B) {
	ts := benchTargets(20000)
	for _, name := range Names() {
		s := make1(b, name)
		for i := range 100 {
			s.Observe(benchFetch(&ts[i], ts))
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var t Target
			for i := range b.N {
				t = ts[i%len(ts)]
				t.Inlinks = t.Inlinks[:1]
				t.ID += uint64(i / len(ts)) // a place taken by others
				s.Value(&t)
			}
		})
	}
}

func BenchmarkScore(b *testing.B) {
	ts := benchTargets(1000)
	for _, name := range Names() {
		s := make1(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				s.Score(&ts[i%len(ts)])
			}
		})
	}
}

// BenchmarkRescore values 5 000 waiting targets of three inlinks again.
func BenchmarkRescore(b *testing.B) {
	ts := benchTargets(5000)
	for _, name := range Names() {
		s := make1(b, name)
		for i := range 100 {
			s.Observe(benchFetch(&ts[i], ts))
		}
		for i := range ts {
			s.Value(&ts[i])
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				for i := range ts {
					s.Value(&ts[i])
				}
			}
		})
	}
}

func BenchmarkObserve(b *testing.B) {
	ts := benchTargets(5000)
	fs := make([]*Fetch, len(ts))
	for i := range ts {
		fs[i] = benchFetch(&ts[i], ts)
	}
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := make1(b, name)
			for i := range b.N {
				s.Observe(fs[i%len(fs)])
			}
		})
	}
}
