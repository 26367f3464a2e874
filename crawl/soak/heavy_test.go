//go:build heavy

package soak

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// The flags of TestSoak.
var (
	soakFor    = flag.Duration("for", 2*time.Minute, "TestSoak begins no disturbed crawl later; it makes at least one")
	soakSeed   = flag.Uint64("seed", 0, "seed of TestSoak's mix of events; random if not given")
	soakPages  = flag.Int("pages", 0, "pages of TestSoak's web; 0 is the demo's some 3,500")
	soakKeep   = flag.String("keep", "", "folder in which TestSoak keeps all workspaces")
	soakEvents = flag.String("events", "", "events of TestSoak, such as kill,nxdomain,clock; all if not given")
)

// TestSoak crawls the demo web with all kinds of events and expects the result of an
// undisturbed crawl. The seed determines the mix of events.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls for two minutes: not in -short")
	}
	t.Setenv(roleVar, "child")
	o := Options{For: *soakFor, Seed: *soakSeed, Pages: *soakPages, Dir: *soakKeep, Keep: *soakKeep != "", Log: t.Logf}
	if o.Seed == 0 {
		o.Seed = rand.Uint64() >> 32 // short enough to type
	}
	if *soakEvents != "" {
		o.Events = strings.Split(*soakEvents, ",")
	}
	if !o.Keep {
		dir, err := os.MkdirTemp("", "angler-soak-")
		must(t, err)
		o.Dir = dir
		t.Cleanup(func() {
			if !t.Failed() {
				os.RemoveAll(dir)
			}
		})
	}
	t.Logf("-seed %d, workspaces in %s", o.Seed, o.Dir)
	r, err := Run(t.Context(), material(t), o)
	for _, row := range r.Rows {
		t.Logf("%-8s %d times in %d crawls, %d differ %s", row.Event, row.Times, row.Crawls, row.Differing, row.Difference)
	}
	t.Logf("undisturbed: %v; %d crawls by %d processes", r.Calm, r.Crawls, r.Processes)
	must(t, err)
	if len(r.Differences) > 0 {
		t.Errorf("crawls differ from the undisturbed one, kept in %q; repeat with -seed %d:\n%s", r.Kept, o.Seed, strings.Join(r.Differences, "\n"))
	}
	if r.Crawls == 0 || len(r.Rows) == 0 || r.Processes < 5 || o.Pages == 0 && r.Calm.Notices < 200 {
		t.Errorf("%+v", r)
	}
}

// TestSoakFindsWhatIsLost soaks a program that forgets labels after its undisturbed
// crawl: the report must name them and the workspace, and every event that happened.
func TestSoakFindsWhatIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("two crawls of the demo web: not in -short")
	}
	t.Setenv(roleVar, "child")
	o := Options{Seed: 1, Dir: t.TempDir(), Events: []string{"kill"}}
	o.Log = func(format string, args ...any) {
		if strings.HasPrefix(format, "undisturbed") {
			os.Setenv(roleVar, "forgetful")
		}
		t.Logf(format, args...)
	}
	r, err := Run(context.Background(), material(t), o)
	must(t, err)
	if len(r.Differences) == 0 || !strings.Contains(r.Differences[0], "labels: 6 missing, 0 extra, 0 other, of 6") {
		t.Errorf("differences %q, want six labels", r.Differences)
	}
	if len(r.Kept) != 1 || r.Crawls != 1 || len(r.Rows) != 1 || r.Rows[0].Event != "kill" || r.Rows[0].Differing != 1 {
		t.Errorf("%+v", r)
	}
	for _, dir := range append(r.Kept, o.Dir+"/undisturbed") {
		if _, err := os.Stat(dir + "/crawl.db"); err != nil {
			t.Errorf("a workspace to compare is gone: %v", err)
		}
	}
}
