package query

import (
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"angler/crawl/article"
	"angler/crawl/attachments"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/store"
	"angler/store/export"
)

// NoticeJSON is one notice in exports.
type NoticeJSON struct {
	URL         string                     `json:"url"`
	Title       string                     `json:"title"`
	Date        string                     `json:"date"`
	Text        string                     `json:"text"`
	Source      string                     `json:"source"`
	Attachments []attachments.DocumentJSON `json:"attachments"`
	Score       float64                    `json:"score"` // of the aggregation page when harvested
	// see Quality; absent in reports of a run, or without a topic
	Quality   *float64  `json:"quality,omitempty"`
	FirstSeen time.Time `json:"first_seen"`
	// field values; absent in reports of a run, or in a workspace without fields
	Fields *fields.PlainNotice `json:"fields,omitempty"`

	// Related notices, absent in reports of a run; see inbox.Relations.
	State    string          `json:"state,omitempty"`    // state of its project
	Thread   string          `json:"thread,omitempty"`   // number of its project, or address of its first notice
	SameAs   string          `json:"same_as,omitempty"`  // address of the notice that this one duplicates
	Doubtful string          `json:"doubtful,omitempty"` // why it may not be a notice
	Changed  string          `json:"changed,omitempty"`  // when its last change was found
	Versions []inbox.Version `json:"versions,omitempty"` // earlier versions, newest first
	Frame    string          `json:"frame,omitempty"`    // framed page of source with the entry

	dated time.Time // Date as a time
}

// belongs fills the fields for related notices.
func (n *NoticeJSON) belongs(k *inbox.Relations) {
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

// Entry returns the notice as a feed entry. Its update time is when it was first seen.
func (n NoticeJSON) Entry() export.Entry {
	e := export.Entry{URL: n.URL, Title: cmp.Or(n.Title, n.URL), Updated: n.FirstSeen, Published: n.dated,
		Text: n.Text, Via: n.Source}
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
func (n NoticeJSON) More() map[string]export.Value {
	if n.Fields == nil {
		return nil
	}
	return facts.TableValues(*n.Fields)
}

// NoticeJSONOf returns the export row of a stored notice, without its quality.
func NoticeJSONOf(n *store.Notice) NoticeJSON {
	return NoticeJSON{URL: n.URL, Title: n.Title, Date: article.Date{Time: n.Date,
		Precision: article.DatePrecision(n.Precision)}.String(), Text: n.Text, Source: n.Source, Frame: n.Frame,
		Attachments: attachments.DocumentsJSON(n.Attachments), Score: view.Round(n.Score), FirstSeen: n.FirstSeen,
		dated: n.Date}
}

// Reporter receives the pages and notices of a run; terminals and JSON writers implement it. One goroutine at a time
// calls it. Methods must return soon, because they delay commits.
type Reporter interface {
	Page(view.PageRow)
	Notice(NoticeJSON)
}

// Silent is a Reporter without output.
type Silent struct{}

// Page implements Reporter.
func (Silent) Page(view.PageRow) {}

// Notice implements Reporter.
func (Silent) Notice(NoticeJSON) {}

// jsonLines reports pages or notices as JSON lines.
type jsonLines struct {
	mu      sync.Mutex
	enc     *json.Encoder
	pages   bool
	notices bool
}

// NewJSONLines returns a reporter that writes the chosen rows to w.
func NewJSONLines(w io.Writer, pages, notices bool) *jsonLines {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &jsonLines{enc: enc, pages: pages, notices: notices}
}

// Page implements Reporter.
func (j *jsonLines) Page(p view.PageRow) { j.put(j.pages, p) }

// Notice implements Reporter.
func (j *jsonLines) Notice(n NoticeJSON) { j.put(j.notices, n) }

func (j *jsonLines) put(wanted bool, row any) {
	if wanted {
		j.mu.Lock()
		defer j.mu.Unlock()
		// The command that owns the pipe notices its end.
		_ = j.enc.Encode(row)
	}
}
