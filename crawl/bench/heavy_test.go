//go:build heavy

package bench

import (
	"context"
	"errors"
	"testing"

	"angler/crawl/webtest"
)

func TestPeersComeToTheirEnd(t *testing.T) {
	o, dir := small(t)
	o.Peers, o.Only = true, []string{"wget"}
	table := measured(t, o)
	if len(table.Rows) != 1 { // .ci/run installs it
		t.Fatalf("wget was not measured: %+v", table)
	}
	if r := table.Rows[0]; r.Note != "" || r.Found < table.Pages || r.CPU <= 0 || r.Version == "" || r.Disk < 1000 {
		t.Errorf("of %d pages: %+v", table.Pages, r)
	}
	nothingIn(t, dir)
}

// TestStopped ends a benchmark while its first crawler is at work.
func TestStopped(t *testing.T) {
	o, dir := small(t)
	o.Pages = []int{100_000}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(string, int, int) { cancel() }
	material, err := webtest.FindMaterial()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, material, o)
	if !errors.Is(err, context.Canceled) || len(r.Tables) != 1 || len(r.Tables[0].Rows) != 0 {
		t.Errorf("%v: %+v", err, r)
	}
	nothingIn(t, dir)
}
