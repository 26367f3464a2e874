package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"angler/crawl/revisit"
	"angler/crawl/view"
	"angler/store"
)

// This file is what the harvest screen asks: the notices with their lists, one
// notice in full, and what every list has brought home.

// Notices reads the notices whose title, text or address holds every word of
// query ("" = all), newest first, at most most of them, and counts the yield of
// every list. It reads all stored notices.
func (q *Query) Notices(ctx context.Context, query string, most int) (*view.NoticeBook, error) {
	words := strings.Fields(strings.ToLower(query))
	labels, quality := q.Decisions.State().Labels, q.qualities()
	b := &view.NoticeBook{Yields: map[uint64]view.ListYield{}, Lists: map[uint64]*view.Quality{}, T: q.Settings().Harvest.SimilarityShare}
	lists, listQuality := q.listQualities()
	for _, id := range lists {
		b.Lists[id] = listQuality(id)
	}
	type seen struct {
		list uint64
		at   time.Time
	}
	var all []seen
	var newest time.Time
	first := revisit.Believed{Now: q.Now()}
	for x, err := range until(ctx, q.Store.Notices()) {
		if err != nil {
			return nil, err
		}
		x.FirstSeen = first.Time(x.FirstSeen)
		all = append(all, seen{x.SourceID, x.FirstSeen})
		if x.FirstSeen.After(newest) {
			newest = x.FirstSeen
		}
		if !holds(x, words) {
			continue
		}
		b.Total++
		row := view.NoticeItem{NoticeRow: view.NoticeRowOf(x), Source: x.Source, Score: x.Score, Quality: quality(x.ID), Attachments: len(x.Attachments)}
		row.Label = labels[x.ID]
		b.Rows = append(b.Rows, row)
		if len(b.Rows) >= 2*most {
			b.Rows = newestNotices(b.Rows, most)
		}
	}
	b.Rows = newestNotices(b.Rows, most)
	for _, s := range all {
		y := b.Yields[s.list]
		y.Notices++
		if newest.Sub(s.at) < 24*time.Hour {
			y.New++
		}
		b.Yields[s.list] = y
	}
	return b, nil
}

func holds(n *store.Notice, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(n.Title + "\n" + n.Text + "\n" + n.URL)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func newestNotices(rows []view.NoticeItem, most int) []view.NoticeItem {
	slices.SortStableFunc(rows, func(a, b view.NoticeItem) int {
		return cmp.Or(b.At.Compare(a.At), b.Date.Time.Compare(a.Date.Time))
	})
	return rows[:min(len(rows), max(0, most))]
}

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
	d := &view.NoticeDetail{NoticeItem: view.NoticeItem{NoticeRow: view.NoticeRowOf(x), Source: x.Source, Score: x.Score, Quality: q.qualities()(id), Attachments: len(x.Attachments)},
		Text: x.Text, Method: x.Method, Files: x.Attachments, Confirmed: s.Confirmed(x.SourceID)}
	d.Label = s.Labels[id]
	if p, err := q.Store.Page(x.SourceID); err == nil && p != nil {
		d.SourceTitle = cmp.Or(p.Head, p.Title)
	}
	d.Theta = s.Theta()
	if s.Patterns != nil {
		d.Pattern = s.Patterns.FindString(x.Title)
	}
	return d, nil
}
