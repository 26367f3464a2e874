package view

import (
	"cmp"
	"fmt"
	"time"

	"angler/crawl/page"
	"angler/store"
	"angler/store/export"
	"angler/topic"
)

// PageRow is one page in exports.
type PageRow struct {
	URL         string      `json:"url"`
	Status      int         `json:"status"`
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Date        string      `json:"date"` // 2006-01-02 or 2006-01-02 15:04, "" when unknown, 2006?-01-02 when the year is guessed
	Score       float64     `json:"score"`
	Aggregation bool        `json:"aggregation"`
	Label       topic.Label `json:"label"`
	Depth       int         `json:"depth"`
	AnchorRatio float64     `json:"anchor_ratio"` // β
	Records     int         `json:"records"`
	FetchedAt   time.Time   `json:"fetched_at"`
	Quality     *float64    `json:"quality,omitempty"` // of an aggregation page, see Quality
}

// Entry is the page in a feed: updated when it was fetched.
func (p PageRow) Entry() export.Entry {
	return export.Entry{URL: p.URL, Title: cmp.Or(p.Title, p.URL), Updated: p.FetchedAt}
}

// NoticeJSON is one notice in exports.
type NoticeJSON struct {
	URL         string             `json:"url"`
	Title       string             `json:"title"`
	Date        string             `json:"date"`
	Text        string             `json:"text"`
	Source      string             `json:"source"`
	Attachments []store.Attachment `json:"attachments"`
	Score       float64            `json:"score"`             // of the aggregation page when harvested
	Quality     *float64           `json:"quality,omitempty"` // see Quality; absent while a run reports it, or without a topic
	FirstSeen   time.Time          `json:"first_seen"`

	dated time.Time // Date
}

// Entry is the notice in a feed: updated when it was first seen.
func (n NoticeJSON) Entry() export.Entry {
	e := export.Entry{URL: n.URL, Title: cmp.Or(n.Title, n.URL), Updated: n.FirstSeen, Published: n.dated, Text: n.Text, Via: n.Source}
	for _, a := range n.Attachments {
		e.Files = append(e.Files, export.File{Name: a.Name, URL: a.URL})
	}
	return e
}

// URLRow is one URL of the frontier in exports.
type URLRow struct {
	URL      string  `json:"url"`
	Priority float64 `json:"priority"`
	Host     string  `json:"host"`
	Depth    int     `json:"depth"`
	State    string  `json:"state"`
	Why      string  `json:"why"` // what went wrong, or the link order's terms
}

// LinkRow is one link of a stored page in exports.
type LinkRow struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

// PageRowOf makes the export row of a stored page; what is not the page's own
// (Aggregation, Label, Depth) is left to the caller.
func PageRowOf(p *store.Page, score float64) PageRow {
	return PageRow{URL: p.URL, Status: p.Status, Type: page.Type(p.Type).String(), Title: cmp.Or(p.Title, p.Head),
		Date: dateText(p.Date, p.Precision), Score: Round(score), AnchorRatio: Round(p.Beta), Records: p.Records, FetchedAt: p.Fetched}
}

func dateText(t time.Time, precision uint8) string {
	return page.Date{Time: t, Precision: page.Precision(precision)}.String()
}

// Round keeps four decimals: more would only be noise in a diff.
func Round(x float64) float64 { return float64(int64(x*1e4+.5)) / 1e4 }

// NoticeJSONOf makes the export row of a stored notice, without its quality.
func NoticeJSONOf(n *store.Notice) NoticeJSON {
	return NoticeJSON{URL: n.URL, Title: n.Title, Date: dateText(n.Date, n.Precision), Text: n.Text, Source: n.Source,
		Attachments: n.Attachments, Score: Round(n.Score), FirstSeen: n.FirstSeen, dated: n.Date}
}

// FeatureRow is one feature word in exports.
type FeatureRow struct {
	Word       string  `json:"word"`
	TF         float64 `json:"tf"`
	DF         int     `json:"df"`
	IDF        float64 `json:"idf"`
	TFdivIDF   float64 `json:"tf_div_idf"`
	TFIDF      float64 `json:"tf_idf"`
	Coverage   float64 `json:"coverage"`
	Background float64 `json:"background_df"`
	Share      float64 `json:"share"`       // of a site's pages, 0 … 1
	Sites      float64 `json:"sites"`       // how many sites use it, by evenness
	OfSites    int     `json:"of_sites"`    // sites that the crawl knows
	NegativeTF float64 `json:"negative_tf"` // share of the negative samples' words
	NegativeDF int     `json:"negative_df"`
	Taken      float64 `json:"taken"` // part of the weight that the negative samples took, 0 … 1
	Weight     float64 `json:"weight"`
	On         bool    `json:"on"`
	Expert     bool    `json:"expert"`
}

// SiteUse says how the sites use a feature word; "" while too few pages tell.
func SiteUse(f topic.Feature) string {
	if f.Sites == 0 {
		return ""
	}
	return fmt.Sprintf(SiteUseFormat, 100*f.Share, f.Users, f.Sites)
}

// SiteUseFormat takes a share in percent, how many sites use a word, and how many
// there are.
const SiteUseFormat = "stands on about %.0f %% of a site's pages, %.1f of %d sites use it"

// FeatureRows makes export rows of the feature table.
func FeatureRows(list []topic.Feature) []FeatureRow {
	rows := make([]FeatureRow, len(list))
	for i, f := range list {
		rows[i] = FeatureRow{Word: f.Word, TF: f.TF, DF: f.DF, IDF: f.IDF, TFdivIDF: f.TFdivIDF, TFIDF: f.TFIDF,
			Coverage: f.Coverage, Background: f.Background,
			Share: Round(f.Share), Sites: Round(f.Users), OfSites: f.Sites,
			NegativeTF: f.NegativeTF, NegativeDF: f.NegativeDF, Taken: f.Taken, Weight: f.Weight, On: f.On, Expert: f.Expert}
	}
	return rows
}
