//go:build linux

package crawl_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"angler/crawl"
	"angler/crawl/bench"
)

// openedVar names a folder in which BenchmarkOpening keeps its workspace: the first run
// crawls it, others open it, so that their memory is that of an opening alone.
const openedVar = "ANGLER_BENCH_OPENED"

// BenchmarkOpening opens a workspace of the generated web and asks for its lists. It
// reports the seconds until they are there, with the file in the system's cache and
// without, and what is resident then, in all and without what is mapped.
//
//	export ANGLER_BENCH_PAGES=100000 ANGLER_BENCH_OPENED=/var/tmp/opened
//	go test ./crawl -run '^$' -bench Opening -benchtime 1x -timeout 1h # twice
func BenchmarkOpening(b *testing.B) {
	web, pages := benchWeb(b)
	dir := os.Getenv(openedVar)
	if dir == "" {
		dir = b.TempDir()
	}
	dir = filepath.Join(dir, "ws"+strconv.Itoa(pages))
	if _, err := os.Stat(dir); err != nil {
		e, _ := crawlInto(b, dir, web, startWeb(b, pages), pages)
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
	opened(b, dir) // whatever the first opening has to make
	for b.Loop() {
		uncache(b, filepath.Join(dir, "crawl.db"))
		b.ReportMetric(opened(b, dir).Seconds(), "s-cold")
		b.ReportMetric(opened(b, dir).Seconds(), "s-warm")
		b.ReportMetric(bench.Resident(os.Getpid(), "VmRSS"), "MB-resident")
		b.ReportMetric(bench.Resident(os.Getpid(), "RssAnon"), "MB-anonymous")
	}
}

// opened opens a workspace and says how long its lists took.
func opened(b *testing.B, dir string) time.Duration {
	start := time.Now()
	e, err := crawl.Open(context.Background(), dir, crawl.Options{Progress: func(s string) { b.Logf("%v %s", time.Since(start), s) }})
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%v open", time.Since(start))
	rows, err := e.Pages.Candidates(context.Background())
	took := time.Since(start)
	if err != nil || len(rows) == 0 {
		b.Fatalf("%d lists, %v", len(rows), err)
	}
	b.Logf("%v: %d lists", took, len(rows))
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	return took
}

// uncache has the system drop a file from its cache.
func uncache(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		b.Fatal(err)
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		b.Fatal(err)
	}
}
