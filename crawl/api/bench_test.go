//go:build unix

package api

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"angler/crawl/demo/demotest"
	"angler/crawl/inbox"
	"angler/topic"
)

// BenchmarkService asks about many notices, each kind of question as a benchmark of its own. It prints the median, the
// 95th percentile, the processor time of the process an answer and, as first-ms, the time of the first answer after
// opening. The workspace is made once:
//
//	ANGLER_BENCH_WORKSPACE=/var/tmp/many go test ./crawl/api -run '^$' -bench Service -benchtime 40x
func BenchmarkService(b *testing.B) {
	dir, list := demotest.Many(b)
	demotest.Close(b, worker(b, dir))
	s := opened(b, dir)
	begun := time.Now()
	if _, err := s.SearchNotices(b.Context(), SearchNotices{Order: "date"}); err != nil {
		b.Fatal(err)
	}
	first := time.Since(begun)
	run := func(name string, ask func(i int) error) {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			used := processorTime(b)
			for i := 0; b.Loop(); i++ {
				begun := time.Now()
				must(b, ask(i))
				took = append(took, time.Since(begun))
			}
			used = (processorTime(b) - used) / time.Duration(len(took))
			slices.Sort(took)
			for name, x := range map[string]time.Duration{"p50-ms": took[len(took)/2], "p95-ms": took[len(took)*95/100],
				"cpu-ms": used, "first-ms": first} {
				b.ReportMetric(float64(x.Microseconds())/1000, name)
			}
		})
	}
	for _, ask := range []SearchNotices{{Filter: "物理学院 显微镜"}, {Filter: "budget>300w due<20d 维修"},
		{Filter: "buyer:海州大学", Order: "date"}, {Order: "date"}, {Filter: "site:h17 服务器 -安装"},
		{Filter: "kind:招标 budget>400w"}, {Filter: "\"供应商须具备\" 离心机"}, {Filter: "绿化"},
		{Filter: "公开招标"}, {Filter: "is:unread age<30d"}} {
		run("search_notices "+ask.Filter+" "+ask.Order, func(int) error {
			_, err := s.SearchNotices(b.Context(), ask)
			return err
		})
	}
	run("get_notice", func(i int) error {
		_, err := s.GetNotice(b.Context(), GetNotice{URL: list[i*997%len(list)].URL})
		return err
	})
}

// processorTime is what the process has used of all cores.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkAfterChange measures the first question after a change that a person or a crawl makes, in the workspace of
// BenchmarkService. prepared-ms is the time of reading the notices beforehand, first-ms that of the first question then.
func BenchmarkAfterChange(b *testing.B) {
	dir, list := demotest.Many(b)
	e := worker(b, dir)
	search := func() {
		if _, err := e.Inbox.Search(b.Context(), inbox.SearchRequest{Query: "物理学院 显微镜"}); err != nil {
			b.Fatal(err)
		}
	}
	begun := time.Now()
	must(b, e.Inbox.Prepare(b.Context()))
	prepared := time.Since(begun)
	search()
	first := time.Since(begun) - prepared
	ids := []uint64{list[0].ID}
	for name, change := range map[string]func(i int) error{
		"star":   func(i int) error { return e.Inbox.Star(ids, i%2 == 0) },
		"detach": func(i int) error { return e.Inbox.Detach(ids, i%2 == 0) },
		"verdict": func(i int) error {
			return e.Inbox.Judge(ids, [...]topic.Label{topic.Yes, topic.NoLabel}[i%2])
		},
		"new notice": func(i int) error {
			n := list[i%len(list)]
			n.ID, n.FirstSeen = n.ID+1<<40, time.Now()
			e.Inbox.Noticed(&n)
			return nil
		},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for i := range 2 * b.N {
				must(b, change(i))
				begun := time.Now()
				search()
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			for name, x := range map[string]time.Duration{"p50-ms": took[len(took)/2], "max-ms": took[len(took)-1],
				"prepared-ms": prepared, "first-ms": first} {
				b.ReportMetric(float64(x.Microseconds())/1000, name)
			}
		})
	}
}
