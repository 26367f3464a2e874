package maintenance

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"angler/store"
	"angler/store/schema"
	"angler/store/sealed"
)

// roll makes a rolling backup of an open workspace.
func roll(t testing.TB, w *store.Workspace, at time.Time) {
	t.Helper()
	_, err := RollBackup(t.Context(), store.SourceOf(w), 3, at)
	must(t, err)
}

// The newest backups are kept, one dated in the future is not, and the file of a killed process is
// removed.
func TestTheNewestBackupsAreKept(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	folder := filepath.Join(dir, store.BackupFolder)
	roll(t, w, now.AddDate(10, 0, 0))
	left := filepath.Join(folder, ".angler-backup-1")
	must(t, os.WriteFile(left, nil, 0o600))
	for day := range 5 {
		roll(t, w, now.AddDate(0, 0, day))
	}
	made := store.Backups(dir)
	if len(made) != 3 || !made[0].Made.Equal(now.AddDate(0, 0, 4)) || !made[2].Made.Equal(now.AddDate(0, 0, 2)) {
		t.Errorf("kept: %+v", made)
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("the file of a killed process is still there")
	}
	if st, err := os.Stat(made[0].Path); err != nil || st.Mode().Perm() != 0o600 || st.Size() != made[0].Size {
		t.Errorf("the file: %v, %v", st, err)
	}
	m, err := ReadManifest(made[0].Path)
	must(t, err)
	if m.Counts == nil || m.Counts.URLs != 500 || m.Attachments || !m.Secrets {
		t.Errorf("the manifest: %+v", m)
	}
	if m, err := RollBackup(t.Context(), store.SourceOf(w), 0, now); m != nil || err != nil {
		t.Errorf("no backups are wanted: %+v, %v", m, err)
	}
	to := filepath.Join(t.TempDir(), "ws")
	_, err = Restore(t.Context(), made[0].Path, to, false, now)
	must(t, err)
	sound(t, to, 500)
}

// A copy of a damaged database replaces no backup.
func TestADamagedDatabaseReplacesNoBackup(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	roll(t, w, now)
	b, err := os.ReadFile(store.DatabasePath(dir))
	must(t, err)
	for at := 2 * os.Getpagesize(); at < len(b); at += os.Getpagesize() {
		if page := b[at : at+os.Getpagesize()]; strings.Contains(string(page), "http://a.test/499/") {
			clear(page)
		}
	}
	must(t, os.WriteFile(store.DatabasePath(dir), b, 0o600)) // opening reads no leaf
	if _, err := RollBackup(t.Context(), store.SourceOf(w), 1, now.AddDate(0, 0, 1)); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a damaged database: %v", err)
	}
	must(t, w.Close())
	made := store.Backups(dir)
	if len(made) != 1 || !made[0].Made.Equal(now) {
		t.Errorf("kept: %+v", made)
	}
	r, err := ReplaceWorkspace(t.Context(), made[0].Path, dir, false)
	must(t, err)
	if r.Unmerged != nil || r.Merged.Lost != 0 {
		t.Errorf("taken over: %+v", r)
	}
	sound(t, dir, 500)
	if _, err := ReplaceWorkspace(t.Context(), made[0].Path, dir, false); !errors.Is(err, errWhole) {
		t.Errorf("a database that is whole: %v", err)
	}
}

// A missing file of the workspace is restored, including the database.
func TestMissingFilesArePutBack(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	roll(t, w, now)
	must(t, w.Close())
	key := filepath.Join(dir, filepath.FromSlash(store.HostKeyName))
	was, err := os.ReadFile(key)
	must(t, err)
	must(t, errors.Join(os.Remove(key), os.Remove(store.DatabasePath(dir))))
	_, err = store.Open(dir)
	if !errors.Is(err, store.ErrDamaged) {
		t.Errorf("opened: %v", err)
	}
	r, err := ReplaceWorkspace(t.Context(), store.Backups(dir)[0].Path, dir, false)
	must(t, err)
	if r.Old != "" {
		t.Errorf("put aside: %s", r.Old)
	}
	if is, err := os.ReadFile(key); err != nil || string(is) != string(was) {
		t.Errorf("the key: %v", err)
	}
	sound(t, dir, 500)
}

// The error of opening names the newest backup and the command that restores it.
func TestOpeningNamesTheBackup(t *testing.T) {
	dir := workspace(t)
	must(t, os.Truncate(store.DatabasePath(dir), int64(3*os.Getpagesize())))
	_, err := store.Open(dir)
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "angler workspace restore "+dir+" FILE --force") {
		t.Errorf("without a backup: %v", err)
	}
	must(t, os.MkdirAll(filepath.Join(dir, store.BackupFolder), 0o700))
	must(t, os.WriteFile(store.BackupPath(dir, now), nil, 0o600))
	_, err = store.Open(dir)
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), now.Local().Format("2006-01-02 15:04")) || !strings.HasSuffix(err.Error(), "angler workspace restore "+dir) {
		t.Errorf("with a backup: %v", err)
	}
}

// A waiting commit ends a copy, which starts again.
func TestACommitEndsACopy(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	src := store.SourceOf(w)
	src.Patience = time.Nanosecond
	write := func() error {
		_, err := WriteBackup(t.Context(), src, discard{}, BackupPlan{Now: now})
		return err
	}
	must(t, write()) // no write meanwhile
	must(t, w.Write(func(sealed.Tx) error {
		if err := write(); !errors.Is(err, store.ErrHeldUp) {
			t.Errorf("beside a commit: %v", err)
		}
		return nil
	}))
	must(t, write())
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// A database of an older schema is backed up before its upgrade, and can be restored.
func TestABackupPrecedesAnUpgrade(t *testing.T) {
	dir := workspace(t)
	db, err := bolt.Open(store.DatabasePath(dir), 0, nil)
	must(t, err)
	must(t, db.Update(func(tx *bolt.Tx) error {
		meta := tx.Bucket(schema.Meta)
		_, err := tx.CreateBucket(schema.Desk)
		return errors.Join(err, tx.DeleteBucket(schema.Decisions),
			meta.Delete(schema.KeySealed), meta.Put(schema.KeySchema, schema.IDKey(schema.Oldest)[4:]))
	}))
	must(t, db.Close())
	w, err := store.Open(dir)
	must(t, err)
	must(t, w.Close())
	made := store.Backups(dir)
	if len(made) != 1 {
		t.Fatalf("made: %+v", made)
	}
	m, err := ReadManifest(made[0].Path)
	must(t, err)
	if m.Schema != schema.Oldest || m.Counts.URLs != 500 {
		t.Errorf("the manifest: %+v", m)
	}
	w, err = store.Open(dir)
	must(t, err)
	must(t, w.Close())
	if again := store.Backups(dir); len(again) != 1 {
		t.Errorf("the next opening made another one: %+v", again)
	}
}
