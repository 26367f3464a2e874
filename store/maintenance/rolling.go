package maintenance

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/modes"
	"angler/store/sealed"
)

// patience is how long a commit waits for a rolling backup. The backup then starts again with twice
// the patience, because on a slow disk every commit takes long.
const patience = 250 * time.Millisecond

// maxAttempts bounds how often a rolling backup starts.
const maxAttempts = 5

func init() { store.BeforeUpgrade = beforeUpgrade }

// beforeUpgrade makes a rolling backup of a database before its upgrade.
func beforeUpgrade(src *store.Source) error {
	set, err := config.Read(src.Dir)
	if err != nil {
		return err
	}
	if _, err := RollBackup(context.Background(), src, set.Store.Backups, time.Now()); err != nil {
		return fmt.Errorf("the database must be upgraded, and no backup of it can be made before (%w); "+
			"free some space, or set store.backups to 0", err)
	}
	return nil
}

// RollBackup writes a rolling backup of a workspace without attachments, and deletes all but the
// newest keep. The backup appears when its bytes and the pages of its database are verified. Memory
// is bounded. A commit waits for it at most patience, which doubles with each of maxAttempts. With
// keep 0 it does nothing and returns nil.
func RollBackup(ctx context.Context, src *store.Source, keep int, now time.Time) (m *Manifest, err error) {
	if keep <= 0 {
		return nil, nil
	}
	folder := filepath.Join(src.Dir, store.BackupFolder)
	if err := modes.MakeFolder(folder); err != nil {
		return nil, err
	}
	killed, _ := filepath.Glob(filepath.Join(folder, temporaryName)) // the pattern is valid
	for _, name := range killed {
		os.Remove(name)
	}
	st, err := os.Stat(store.DatabasePath(src.Dir))
	if err != nil {
		return nil, err
	}
	if free, _, ok := modes.Disk(folder); ok && free/2 < st.Size() {
		return nil, fmt.Errorf("the disk has %d MB free, less than twice the size of the database", free>>20)
	}
	path := store.BackupPath(src.Dir, now)
	for try := range maxAttempts {
		src.Patience = patience << try
		m, err = receive(ctx, path, false, sealed.Leaves, func(w io.Writer) error {
			_, err := WriteBackup(ctx, src, w, BackupPlan{Now: now, Secrets: true, NoAttachments: true})
			return err
		})
		if !errors.Is(err, store.ErrHeldUp) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return m, errors.Join(expire(src.Dir, path, keep, now), modes.SyncFolder(folder))
}

// expire deletes all rolling backups but the newest and made. Backups dated in the future, by a
// wrong clock, count as the oldest.
func expire(dir, made string, keep int, now time.Time) (err error) {
	var past, future []store.RollingBackup
	for _, b := range store.Backups(dir) {
		if b.Made.After(now) {
			future = append(future, b)
		} else {
			past = append(past, b)
		}
	}
	for i, b := range slices.Concat(past, future) {
		if i >= keep && b.Path != made {
			err = errors.Join(err, os.Remove(b.Path))
		}
	}
	return err
}

// ReadManifest reads the manifest of an archive without verifying the archive.
func ReadManifest(path string) (*Manifest, error) {
	f, _, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for t := tar.NewReader(f); ; {
		h, err := t.Next()
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrNotWhole, err)
		}
		if h.Name != manifestName {
			continue
		}
		m := new(Manifest)
		if err := json.NewDecoder(io.LimitReader(t, maxManifest)).Decode(m); err != nil {
			return nil, fmt.Errorf("%w: the manifest: %v", ErrNotWhole, err)
		}
		return m, nil
	}
}
