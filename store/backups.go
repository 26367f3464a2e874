package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"angler/store/schema"
	"angler/store/sealed"
)

// BackupFolder holds the rolling backups of a workspace; package maintenance makes them.
const BackupFolder = "backups"

// backupName is the name of a rolling backup: its time in UTC.
const backupName = "2006-01-02-150405.tar"

// RollingBackup is a backup that the program makes automatically.
type RollingBackup struct {
	Path string
	Made time.Time
	Size int64 // bytes
}

// BackupPath returns the file of a rolling backup made at a time.
func BackupPath(dir string, at time.Time) string {
	return filepath.Join(dir, BackupFolder, at.UTC().Format(backupName))
}

// Backups lists the rolling backups of the workspace in dir, newest first.
func Backups(dir string) (found []RollingBackup) {
	list, err := os.ReadDir(filepath.Join(dir, BackupFolder))
	if err != nil {
		return nil
	}
	for _, e := range list {
		made, err := time.Parse(backupName, e.Name())
		if err != nil {
			continue
		}
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() {
			found = append(found, RollingBackup{filepath.Join(dir, BackupFolder, e.Name()), made, st.Size()})
		}
	}
	slices.Reverse(found)
	return found
}

// BeforeUpgrade is called with a database of an older schema before Open changes it. Its
// error leaves the database as it is. Package backup sets it.
var BeforeUpgrade = func(*Source) error { return nil }

// advice tells how to repair a damaged database.
func advice(dir string) string {
	return "; see what is damaged with: angler workspace check " + dir + Advice(dir)
}

// Advice tells how to replace a damaged database by its newest backup.
func Advice(dir string) string {
	found := Backups(dir)
	if len(found) == 0 {
		return "; there is no backup in its folder, one from elsewhere is put back by: angler workspace restore " +
			dir + " FILE --force"
	}
	return fmt.Sprintf("; put the backup of %s back, with all newer decisions that can be read, by: angler workspace restore %s",
		found[0].Made.Local().Format("2006-01-02 15:04"), dir)
}

// Created returns when a workspace was made, or the zero time if that cannot be read.
func Created(w *Workspace) (at time.Time) {
	_ = w.db.View(func(tx sealed.Tx) (err error) { // an unreadable row is no time
		at, err = time.Parse(time.RFC3339, string(tx.Bucket(schema.Meta).Get([]byte("created"))))
		return err
	})
	return at
}
