package crawl

import (
	"context"
	"errors"
	"strings"

	"angler/crawl/archive"
	"angler/crawl/attachments"
	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/lab"
	"angler/crawl/query"
)

// This file holds services for one person. A method checks the permission, or combines two services.

// Labels sets and reads the labels of pages for one person.
type Labels struct {
	*decisions.Topic
	query *query.Query
}

// LabelQueue returns the next n pages to label, see topic.Scores.Queue. Samples and negative samples are already
// confirmed and left out.
func (l *Labels) LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error) {
	return l.query.Queue(ctx, l.Queue(n))
}

// Pages reads stored pages and notices.
type Pages struct {
	actor auth.Actor
	*query.Query
}

// ExportFile writes a local file, see query.Query.ExportFile.
func (p *Pages) ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	if err := p.actor.May(auth.Export); err != nil {
		return 0, err
	}
	return p.Query.ExportFile(ctx, plan, path, replace)
}

// Documents holds the attachments of notices.
type Documents struct {
	actor auth.Actor
	*attachments.Documents
}

// Ask fetches the attachments of notices in the background, see attachments.Documents.Ask.
func (d *Documents) Ask(ids []uint64) (int, error) {
	if err := d.actor.May(auth.FetchFiles); err != nil {
		return 0, err
	}
	return d.Documents.Ask(ids)
}

// Lab compares link orders on the stored crawl.
type Lab struct {
	actor auth.Actor
	*lab.Lab
}

// Compare replays the stored crawl, see lab.Lab.Compare. A remote person may not name a file of targets, which would
// be the server's.
func (l *Lab) Compare(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	if err := l.actor.May(auth.Replay); err != nil {
		return nil, err
	}
	if l.actor.Remote && strings.HasPrefix(strings.TrimSpace(plan.Target), "file:") {
		return nil, errors.New("over SSH targets are a rule, not a file")
	}
	return l.Lab.Compare(ctx, plan)
}

// Archive reads and writes web archives.
type Archive struct {
	actor auth.Actor
	*archive.Archive
}

// ImportFile reads a local file, see archive.Archive.ImportFile.
func (a *Archive) ImportFile(ctx context.Context, path string) (archive.Imported, error) {
	if err := a.actor.May(auth.TakeIn); err != nil {
		return archive.Imported{}, err
	}
	return a.Archive.ImportFile(ctx, path)
}
