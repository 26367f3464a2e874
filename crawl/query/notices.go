package query

import (
	"cmp"
	"context"
	"fmt"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
)

// Notice returns one notice in full.
func (q *Query) Notice(ctx context.Context, id uint64) (*view.NoticeDetail, error) {
	x, err := q.Store.Notice(id)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, fmt.Errorf("url %d is no notice", id)
	}
	s := q.Decisions.State()
	d := &view.NoticeDetail{ID: id, URL: x.URL, Host: urls.HostOf(x.URL), Title: x.Title, Date: page.Date{Time: x.Date, Precision: page.Precision(x.Precision)}, At: x.FirstSeen,
		Source: x.Source, Frame: x.Frame, Score: x.Score, Quality: q.Qualities()(id), Text: x.Text, Method: x.Method,
		Confirmed: s.Confirmed(x.SourceID, x.Source), Marks: s.Remarks[id]}
	if p, err := q.Store.Page(x.SourceID); err == nil && p != nil {
		d.SourceTitle = cmp.Or(p.Head, p.Title)
	}
	if q.Documents != nil {
		if d.Files, err = q.Documents.Of(x); err != nil {
			return nil, err
		}
	}
	d.Theta = s.Theta()
	if s.Patterns != nil {
		d.Pattern = s.Patterns.Find(x.Title)
	}
	return d, nil
}
