package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"angler/crawl/auth"
	"angler/store"
	"angler/store/backup"
)

// errBackup is returned while another backup of the workspace is made.
var errBackup = errors.New("a backup is under way; wait for it to end")

// backups are made one at a time.
type backups struct{ making sync.Mutex }

// Backup writes a backup of the workspace to w, without secrets: whoever gets it
// may sit at another machine. It is made in a file of the
// workspace's folder and verified before the first byte is written, so w may be as
// slow as it likes, and there must be room for a copy of the database and of the
// documents, which bare leaves out.
func (e *Engine) Backup(ctx context.Context, w io.Writer, bare bool) error {
	return e.back(auth.Backup, func() (*backup.Manifest, error) {
		f, m, err := backup.Stage(ctx, store.SourceOf(e.ws), e.ws.Dir(), backup.Plan{Now: e.opt.Now(), NoAttachments: bare})
		if err != nil {
			return nil, err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return m, err
	})
}

// BackupFile writes a backup of the workspace, secrets among it, into a file of this
// machine; see backup.WriteFile.
func (e *Engine) BackupFile(ctx context.Context, path string, replace bool) error {
	return e.back(auth.Export, func() (*backup.Manifest, error) {
		return backup.WriteFile(ctx, store.SourceOf(e.ws), path, replace, backup.Plan{Now: e.opt.Now(), Secrets: true})
	})
}

// back does one backup and tells of it.
func (e *Engine) back(action auth.Action, do func() (*backup.Manifest, error)) error {
	if err := e.May(action); err != nil {
		return err
	}
	if !e.backups.making.TryLock() {
		return errBackup
	}
	defer e.backups.making.Unlock()
	m, err := do()
	if err != nil {
		e.events.Note("error", "backup: %v", err)
		return err
	}
	e.landmarks.backup.Store(e.opt.Now().Unix())
	e.events.Did(e.Name, fmt.Sprintf("backup, %d MB", m.Bytes()>>20))
	return nil
}
