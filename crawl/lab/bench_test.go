package lab

import (
	"context"
	"testing"

	"angler/crawl/linkorder"
)

// BenchmarkRun simulates whole crawls of 5 000 pages with 45 links each. The
// figure that counts is fetches/s (wanted: bfs 50 000, learned 5 000).
func BenchmarkRun(b *testing.B) {
	g := site(5000, 1)
	for _, name := range linkorder.Names() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				s, err := linkorder.New(name, nil)
				must(b, err)
				run, err := fetchOrder(context.Background(), g, s, options{})
				must(b, err)
				n += len(run)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "fetches/s")
		})
	}
}

func BenchmarkOracle(b *testing.B) {
	g := site(5000, 1)
	for b.Loop() {
		oracleOrder(g)
	}
	b.ReportMetric(5000*float64(b.N)/b.Elapsed().Seconds(), "fetches/s")
}
