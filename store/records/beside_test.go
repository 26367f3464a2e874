package records_test

import (
	"errors"
	"testing"
	"time"

	"angler/store"
	"angler/store/records"
)

// A workspace that is open elsewhere shows a run without an end as killed, and its row stays
// unchanged.
func TestRunsOfAWorkspaceThatCannotBeWritten(t *testing.T) {
	dir, w := workspace(t)
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	_, err := records.BeginRun(w, &records.Run{Task: "discovery", By: "wang", Start: start, Seen: start.Add(time.Minute)})
	must(t, err)
	beside, err := store.OpenBeside(t.Context(), dir)
	must(t, err)
	defer beside.Close()
	if runs, err := records.Runs(beside, 0, 10); err != nil || len(runs) != 1 || runs[0].End != records.RunKilled {
		t.Errorf("rows %+v, %v", runs, err)
	}
	if _, n, err := records.SettleRuns(beside); n != 0 || !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("settled %d, %v", n, err)
	}
}
