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
	"angler/store/backup"
)

// errBackup is returned while another backup of the workspace is made.
var errBackup = errors.New("a backup is under way; wait for it to end")

// backups are made one at a time.
type backups struct {
	making sync.Mutex
	begun  view.Signal // a run has begun
}

const (
	backupFirst = time.Minute    // after opening, so that short commands make none
	backupLook  = time.Hour      // between two looks whether a backup is due
	backupEvery = 24 * time.Hour // between two daily backups
)

// keepBackups makes the daily backup while the workspace is open: it looks a minute after
// opening, every hour, and when a run begins.
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

// backUpIfDue makes the daily backup if the newest one is a day old; without any, if
// since is.
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

// dailyBackup makes a rolling backup, unless rows are damaged that older ones may hold
// whole.
func (c *core) dailyBackup(now time.Time) {
	keep := c.settings.Now().Store.Backups
	if keep == 0 || !c.backups.making.TryLock() {
		return
	}
	defer c.backups.making.Unlock()
	if c.ws.Damage.Len() > 0 {
		c.events.Note("warn", "no daily backup is made while rows are damaged; run: angler workspace check %s --repair", c.ws.Dir())
		return
	}
	m, err := backup.Roll(c.ctx, store.SourceOf(c.ws), keep, now)
	switch {
	case c.ctx.Err() != nil:
	case err != nil:
		c.events.Note("error", "no daily backup was made: %v", err)
	default:
		c.landmarks.backup.Store(now.Unix())
		c.events.Note("info", "daily backup made, %d MB", m.Bytes()>>20)
	}
}

// Backup writes a backup of the workspace to w, without secrets: its reader may sit at
// another machine. It is made in a file of the workspace's folder and verified before the
// first byte is written, so w may be as slow as it likes. There must be room for a copy of
// the database and of the documents, which bare leaves out.
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
	e.events.Did(e.Name, message.Of("backup, %d MB", m.Bytes()>>20))
	return nil
}
