//go:build heavy

package maintenance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
)

// TestRollingBackupOfAGigabyte makes a rolling backup of 1 GB beside a committing crawl, and prints
// the cost.
func TestRollingBackupOfAGigabyte(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	rnd := rand.NewChaCha8([32]byte{})
	commit := func(i, pages int) {
		var urls []string
		for j := range pages {
			urls = append(urls, fmt.Sprintf("http://a.test/%d/%d", i, j))
		}
		admitted, err := w.Seed(urls)
		must(t, err)
		var all []*store.Capture
		for j := range pages {
			body := make([]byte, 20_000)
			_, _ = rnd.Read(body) // it never fails
			all = append(all, &store.Capture{ID: admitted[j].Row.ID, State: store.Complete, Body: body, Terms: body[:500],
				Page: &store.Page{URL: urls[j], Status: 200, Title: "page", Hash: store.KeyOf(body), Fetched: now}})
		}
		_, err = w.Commit(nil, all)
		must(t, err)
	}
	batches := 0
	size := int64(0)
	for ; size < 1<<30; batches++ {
		commit(batches, 200)
		size, _ = store.Sizes(w)
	}
	var longest time.Duration
	end, during := make(chan struct{}), 0
	var all sync.WaitGroup
	all.Go(func() {
		for i := batches; ; i++ {
			select {
			case <-end:
				return
			default:
			}
			begun := time.Now()
			commit(i, 20)
			longest, during = max(longest, time.Since(begun)), during+1
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := time.Now()
	roll(t, w, now)
	took := time.Since(begun)
	runtime.ReadMemStats(&after)
	close(end)
	all.Wait()
	st, err := os.Stat(store.Backups(dir)[0].Path)
	must(t, err)
	t.Logf("%d MB in %v; %d commits meanwhile, the longest %v; %d MB of heap more", st.Size()>>20, took.Round(time.Millisecond), during, longest.Round(time.Millisecond),
		(int64(after.HeapSys)-int64(before.HeapSys))>>20)
	if longest > 2*time.Second || st.Size() < 1<<30 {
		t.Errorf("a commit took %v", longest)
	}
}
