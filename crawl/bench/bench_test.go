package bench

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"angler/crawl/webtest"
)

// roleVar makes the binary of the tests a process of a benchmark; its value is where
// the tests were started, because a process runs in a folder of its own.
const roleVar = "ANGLER_TEST_BENCH"

func TestMain(m *testing.M) {
	home := os.Getenv(roleVar)
	if home == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	material := os.DirFS(filepath.Join(home, "../../testdata/web"))
	if err := Child(ctx, material, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// small is a benchmark of two thousand pages, whose files lie in the folder it returns.
func small(t *testing.T) (Options, string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(roleVar, home)
	return Options{Pages: []int{2000}, Workers: 4, Runs: 1, Most: 5 * time.Minute, Child: os.Args[:1]}, dir
}

func measured(t *testing.T, o Options) Table {
	t.Helper()
	material, err := webtest.FindMaterial()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), material, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables of one web", len(r.Tables))
	}
	return r.Tables[0]
}

func nothingIn(t *testing.T, dir string) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(dir, "angler-bench-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestOwnCrawlers(t *testing.T) {
	o, dir := small(t)
	table := measured(t, o)
	if len(table.Rows) != len(own) {
		t.Fatalf("%d rows: %+v", len(table.Rows), table.Rows)
	}
	for _, r := range table.Rows {
		if r.Note != "" || r.Found < table.Pages || r.Requests < r.Found || r.Rate <= 0 || r.CPU <= 0 || r.CPURatio <= 0 {
			t.Errorf("of %d pages: %+v", table.Pages, r)
		}
	}
	if ours, bare := table.Rows[0], table.Rows[1]; ours.Lists == 0 || ours.Disk < 1000 || bare.RateRatio != 1 || bare.CPURatio != 1 || bare.Disk != 0 {
		t.Errorf("ours %+v, the bare crawler %+v", ours, bare)
	}
	nothingIn(t, dir)
}

// TestTimeIsUp ends a crawler that takes too long, and says so.
func TestTimeIsUp(t *testing.T) {
	o, dir := small(t)
	o.Most, o.Only = time.Nanosecond, []string{bareName}
	if r := measured(t, o).Rows[0]; !strings.Contains(r.Note, errTooLong.Error()) && !strings.Contains(r.Note, "deadline") {
		t.Errorf("%+v", r)
	}
	nothingIn(t, dir)
}

func TestUnknownCrawler(t *testing.T) {
	o, _ := small(t)
	o.Only = []string{"curl"}
	if _, err := Run(t.Context(), nil, o); err == nil || !strings.Contains(err.Error(), "choose of: angler, bare, colly") {
		t.Errorf("%v", err)
	}
}

func TestMedian(t *testing.T) {
	got := median([]Row{{Rate: 3, CPU: 9, Found: 5}, {Rate: 1, CPU: 7, Found: 4, Note: "late"}, {Rate: 2, CPU: 8, Found: 6}})
	if got.Rate != 2 || got.CPU != 8 || got.Found != 4 || got.Note != "late" {
		t.Errorf("%+v", got)
	}
}
