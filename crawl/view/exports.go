package view

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"angler/crawl/fields"
	"angler/crawl/page"
	"angler/store"
	"angler/store/export"
	"angler/store/export/table"
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
	Quality     *float64    `json:"quality,omitempty"`    // of an aggregation page, see Quality
	Unfollowed  string      `json:"unfollowed,omitempty"` // what it shows of a list and nothing follows, why; "; " between several
}

// Entry is the page in a feed: updated when it was fetched.
func (p PageRow) Entry() export.Entry {
	return export.Entry{URL: p.URL, Title: cmp.Or(p.Title, p.URL), Updated: p.FetchedAt}
}

// NoticeJSON is one notice in exports.
type NoticeJSON struct {
	URL         string              `json:"url"`
	Title       string              `json:"title"`
	Date        string              `json:"date"`
	Text        string              `json:"text"`
	Source      string              `json:"source"`
	Attachments []DocumentJSON      `json:"attachments"`
	Score       float64             `json:"score"`             // of the aggregation page when harvested
	Quality     *float64            `json:"quality,omitempty"` // see Quality; absent while a run reports it, or without a topic
	FirstSeen   time.Time           `json:"first_seen"`
	Fields      *fields.PlainNotice `json:"fields,omitempty"` // what it says; absent while a run reports it, or in a workspace without fields

	// What belongs to it, absent while a run reports it; see Kindred.
	State    string    `json:"state,omitempty"`    // how far its project is
	Thread   string    `json:"thread,omitempty"`   // number of its project, or address of the first notice of it
	SameAs   string    `json:"same_as,omitempty"`  // address of the notice of which this is another address
	Doubtful string    `json:"doubtful,omitempty"` // why it may be no notice
	Changed  string    `json:"changed,omitempty"`  // when it was last found to say something else
	Versions []Version `json:"versions,omitempty"` // what it said before, the newest first
	Frame    string    `json:"frame,omitempty"`    // where source shows it in a frame: the page in that frame

	dated time.Time // Date
}

// Belongs takes up what belongs to the notice.
func (n *NoticeJSON) Belongs(k *Kindred) {
	if k == nil {
		return
	}
	n.State, n.Versions = k.State.String(), k.Versions
	if k.Thread != nil {
		if n.Thread = k.Thread.Number; n.Thread == "" && len(k.Steps) > 0 {
			n.Thread = k.Steps[0].URL
		}
	}
	if len(k.Others) > 0 && k.Others[0].ID < k.ID {
		n.SameAs = k.Others[0].URL
	}
	if k.Check != nil && k.Check.Doubtful {
		n.Doubtful = k.Content()
	}
	if len(k.Versions) > 0 {
		n.Changed = k.Versions[0].Until.Format(time.RFC3339)
	}
}

// Entry is the notice in a feed: updated when it was first seen.
func (n NoticeJSON) Entry() export.Entry {
	e := export.Entry{URL: n.URL, Title: cmp.Or(n.Title, n.URL), Updated: n.FirstSeen, Published: n.dated, Text: n.Text, Via: n.Source}
	for _, a := range n.Attachments {
		e.Files = append(e.Files, export.File{Name: a.Name, URL: a.URL})
	}
	if n.Doubtful != "" {
		e.Text = strings.TrimSuffix("may be no notice: "+n.Doubtful+"\n\n"+e.Text, "\n\n")
	}
	if n.Fields != nil {
		if line := n.Fields.Line(); line != "" {
			e.Text = strings.TrimSuffix(line+"\n\n"+e.Text, "\n\n")
		}
	}
	return e
}

// More implements export.Wider.
func (n NoticeJSON) More() map[string]table.Value {
	if n.Fields == nil {
		return nil
	}
	return TableValues(*n.Fields)
}

// TableValues are the values of a notice as tables have them, by the names of fields.
func TableValues(v fields.PlainNotice) map[string]table.Value {
	out := map[string]table.Value{}
	for i := range v.Set.Fields() {
		f := &v.Set.Fields()[i]
		switch plain := v.Plain(f); len(plain) {
		case 0:
		case 1:
			out[f.Name] = tableValue(f, fmt.Sprint(plain[0]))
		default:
			out[f.Name] = table.JSONOf(plain, len(plain))
		}
	}
	return out
}

func tableValue(f *fields.Field, text string) table.Value {
	switch f.Type {
	case fields.Money, fields.Number:
		if x, err := strconv.ParseFloat(text, 64); err == nil && f.Type == fields.Money {
			return table.MoneyOf(x)
		} else if err == nil {
			return table.NumberOf(x)
		}
	case fields.Time:
		return table.DateOf(text)
	}
	return table.TextOf(text)
}

// TableColumns are the columns of fields, their heads in English or with zh in Chinese; an
// analyst's own have the head that they were given.
func TableColumns(set *fields.Set, lang string) []table.Column {
	var out []table.Column
	for _, f := range set.Fields() {
		kind := map[fields.Type]table.Kind{fields.Money: table.Money, fields.Number: table.Number, fields.Time: table.Time}[f.Type]
		out = append(out, table.Column{Name: f.Name, Title: f.Heading(lang != "zh"), Kind: max(kind, table.Text)})
	}
	return out
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
	return NoticeJSON{URL: n.URL, Title: n.Title, Date: dateText(n.Date, n.Precision), Text: n.Text, Source: n.Source, Frame: n.Frame,
		Attachments: DocumentsJSON(n.Attachments), Score: Round(n.Score), FirstSeen: n.FirstSeen, dated: n.Date}
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
	return fmt.Sprintf(siteUseFormat, 100*f.Share, f.Users, f.Sites)
}

// siteUseFormat takes a share in percent, how many sites use a word, and how many
// there are.
const siteUseFormat = "stands on about %.0f %% of a site's pages, %.1f of %d sites use it"

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
