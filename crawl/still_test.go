package crawl

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"angler/dict"
	"angler/store"
	"angler/store/config"
)

// While nothing runs the engine makes a snapshot every ten seconds and says that
// nothing has happened. An event, a job or a commit is told within publishEvery, and
// a job until its end.
func TestAStillEngineSleeps(t *testing.T) {
	dir := t.TempDir()
	must(t, store.Create(dir, config.Default()))
	<-dict.Shared().Ready() // its channels are older than any bubble
	synctest.Test(t, func(t *testing.T) {
		e, err := Open(context.Background(), dir, Options{By: "wang"})
		must(t, err)
		defer func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}()
		<-e.reader.Dict().Ready()
		pass := func(d time.Duration) (snapshots uint64, still bool) {
			was := e.Snapshot().Seq
			time.Sleep(d)
			synctest.Wait()
			return e.Snapshot().Seq - was, e.Snapshot().Still
		}
		pass(time.Minute) // the opening is over
		if n, still := pass(time.Hour); n != uint64(time.Hour/stillEvery) || !still {
			t.Errorf("%d snapshots in an hour in which nothing happens, want %d; the last one is still: %v", n, time.Hour/stillEvery, still)
		}
		cases := []struct {
			name  string
			doing func()
			most  uint64
		}{
			{"an event", func() { e.events.Note("info", "something") }, 1},
			{"many events", func() {
				for range 1000 {
					e.events.Note("info", "something")
				}
			}, 2},
			{"a commit", func() {
				if _, err := e.ws.Seed([]string{"http://a.test/"}); err != nil {
					t.Error(err)
				}
			}, 1},
		}
		for _, c := range cases {
			pass(time.Minute)
			c.doing()
			if n, still := pass(2 * publishEvery); n == 0 || n > c.most || still {
				t.Errorf("%s: %d snapshots, want 1 to %d; the last one is still: %v", c.name, n, c.most, still)
			}
		}
		if n := e.Snapshot().Counts.Waiting; n != 1 {
			t.Errorf("%d URLs wait in the snapshot", n)
		}
		pass(time.Minute)
		free := e.OccupyJobs("counting")
		if n, _ := pass(time.Minute); n < uint64(time.Minute/publishEvery)-2 || e.Snapshot().Job.Name != "counting" {
			t.Errorf("%d snapshots in a minute of a job; the last one tells of %q", n, e.Snapshot().Job.Name)
		}
		free()
		if n, _ := pass(2 * publishEvery); n == 0 || e.Snapshot().Job.Name != "" {
			t.Errorf("%d snapshots since the job's end, the last one tells of %q", n, e.Snapshot().Job.Name)
		}
		pass(time.Minute)
		b, _ := e.jobs.Background(context.Background(), "reading fields", 400)
		if n, _ := pass(2 * publishEvery); n == 0 || e.Snapshot().Job.Name != "reading fields" {
			t.Errorf("%d snapshots since work began beside, the last one tells of %q", n, e.Snapshot().Job.Name)
		}
		b.End()
		if n, _ := pass(2 * publishEvery); n == 0 || e.Snapshot().Job.Name != "" {
			t.Errorf("%d snapshots since that ended, the last one tells of %q", n, e.Snapshot().Job.Name)
		}
		if n, _ := pass(time.Hour); n > uint64(time.Hour/stillEvery)+1 {
			t.Errorf("%d snapshots in the hour after a job", n)
		}
	})
}
