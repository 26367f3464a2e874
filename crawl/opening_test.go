//go:build linux

package crawl_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"angler/crawl"
	"angler/store"
)

// openedVar names a folder in which BenchmarkOpening keeps its workspace: the first run
// crawls it, others open it, so that their memory is that of an opening alone.
const openedVar = "ANGLER_BENCH_OPENED"

// BenchmarkOpening opens a workspace of the generated web and asks for its lists. It
// reports the seconds until they are there, with its files in the system's cache and
// without, with a checkpoint and without, how long the closing takes that makes one, and
// what is resident with the lists of an opening with one, in all and without what is mapped.
//
//	export ANGLER_BENCH_PAGES=100000 ANGLER_BENCH_OPENED=/var/tmp/opened
//	go test ./crawl -run '^$' -bench Opening -benchtime 1x -timeout 1h # twice
func BenchmarkOpening(b *testing.B) {
	dir := openedDir(b)
	timedOpening(b, dir, "") // whatever the first opening has to make
	files := []string{filepath.Join(dir, "crawl.db"), store.CheckpointPath(dir)}
	for b.Loop() {
		for _, with := range []string{"-without", ""} {
			for _, cache := range []string{"s-cold", "s-warm"} {
				if with != "" {
					must(b, os.Remove(files[1]))
				}
				if cache == "s-cold" {
					for _, path := range files {
						uncache(b, path)
					}
				}
				took, closing := timedOpening(b, dir, cache+with)
				b.ReportMetric(took.Seconds(), cache+with)
				if with != "" {
					b.ReportMetric(closing.Seconds(), "s-closing")
				}
			}
		}
	}
}

// openedDir returns the folder of a workspace of the generated web, and crawls the web if there is none yet.
func openedDir(b *testing.B) string {
	web, pages := benchWeb(b)
	dir := os.Getenv(openedVar)
	if dir == "" {
		dir = b.TempDir()
	}
	dir = filepath.Join(dir, "ws"+strconv.Itoa(pages))
	if _, err := os.Stat(dir); err != nil {
		e, _ := crawlInto(b, dir, web, startWeb(b, pages), pages)
		must(b, e.Close())
	}
	return dir
}

// timedOpening opens a workspace and says how long its lists took, and the closing.
func timedOpening(b *testing.B, dir, what string) (took, closing time.Duration) {
	debug.FreeOSMemory() // what the opening before has left
	start := time.Now()
	e, err := crawl.Open(context.Background(), dir, crawl.Options{Progress: func(s string) { b.Logf("%s %v %s", what, time.Since(start), s) }})
	must(b, err)
	b.Logf("%s %v open", what, time.Since(start))
	rows, err := e.Pages.Candidates(context.Background())
	took = time.Since(start)
	if err != nil || len(rows) == 0 {
		b.Fatalf("%d lists, %v", len(rows), err)
	}
	b.ReportMetric(resident("VmRSS"), "MB-resident")
	b.ReportMetric(resident("RssAnon"), "MB-anonymous")
	start = time.Now()
	must(b, e.Close())
	return took, time.Since(start)
}
