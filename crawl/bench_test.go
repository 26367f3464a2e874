package crawl_test

import (
	"context"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
)

// BenchmarkDiscovery crawls 2 000 pages of the demo web over HTTP on loopback,
// server included, everything judged and stored.
func BenchmarkDiscovery(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		d := openDemo(b, "", crawl.Options{})
		sampled(b, d, 3)
		must(b, d.Words(context.Background()))
		b.StartTimer()
		s := discover(b, d.Runs, run.Options{MaxPages: 2000})
		b.StopTimer()
		b.ReportMetric(float64(s.Fetched)/s.Took.Seconds(), "pages/s")
		must(b, d.Close())
		b.StartTimer()
	}
}
