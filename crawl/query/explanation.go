package query

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
	"angler/crawl/linkorder"
	"angler/crawl/listpage"
	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/topic"
)

// urlExplanation holds the engine's data about one URL.
type urlExplanation struct {
	Asked     string                  `json:"asked"`
	URL       string                  `json:"url"` // canonical
	Scope     bool                    `json:"in_scope"`
	Filter    string                  `json:"filter"`
	Robots    string                  `json:"robots"`
	State     string                  `json:"state"` // "unknown" = never seen
	Reason    string                  `json:"reason,omitempty"`
	Depth     int                     `json:"depth"`
	Source    string                  `json:"source,omitempty"`
	Anchor    string                  `json:"anchor,omitempty"`
	Strategy  string                  `json:"strategy"`
	Priority  float64                 `json:"priority"`
	Why       string                  `json:"why"`
	Link      *linkorder.LinkFeatures `json:"link,omitempty"` // of the first link to it, while its page is stored
	Mark      string                  `json:"mark,omitempty"` // "sample" or "negative sample"
	Label     topic.Label             `json:"label,omitempty"`
	TopicErr  string                  `json:"topic_error,omitempty"` // why the topic can score no page
	Score     *topic.Explanation      `json:"score,omitempty"`
	Learner   *LearnerVerdict         `json:"learner,omitempty"`
	Quality   *inbox.Quality          `json:"quality,omitempty"` // of a notice or an aggregation page
	PageType  string                  `json:"page_type,omitempty"`
	Records   int                     `json:"records"`
	FetchedAt string                  `json:"fetched_at,omitempty"`
	Others    []string                `json:"other_addresses,omitempty"` // other addresses of the same page
	Values    *explainedValues        `json:"fields,omitempty"`          // of a notice
	// of a notice: related notices, and the check of its content
	Kin *ExplainedRelations `json:"kin,omitempty"`
	// of a list or notice: the framed page with the entries
	Frame string `json:"frame,omitempty"`
	// of a framed page: the list that contains it
	Holder  string                    `json:"holder,omitempty"`
	List    string                    `json:"list,omitempty"`       // of a notice: the list that announced it
	Notices int                       `json:"notices,omitempty"`    // of a list: notices found through it
	Alarm   *view.ListAlarm           `json:"alarm,omitempty"`      // fault of an aggregation page
	Missing []listpage.MissingEntries `json:"unfollowed,omitempty"` // list content that could not be followed
}

// Write prints the explanation for people.
func (x *urlExplanation) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	row("url", "%s", x.URL)
	row("filter", "%s", x.Filter)
	row("robots", "%s", x.Robots)
	row("state", "%s %s", x.State, x.Reason)
	if x.State != "unknown" {
		row("depth", "%d from %s", x.Depth, cmp.Or(x.Source, "a seed"))
		row("anchor", "%s", x.Anchor)
		if x.Link != nil {
			row("link", "%s", x.Link)
		}
		row("priority", "%.3f by %s: %s", x.Priority, x.Strategy, x.Why)
	}
	if x.FetchedAt != "" {
		row("page", "%s with %d records, fetched %s", x.PageType, x.Records, x.FetchedAt)
	}
	switch {
	case x.List != "" && x.Frame != "":
		row("notice of", "%s, in its frame %s", x.List, x.Frame)
	case x.List != "":
		row("notice of", "%s", x.List)
	case x.Frame != "":
		row("frame", "its entries stand in %s", x.Frame)
	case x.Holder != "":
		row("frame", "it stands in a frame of %s, which counts its notices, too", x.Holder)
	}
	if x.Notices > 0 && x.Alarm == nil {
		row("list", "%d notices so far", x.Notices)
	}
	if a := x.Alarm; a != nil {
		says := a.Says()
		if a.Kind == view.ListUnfollowed { // printed below
			says = "shows more than is read"
		}
		if a.Muted {
			says += " (muted)"
		}
		row("list", "%s; %d notices so far", says, a.Notices)
	}
	for i := range x.Missing {
		m := &x.Missing[i]
		row("not followed", "%s", view.UnfollowedSays(m.Kind, m.Text, m.Why))
		if m.Help != "" {
			row("", "remedy: %s", listpage.PlainHelp(m.Help))
		}
	}
	for _, u := range x.Others {
		row("same page", "%s", u)
	}
	if x.Mark != "" {
		row("mark", "%s", x.Mark)
	}
	if x.Label != topic.NoLabel {
		row("label", "%s", x.Label)
	}
	if x.TopicErr != "" {
		row("topic", "%s", x.TopicErr)
	}
	if s := x.Score; s != nil {
		row("score", "%.4f, θ %.3f, scheme %s, norm %s, similarity %s", s.Score, s.Theta, s.Scheme, s.Norm,
			s.Similarity)
		if !s.Gate {
			row("gate", "not passed: %.4f before it; a list needs 3 dated records, half of them dated, and is no front page",
				s.Raw)
		}
		for _, c := range s.Words {
			taken := ""
			if c.Taken > 0 {
				taken = fmt.Sprintf(", %.0f %% of its weight taken by the negative samples", 100*c.Taken)
			}
			row("", "%.4f  %s × %d%s", c.Share, c.Word, c.Count, taken)
		}
	}
	if x.Quality != nil {
		row("quality", "%s", x.Quality)
	}
	if x.Values != nil {
		x.Values.write(row)
	}
	if x.Kin != nil {
		x.Kin.write(row)
	}
	if l := x.Learner; l != nil {
		decides := "does not decide"
		if l.InUse {
			decides = "decides"
		}
		row("learner", "%.4f, %s", l.Probability, decides)
		for _, c := range l.Terms {
			row("", "%+.3f  %s", c.Share, c.Name)
		}
	}
	return t.Flush()
}

// explainedValues holds the field values of a notice with their sources.
type explainedValues struct {
	Values    []fields.Value                   `json:"values"`
	Doubtful  []fields.Value                   `json:"doubtful,omitempty"`
	Corrected map[string]*decisions.Correction `json:"corrected,omitempty"` // by field
	Itemised  bool                             `json:"-"`                   // lots are item numbers, see fields.Set
}

// explainValues returns the field values of an explanation; nil without fields.
func explainValues(s *facts.NoticeFacts) *explainedValues {
	if s == nil || len(s.Set.Fields()) == 0 {
		return nil
	}
	return &explainedValues{s.Result.Values, s.Result.Doubtful, s.Corrected, s.Set.Itemised()}
}

// write prints the values for people, one row each.
func (x *explainedValues) write(row func(name, format string, args ...any)) {
	one := func(v *fields.Value) {
		text := printable(v.Norm)
		if v.Lot != "" {
			lot := "lot "
			if x.Itemised {
				lot = "no. "
			}
			text = lot + printable(v.Lot) + ": " + text
		}
		from := ValuePlace(v, x.Corrected[v.Field])
		if v.Doubt != "" {
			text = "? " + text + " (" + v.Doubt + ")"
		}
		row(v.Field, "%s: %s, sure %.2f", text, from, v.Sure)
	}
	for i := range x.Values {
		one(&x.Values[i])
	}
	for name, c := range x.Corrected {
		if len(c.Values) == 0 {
			row(name, "not said: corrected by %s at %s", printable(c.By), c.At.Format("2006-01-02 15:04"))
		}
	}
	for i := range x.Doubtful {
		one(&x.Doubtful[i])
	}
}

// ValuePlace returns the place where a value was read, or its correction by a person. A nil correction means none.
func ValuePlace(v *fields.Value, correction *decisions.Correction) string {
	if correction != nil && v.Source == fields.FromPerson {
		return fmt.Sprintf("corrected by %s at %s", printable(correction.By), correction.At.Format("2006-01-02 15:04"))
	}
	from := string(v.Source)
	if v.Table > 0 {
		from += fmt.Sprintf(" %d, row %d, column %d", v.Table, v.Row, v.Column)
	}
	if v.Label != "" {
		from += ", behind " + printable(strings.TrimSpace(v.Label))
	}
	if v.To > v.From {
		from += fmt.Sprintf(", bytes %d to %d", v.From, v.To)
	}
	if v.Agree > 0 {
		from += fmt.Sprintf(", %d places more say the same", v.Agree)
	}
	return from
}

// printable returns a page's text on one line.
func printable(s string) string { return htmldoc.CleanLine(s, 300) }

// ExplainedRelations is the part of an explanation about related notices.
type ExplainedRelations struct {
	Content  string            `json:"content,omitempty"` // result of the check whether it is a notice
	Doubtful bool              `json:"doubtful"`
	Families []string          `json:"families,omitempty"` // kinds of notice words in it
	Like     float64           `json:"like,omitempty"`     // similarity to accepted notices or to the example
	State    string            `json:"state,omitempty"`    // state of its project
	Deadline *time.Time        `json:"deadline,omitempty"` // the valid deadline
	Project  []inbox.NoticeRef `json:"project,omitempty"`  // notices of its project
	By       string            `json:"project_by,omitempty"`
	Others   []inbox.NoticeRef `json:"same_as,omitempty"` // its other addresses
	SameBy   string            `json:"same_by,omitempty"`
	Versions []inbox.Version   `json:"versions,omitempty"`
}

// explainRelations returns the part of an explanation about related notices.
func explainRelations(k *inbox.Relations) *ExplainedRelations {
	if k == nil {
		return nil
	}
	x := &ExplainedRelations{Content: k.Content(), Families: k.Families, Others: k.Others, SameBy: string(k.Why),
		Versions: k.Versions, State: k.State.String()}
	if k.Check != nil {
		x.Doubtful, x.Like = k.Check.Doubtful, view.Round(k.Check.Like)
	}
	if k.Thread != nil {
		x.By = string(k.Thread.Why)
		if d := k.Thread.Deadline; !d.IsZero() {
			x.Deadline = &d
		}
		for _, s := range k.Steps {
			x.Project = append(x.Project, s.NoticeRef)
		}
	}
	return x
}

// write prints the related notices for people, one row each.
func (x *ExplainedRelations) write(row func(name, format string, args ...any)) {
	if x.Content != "" {
		verdict := "a notice"
		if x.Doubtful {
			verdict = "doubtful"
		}
		row("content", "%s: %s", verdict, x.Content)
	}
	if len(x.Project) > 0 {
		text := fmt.Sprintf("%s, %d notices: %s", cmp.Or(x.State, "state unknown"), len(x.Project),
			notices.MatchReason(x.By).Says())
		if x.Deadline != nil {
			text += ", deadline " + x.Deadline.Format("2006-01-02 15:04")
		}
		row("project", "%s", text)
		for _, n := range x.Project {
			row("", "%s  %s  %s", n.At.Format("2006-01-02"), printable(n.Title), n.URL)
		}
	}
	for _, n := range x.Others {
		row("same as", "%s: %s", n.URL, notices.MatchReason(x.SameBy).Says())
	}
	for _, v := range x.Versions {
		row("changed", "%s, version %d said:", v.Until.Format("2006-01-02 15:04"), v.Number)
		for _, l := range v.Lines {
			if l.Kind != notices.DiffGap {
				row("", "%s %s", l.Kind.Sign(), printable(l.Text))
			}
		}
	}
}

// LearnerVerdict is the learner's judgement of a page, term by term.
type LearnerVerdict struct {
	Probability float64             `json:"probability"`
	InUse       bool                `json:"in_use"`
	Ready       bool                `json:"ready"`
	Terms       []topic.LearnerTerm `json:"terms"`
}
