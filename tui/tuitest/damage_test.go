//go:build unix && heavy

package tuitest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"angler/crawl/webtest"
)

// copyOf copies a closed workspace.
func copyOf(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "ws")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// change rewrites rows of a bucket behind the program's back: f gets each n-th and returns its new
// value.
func change(t testing.TB, dir, bucket string, nth int, f func(k, v []byte) []byte) (changed int) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, "crawl.db"), 0, nil)
	must(t, err)
	defer db.Close()
	err = db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucket))
		rows := map[string][]byte{}
		n := 0
		err := b.ForEach(func(k, v []byte) error {
			if n++; n%nth == 0 {
				rows[string(k)] = f(k, bytes.Clone(v))
			}
			return nil
		})
		if err != nil {
			return err
		}
		changed = len(rows)
		for k, v := range rows {
			if err := b.Put([]byte(k), v); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	return changed
}

// flip changes one byte in the middle of a value.
func flip(_, v []byte) []byte {
	if len(v) > 0 {
		v[len(v)/2] ^= 0x5a
	}
	return v
}

func count(out string) int { return strings.Count(out, "\n") }

// Changed bytes in rows are reported, skipped by reading commands, and repaired; then there are as
// many aggregation pages and notices as without damage.
func TestChangedRowsAreReportedLeftOutAndMended(t *testing.T) {
	_, server := Serve(t, webtest.Options{})
	dir := filepath.Join(t.TempDir(), "demo")
	Must(t, "demo", "--dir", dir, "--headless")
	again := func(dir string) { // the work of the next rounds
		t.Helper()
		flags := []string{"--proxy", server.ProxyURL().String(), "--delay", "0", "--json"}
		Must(t, append([]string{"crawl", dir}, flags...)...)
		Must(t, append([]string{"harvest", dir}, flags...)...)
	}
	again(dir)
	aggregations, notices := count(Must(t, "export", dir, "aggregations").Out), count(Must(t, "export", dir, "notices").Out)
	if aggregations < 20 || notices < 100 {
		t.Fatalf("%d aggregation pages, %d notices", aggregations, notices)
	}
	for _, c := range []struct {
		bucket string
		nth    int
		export string // export that shows the damage of the bucket; "": none
	}{
		// The keys of so small a web are in memory, and ids has no row yet.
		{"urls", 97, "frontier"}, {"pages", 97, "pages"}, {"terms", 17, "pages"}, {"links", 97, "links"},
		{"bodies", 97, ""}, {"words", 29, "pages"}, {"hosts", 3, ""}, {"notices", 11, "notices"}, {"samples", 2, "pages"},
		{"decisions", 2, "pages"}, {"events", 2, ""}, {"state", 1, ""}, {"meta", 2, ""},
	} {
		t.Run(c.bucket, func(t *testing.T) {
			dir := copyOf(t, dir)
			if n := change(t, dir, c.bucket, c.nth, flip); n == 0 {
				t.Fatal("the demo has no such row")
			}
			r := Run(t, "workspace", "check", dir)
			if r.Status != 1 || count(r.Out) == 0 || !strings.Contains(r.Err, "--repair") {
				t.Errorf("check ends with %d\n%s%s", r.Status, r.Out, r.Err)
			}
			if c.export != "" {
				r := Run(t, "export", dir, c.export)
				if r.Status != 1 || !strings.Contains(r.Err, "damaged and left out") || !strings.Contains(r.Err, "angler workspace check") || c.export != "frontier" && count(r.Out) == 0 {
					t.Errorf("export %s ends with %d, %d rows\n%s", c.export, r.Status, count(r.Out), r.Err)
				}
			}
			Must(t, "workspace", "check", dir, "--repair")
			if r := Run(t, "workspace", "check", dir); r.Status != 0 {
				t.Errorf("check after the repair ends with %d\n%s%s", r.Status, r.Out, r.Err)
			}
			again(dir)
			if got := count(Must(t, "export", dir, "aggregations").Out); got != aggregations {
				t.Errorf("%d aggregation pages, %d without damage", got, aggregations)
			}
			if got := count(Must(t, "export", dir, "notices").Out); got != notices {
				t.Errorf("%d notices, %d without damage", got, notices)
			}
			Must(t, "workspace", "check", dir)
		})
	}
}

// A row with a huge id costs neither memory nor other rows.
func TestHugeID(t *testing.T) {
	x := newCrawl(t, webtest.Options{Pages: 200, Hosts: 4})
	dir := x.dir
	x.run("crawl")
	rows := count(Must(t, "export", dir, "pages").Out)
	huge := []byte{0, 0, 1, 0, 0, 0, 0, 0}
	for _, bucket := range []string{"urls", "pages", "terms", "links", "notices"} {
		change(t, dir, bucket, 1, func(_, v []byte) []byte { return v })
		db, err := bolt.Open(filepath.Join(dir, "crawl.db"), 0, nil)
		must(t, err)
		err = db.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte(bucket))
			_, v := b.Cursor().First()
			return b.Put(huge, bytes.Clone(v))
		})
		must(t, err)
		db.Close()
	}
	for _, args := range [][]string{{"workspace", "check", dir}, {"export", dir, "pages"}} {
		status, out, errs, took, peak := measured(t, args...)
		if status != 1 || peak > 300<<10 {
			t.Errorf("%s ends with %d after %v of processor time, %d MB: %s", args[0], status, took, peak>>10, errs)
		}
		if args[0] == "export" && count(out) != rows {
			t.Errorf("%d rows, %d without the damage", count(out), rows)
		}
	}
	Must(t, "workspace", "check", dir, "--repair")
	Must(t, "workspace", "check", dir)
}

// measured calls the program and returns its processor time and peak memory in KB, which a busy
// machine does not change. A memory limit makes the garbage collector run, so that the peak is not
// garbage. A hang is cut off.
func measured(t testing.TB, args ...string) (status int, out, errs string, took time.Duration, peak int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	var o, e bytes.Buffer
	c := exec.CommandContext(ctx, Path, args...)
	c.Env = append(os.Environ(), "GOMEMLIMIT=150MiB")
	c.Stdout, c.Stderr = &o, &e
	_ = c.Run() // its status is returned
	if ctx.Err() != nil {
		t.Fatalf("angler %q has not ended after %v\n%.2000s", args, hang, e.String())
	}
	if use, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = use.Maxrss
	}
	return c.ProcessState.ExitCode(), o.String(), e.String(), c.ProcessState.UserTime() + c.ProcessState.SystemTime(), peak
}

// hang is the time after which a command counts as endless.
const hang = 3 * time.Minute

// Damaged files cause no panic, no hang and no excessive memory in any command.
func TestDamagedFiles(t *testing.T) {
	x := newCrawl(t, webtest.Options{Pages: 200, Hosts: 4})
	dir := x.dir
	x.run("crawl")
	want := Must(t, "export", dir, "pages").Out
	whole, err := os.ReadFile(filepath.Join(dir, "crawl.db"))
	must(t, err)
	const copies = 60 // store/maintenance opens and repairs 200 within a process
	said := 0
	for i := range copies {
		rnd := rand.New(rand.NewPCG(uint64(i), 77))
		b, how := spoil(rnd, bytes.Clone(whole))
		must(t, os.WriteFile(filepath.Join(dir, "crawl.db"), b, 0o600))
		reported := false
		for _, args := range [][]string{{"workspace", "check", dir}, {"export", dir, "pages"}} {
			status, out, errs, took, peak := measured(t, args...)
			switch {
			case status != 0 && status != 1 || strings.Contains(errs, "goroutine "):
				t.Errorf("copy %d, %s: %s ends with %d\n%.2000s", i, how, args[0], status, errs)
			case took > 10*time.Second: // of processor time
				t.Errorf("copy %d, %s: %s took %v", i, how, args[0], took)
			case peak > 300<<10:
				t.Errorf("copy %d, %s: %s had %d MB", i, how, args[0], peak>>10)
			case status == 0 && args[0] == "export" && out != want && !reported:
				t.Errorf("copy %d, %s: rows are missing without a message", i, how)
			case status == 1 && !strings.Contains(errs, "angler workspace check") && !strings.Contains(errs, "angler workspace restore"):
				t.Errorf("copy %d, %s: %s does not say what to do: %s", i, how, args[0], errs)
			}
			reported = reported || status == 1
		}
		if reported {
			said++
		}
	}
	t.Logf("%d copies, %d of them reported", copies, said)
}

// spoil damages a file in one of many ways and describes it.
func spoil(rnd *rand.Rand, b []byte) ([]byte, string) {
	const page = 4096
	p, q := rnd.IntN(len(b)/page)*page, rnd.IntN(len(b)/page)*page
	switch rnd.IntN(7) {
	case 0:
		n := rnd.IntN(len(b))
		return b[:n], fmt.Sprintf("cut to %d bytes", n)
	case 1:
		clear(b[p : p+page])
		return b, fmt.Sprintf("page %d zeroed", p/page)
	case 2:
		c := string(b[p : p+page])
		copy(b[p:p+page], b[q:q+page])
		copy(b[q:], c)
		return b, fmt.Sprintf("pages %d and %d swapped", p/page, q/page)
	case 3:
		return append(b, b...), "doubled"
	case 4:
		if rnd.IntN(5) == 0 {
			return nil, "empty"
		}
		i := p + rnd.IntN(64)
		b[i] ^= 1 << rnd.IntN(8)
		return b, fmt.Sprintf("byte %d of page %d", i-p, p/page)
	}
	n := 1 + rnd.IntN(50)
	for range n {
		b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
	}
	return b, fmt.Sprintf("%d bytes", n)
}
