package view

import (
	"cmp"
	"time"

	"angler/crawl/article"
	"angler/crawl/page"
	"angler/store"
	"angler/store/export"
	"angler/topic"
)

// PageRow is one exported page.
type PageRow struct {
	URL         string      `json:"url"`
	Status      int         `json:"status"`
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Date        string      `json:"date"` // 2006-01-02 or 2006-01-02 15:04; "" = unknown; 2006?-01-02 = year guessed
	Score       float64     `json:"score"`
	Aggregation bool        `json:"aggregation"`
	Label       topic.Label `json:"label"`
	Depth       int         `json:"depth"`
	AnchorRatio float64     `json:"anchor_ratio"` // β
	Records     int         `json:"records"`
	FetchedAt   time.Time   `json:"fetched_at"`
	Quality     *float64    `json:"quality,omitempty"` // of an aggregation page, see Quality
	// list content that the crawler could not follow, and why; joined by "; "
	Unfollowed string `json:"unfollowed,omitempty"`
}

// Entry returns the page as a feed entry. Its update time is the fetch time.
func (p PageRow) Entry() export.Entry {
	return export.Entry{URL: p.URL, Title: cmp.Or(p.Title, p.URL), Updated: p.FetchedAt}
}

// PageRowOf returns the export row of a stored page. The caller fills Aggregation, Label and Depth.
func PageRowOf(p *store.Page, score float64) PageRow {
	return PageRow{URL: p.URL, Status: p.Status, Type: page.Type(p.Type).String(), Title: cmp.Or(p.Title, p.Head),
		Date: article.Date{Time: p.Date, Precision: article.DatePrecision(p.Precision)}.String(), Score: Round(score),
		AnchorRatio: Round(p.Beta), Records: p.Records, FetchedAt: p.Fetched}
}

// Round keeps four decimals; more would be noise in a diff.
func Round(x float64) float64 { return float64(int64(x*1e4+.5)) / 1e4 }
