package crawl

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/schema"
)

// The daily backup is made a minute after opening or when a run begins, once a day; a
// clock that was ahead puts none off.
func TestTheDailyBackup(t *testing.T) {
	dir := t.TempDir()
	set := config.Default()
	set.Seeds, set.Store.Backups = []string{"http://a.test/"}, 2
	must(t, store.Create(dir, set))
	begun := time.Now().Truncate(time.Second)
	var hours atomic.Int64 // on the clock since begun
	e, err := Open(t.Context(), dir, Options{By: "wang", Now: func() time.Time { return begun.Add(time.Duration(hours.Load()) * time.Hour) }})
	must(t, err)
	made := func(when string, since time.Time, want ...time.Duration) {
		t.Helper()
		e.backUpIfDue(since)
		var got []time.Duration
		for _, b := range store.Backups(dir) {
			got = append(got, b.Made.Sub(begun))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: backups of %v, want %v", when, got, want)
		}
	}
	made("at the first run of a new workspace", store.Created(e.ws))
	made("a minute after opening", time.Time{}, 0)
	if e.successes.backup.Load() == 0 {
		t.Error("the metrics do not know the backup")
	}
	made("an hour later", time.Time{}, 0)
	hours.Store(25)
	made("at a run of the next day", store.Created(e.ws), 25*time.Hour, 0)
	hours.Store(1)
	made("when the clock is set back", time.Time{}, time.Hour, 0)
	told := func(text string) bool {
		return slices.ContainsFunc(e.events.Tail(), func(ev view.Event) bool { return strings.Contains(ev.Text.String(), text) })
	}
	if !told("daily backup made") || told("no daily backup") {
		t.Errorf("events: %+v", e.events.Tail())
	}
	e.ws.Damage.Add(schema.Pages, []byte("1"), errors.New("a test"))
	e.dailyBackup(e.opt.Now())
	if !told("no daily backup is made while rows are damaged") {
		t.Errorf("events: %+v", e.events.Tail())
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
