package query

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"angler/crawl/article"
	"angler/crawl/attachments"
	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/urls"
)

// Notice returns one notice with its details.
func (q *Query) Notice(ctx context.Context, id uint64) (*NoticeDetail, error) {
	x, err := q.Store.Notice(id)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, fmt.Errorf("url %d is no notice", id)
	}
	s := q.Decisions.State()
	d := &NoticeDetail{ID: id, URL: x.URL, Host: urls.HostOf(x.URL), Title: x.Title,
		Date: article.Date{Time: x.Date, Precision: article.DatePrecision(x.Precision)}, At: x.FirstSeen,
		Source: x.Source, Frame: x.Frame, Score: x.Score, Quality: q.Inbox.Qualities()(id), Text: x.Text,
		Method:    x.Method,
		Confirmed: s.Confirmed(x.SourceID, x.Source), Marks: s.Remarks[id]}
	if p, err := q.Store.Page(x.SourceID); err == nil && p != nil {
		d.SourceTitle = cmp.Or(p.Head, p.Title)
	}
	if d.Files, err = q.Documents.Of(x); err != nil {
		return nil, err
	}
	d.Theta = s.Theta()
	if s.Patterns != nil {
		d.Pattern = s.Patterns.Find(x.Title)
	}
	return d, nil
}

// NoticeDetail is one notice with the reasons for its harvest.
type NoticeDetail struct {
	ID          uint64
	URL, Host   string
	Title       string
	Date        article.Date
	At          time.Time      // first seen
	Source      string         // address of the aggregation page
	Frame       string         // framed page of Source with the entry; "" = no frame
	Score       float64        // of the aggregation page when harvested
	Quality     *inbox.Quality // nil before RankNotices, or without a topic
	Marks       *decisions.Marks
	Text        string
	Method      string // method that found the text
	SourceTitle string
	Files       []attachments.Document
	Theta       float64
	Confirmed   bool   // an analyst confirmed the list, so all its records are taken
	Pattern     string // matches of the notice patterns in the title; "" = none
}

// RankNotices computes the PageRank of all pages, see inbox.Inbox.RankNotices.
func (q *Query) RankNotices(ctx context.Context) (changed bool, err error) {
	return q.Inbox.RankNotices(ctx)
}
