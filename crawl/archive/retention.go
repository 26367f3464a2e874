package archive

import (
	"context"
	"fmt"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/revisit"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
	"angler/store/sealed"
	"angler/topic"
)

// DroppedData counts deleted data; in a dry run, data that would be deleted.
type DroppedData struct {
	Bodies     int   `json:"bodies"`
	BodyBytes  int64 `json:"body_bytes"` // compressed bytes, less the page features that stay
	Notices    int   `json:"notice_bodies"`
	Events     int   `json:"events"`
	EventBytes int64 `json:"event_bytes"`
	Runs       int   `json:"runs"`
	Versions   int   `json:"versions"` // of notices
	Files      int   `json:"attachments"`
	FileBytes  int64 `json:"attachment_bytes"`
}

// Empty reports whether nothing was deleted.
func (d DroppedData) Empty() bool { return d == DroppedData{} }

// String returns a summary in a few words.
func (d DroppedData) String() string {
	return fmt.Sprintf("%d bodies of pages and %d of notices (%.1f MB), %d earlier versions, %d files of attachments (%.1f MB), %d logged decisions, %d rows of the history",
		d.Bodies, d.Notices, float64(d.BodyBytes)/1e6, d.Versions, d.Files, float64(d.FileBytes)/1e6, d.Events, d.Runs)
}

// RetentionEnabled reports whether any setting deletes data.
func RetentionEnabled(r *config.Retention) bool {
	return r.BodyDays > 0 || r.NoticeBodyDays > 0 || r.VersionDays > 0 || r.AttachmentDays > 0 || r.EventDays > 0 ||
		r.RunDays > 0
}

// Retain deletes data past its retention; dry only counts it. A job shows the progress. If ctx ends
// or a user cancels, deleted data is gone and the rest stays for the next call. It may run beside
// everything else.
func (a *Archive) Retain(ctx context.Context, dry bool) (d DroppedData, err error) {
	set := a.Settings.Now().Retention
	if !RetentionEnabled(&set) {
		return d, nil
	}
	ctx, err = a.Jobs.Await(ctx, "deleting rows past their retention", a.Store.Counts().Pages)
	if err != nil {
		return d, err
	}
	defer a.Jobs.End()
	if set.BodyDays > 0 || set.NoticeBodyDays > 0 {
		if err := a.bodies(ctx, &set, dry, &d); err != nil {
			return d, err
		}
	}
	if set.VersionDays > 0 {
		if d.Versions, err = a.versions(ctx, a.daysAgo(set.VersionDays), dry); err != nil {
			return d, err
		}
	}
	if set.AttachmentDays > 0 {
		s := a.Decisions.State()
		keep := func(notice uint64) bool { return s.Remarks[notice] != nil || s.Corrected[notice] != nil }
		if d.Files, d.FileBytes, err = a.Files.Delete(a.daysAgo(set.AttachmentDays), keep, dry); err != nil {
			return d, err
		}
	}
	if set.EventDays > 0 {
		if d.Events, d.EventBytes, err = DropEvents(a.Store, a.daysAgo(set.EventDays), dry); err != nil {
			return d, err
		}
	}
	if set.RunDays > 0 {
		if d.Runs, err = records.DropRuns(a.Store, a.daysAgo(set.RunDays), dry); err != nil {
			return d, err
		}
	}
	if !dry && !d.Empty() {
		a.Events.Note("info", "deleted, past its retention: %v", d)
	}
	return d, nil
}

func (a *Archive) daysAgo(days int) time.Time { return a.Now().AddDate(0, 0, -days) }

// versions deletes versions of notices that ended before a time.
func (a *Archive) versions(ctx context.Context, before time.Time, dry bool) (n int, err error) {
	if dry {
		err := a.Store.View(func(tx sealed.Tx) error { n = records.OldVersions(tx, before); return nil })
		return n, err
	}
	for next := []byte{}; next != nil; {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		gone := 0
		err := a.Store.Write(func(tx sealed.Tx) (err error) {
			gone, next, err = records.PruneVersions(tx, before, next, dropBatch)
			return err
		})
		if err != nil {
			return n, err
		}
		n += gone
	}
	return n, nil
}

// dropBatch bounds the rows of one transaction.
const dropBatch = 1024

// bodies deletes the bodies of pages whose last fetch is past its retention.
func (a *Archive) bodies(ctx context.Context, set *config.Retention, dry bool, d *DroppedData) error {
	keep := a.keepsBody()
	notices := map[uint64]bool{}
	ids, err := a.Store.NoticeIDs()
	if err != nil {
		return err
	}
	for _, id := range ids {
		notices[id] = true
	}
	visits := revisit.Believed{Now: a.Now()}
	var batch []uint64
	var before time.Time // of the batch: the later of the two bounds; each page was compared with its own
	left := map[uint64]records.PageTraces{}
	drop := func() (err error) {
		if !dry && len(batch) > 0 {
			_, err = store.DropBodies(a.Store, batch, left, before)
		}
		batch = batch[:0]
		clear(left)
		return err
	}
	for p, err := range jobs.Until(ctx, a.Store.Pages()) {
		if err != nil {
			return err
		}
		a.Jobs.Done.Add(1)
		days := set.BodyDays
		if notices[p.ID] {
			days = set.NoticeBodyDays
		}
		if days == 0 || !visits.Time(p.Fetched).Before(a.daysAgo(days)) || keep(p) {
			continue
		}
		n, err := store.BodySize(a.Store, p.ID)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		var stays records.PageTraces
		if a.Reader.Learns(p.ID, p.URL) {
			if stays.Host = a.Reader.Leaves(p.ID); len(stays.Host) == 0 || len(stays.Host) > records.MaxHostTrace {
				continue
			}
		}
		if notices[p.ID] {
			if stays.Tables = a.Reader.LeavesTables(p.ID); len(stays.Tables) > records.MaxTableTrace {
				continue
			}
		}
		kept := len(stays.Host) + len(stays.Tables)
		if kept >= n {
			continue // nothing would be saved
		}
		n -= kept
		left[p.ID] = stays
		d.BodyBytes += int64(n)
		if notices[p.ID] {
			d.Notices++
		} else {
			d.Bodies++
		}
		if bound := a.daysAgo(days); bound.After(before) {
			before = bound
		}
		if batch = append(batch, p.ID); len(batch) == dropBatch {
			if err := drop(); err != nil {
				return err
			}
		}
	}
	return drop()
}

// keepsBody returns a function that reports whether a page's body stays, whatever its age.
func (a *Archive) keepsBody() func(*store.Page) bool {
	s := a.Decisions.State()
	keep := map[string]bool{}
	for _, mark := range s.Marks() {
		keep[mark.URL] = true
	}
	lists := a.Decisions.Lists()
	return func(p *store.Page) bool {
		return keep[p.URL] || lists[p.ID] || s.Labels[p.ID] != topic.NoLabel || s.Remarks[p.ID] != nil ||
			s.Corrected[p.ID] != nil
	}
}
