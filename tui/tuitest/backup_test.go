//go:build unix

package tuitest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/crawl/webtest"
	"angler/store"
	"angler/store/maintenance"
)

func TestBackupAlone(t *testing.T) {
	t.Parallel()
	x := newCrawl(t, webtest.Options{})
	dir := x.dir
	x.run("crawl", "--max-pages", "200")
	file := filepath.Join(t.TempDir(), "b.tar")
	Must(t, "workspace", "backup", dir, file)
	to := filepath.Join(t.TempDir(), "ws")
	Must(t, "workspace", "restore", to, file)
	closed(t, to)
	want, got := Addresses(t, dir, "pages"), Addresses(t, to, "pages")
	if len(Missing(want, got))+len(Missing(got, want)) > 0 || len(got) == 0 {
		t.Errorf("%d pages were restored of %d", len(got), len(want))
	}
	if out := Must(t, "workspace", "backup", dir, "-").Out; len(out) < 10_000 {
		t.Errorf("standard output got %d bytes", len(out))
	}
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	expect(t, 1, "in use by process", "workspace", "backup", dir, file, "--force")
	if _, err := os.Stat(file); err != nil {
		t.Error("a failed backup took the old one away")
	}
}

// A database with a torn page is refused with the command that restores its backup, and that
// command restores it.
func TestRestoreInPlace(t *testing.T) {
	t.Parallel()
	x := newCrawl(t, webtest.Options{})
	dir := x.dir
	x.run("crawl", "--max-pages", "200")
	want := Addresses(t, dir, "pages")
	expect(t, 1, "has no daily backups", "workspace", "restore", dir)
	if r := Must(t, "workspace", "backups", dir); r.Out != "" || !strings.Contains(r.Err, "has no daily backups yet") {
		t.Errorf("the list without a backup: %q, %q", r.Out, r.Err)
	}
	ws, err := store.Open(dir)
	must(t, err)
	_, err = maintenance.RollBackup(t.Context(), store.SourceOf(ws), 3, time.Now())
	must(t, errors.Join(err, ws.Close()))
	list := Must(t, "workspace", "backups", dir).Out
	if !strings.Contains(list, fmt.Sprintf(" %d pages", len(want))) || !strings.Contains(list, store.BackupFolder) || strings.Count(list, "\n") != 1 {
		t.Errorf("the list: %q", list)
	}
	expect(t, 1, "is not damaged", "workspace", "restore", dir)
	database := store.DatabasePath(dir)
	must(t, os.Truncate(database, 40<<10))
	for _, args := range [][]string{{"export", dir, "pages"}, {"workspace", "check", dir}, {"workspace", "check", dir, "--repair"}} {
		expect(t, 1, "angler workspace restore "+dir, args...)
	}
	newer := store.BackupPath(dir, time.Now().Add(time.Minute))
	must(t, os.WriteFile(newer, []byte("cut off"), 0o600))
	if r := Must(t, "workspace", "restore", dir); !strings.Contains(r.Err, newer+" was not restored") || !strings.Contains(r.Err, database+".damaged") || !strings.Contains(r.Out, "has the database of") {
		t.Errorf("restored: %q, %q", r.Out, r.Err)
	}
	Must(t, "workspace", "check", dir)
	got := Addresses(t, dir, "pages")
	if len(Missing(want, got))+len(Missing(got, want)) > 0 || len(got) == 0 {
		t.Errorf("%d pages were restored of %d", len(got), len(want))
	}
	Must(t, "workspace", "restore", dir, store.Backups(dir)[1].Path, "--force")
	Must(t, "workspace", "check", dir)
}
