package crawl

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/maintenance"
)

// errBackup means that another backup of the workspace is running.
var errBackup = errors.New("a backup is under way; wait for it to end")

// backups serialises backups.
type backups struct {
	making sync.Mutex
	begun  view.Signal // a run started
}

const (
	backupFirst = time.Minute    // after opening, so that short commands make none
	backupLook  = time.Hour      // interval of checks
	backupEvery = 24 * time.Hour // interval of daily backups
)

// keepBackups makes the daily backup while the workspace is open. It checks a minute after opening, every hour, and
// when a run starts.
func (c *core) keepBackups() {
	look := time.NewTimer(backupFirst)
	defer look.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.backups.begun:
			c.backUpIfDue(store.Created(c.ws)) // a new workspace can wait
		case <-look.C:
			look.Reset(backupLook)
			c.backUpIfDue(time.Time{})
		}
	}
}

// backUpIfDue makes the daily backup if the newest one is a day old. Without any backup, since takes its place.
func (c *core) backUpIfDue(since time.Time) {
	now := c.opt.Now()
	if made := store.Backups(c.ws.Dir()); len(made) > 0 {
		since = made[0].Made
		if since.After(now) { // the clock was ahead
			since = time.Time{}
		}
	}
	if now.Sub(since) >= backupEvery {
		c.dailyBackup(now)
	}
}

// dailyBackup makes a rolling backup, unless rows are damaged: older backups may hold them intact.
func (c *core) dailyBackup(now time.Time) {
	keep := c.settings.Now().Store.Backups
	if keep == 0 || !c.backups.making.TryLock() {
		return
	}
	defer c.backups.making.Unlock()
	if c.ws.Damage.Len() > 0 {
		c.events.Note("warn", "no daily backup is made while rows are damaged; run: angler workspace check %s --repair",
			c.ws.Dir())
		return
	}
	m, err := maintenance.RollBackup(c.ctx, store.SourceOf(c.ws), keep, now)
	switch {
	case c.ctx.Err() != nil:
	case err != nil:
		c.events.Note("error", "no daily backup was made: %v", err)
	default:
		c.successes.backup.Store(now.Unix())
		c.events.Note("info", "daily backup made, %d MB", m.Bytes()>>20)
	}
}

// Backup writes a backup without secrets to w, because its reader may be on another machine. It makes and verifies a
// file in the workspace's folder first, so w may be slow. It needs disk space for a copy of the database and
// attachments; bare leaves out attachments.
func (e *Engine) Backup(ctx context.Context, w io.Writer, bare bool) error {
	return e.back(auth.Backup, func() (*maintenance.Manifest, error) {
		f, m, err := maintenance.StageBackup(ctx, store.SourceOf(e.ws), e.ws.Dir(),
			maintenance.BackupPlan{Now: e.opt.Now(), NoAttachments: bare})
		if err != nil {
			return nil, err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return m, err
	})
}

// BackupFile writes a backup with secrets to a local file; see maintenance.WriteBackupFile.
func (e *Engine) BackupFile(ctx context.Context, path string, replace bool) error {
	return e.back(auth.Export, func() (*maintenance.Manifest, error) {
		return maintenance.WriteBackupFile(ctx, store.SourceOf(e.ws), path, replace,
			maintenance.BackupPlan{Now: e.opt.Now(), Secrets: true})
	})
}

// back makes one backup and logs it.
func (e *Engine) back(action auth.Action, do func() (*maintenance.Manifest, error)) error {
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
	e.successes.backup.Store(e.opt.Now().Unix())
	e.events.Did(e.Name, message.Of("backup, %d MB", m.Bytes()>>20))
	return nil
}
