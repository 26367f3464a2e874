package view

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/topic"
)

// URLExplanation is all that is known of one URL and why.
type URLExplanation struct {
	Asked     string                `json:"asked"`
	URL       string                `json:"url"` // canonical
	Scope     bool                  `json:"in_scope"`
	Filter    string                `json:"filter"`
	Robots    string                `json:"robots"`
	State     string                `json:"state"` // "unknown" when it was never seen
	Reason    string                `json:"reason,omitempty"`
	Depth     int                   `json:"depth"`
	Source    string                `json:"source,omitempty"`
	Anchor    string                `json:"anchor,omitempty"`
	Strategy  string                `json:"strategy"`
	Priority  float64               `json:"priority"`
	Why       string                `json:"why"`
	Link      *LinkFeatures         `json:"link,omitempty"` // of the first link to it, while its page is stored
	Mark      string                `json:"mark,omitempty"` // "sample" or "negative sample"
	Label     topic.Label           `json:"label,omitempty"`
	TopicErr  string                `json:"topic_error,omitempty"` // why no page can score under the topic
	Score     *topic.Explanation    `json:"score,omitempty"`
	Learner   *LearnerVerdict       `json:"learner,omitempty"`
	Quality   *Quality              `json:"quality,omitempty"` // of a notice or an aggregation page
	PageType  string                `json:"page_type,omitempty"`
	Records   int                   `json:"records"`
	FetchedAt string                `json:"fetched_at,omitempty"`
	Others    []string              `json:"other_addresses,omitempty"` // that show the same page
	Values    *ExplainedValues      `json:"fields,omitempty"`          // of a notice
	Kin       *ExplainedRelations   `json:"kin,omitempty"`             // of a notice: what belongs to it, and whether it is one
	Frame     string                `json:"frame,omitempty"`           // of a list or a notice: the page in a frame that shows the entries
	Holder    string                `json:"holder,omitempty"`          // of a page in a frame: the list that holds it
	List      string                `json:"list,omitempty"`            // of a notice: that announced it
	Notices   int                   `json:"notices,omitempty"`         // of a list: what it has brought home
	Alarm     *ListAlarm            `json:"alarm,omitempty"`           // what is wrong with an aggregation page
	Missing   []page.MissingEntries `json:"unfollowed,omitempty"`      // what the page shows of a list and nothing follows
}

// LinkFeatures are the four values that P4 3.2 takes of a link, and its block's own.
type LinkFeatures struct {
	TextLen     int     `json:"text_len"`     // characters of the anchor
	StopWord    bool    `json:"stop_word"`    // it begins with a word of navigation
	StopAddress bool    `json:"stop_address"` // it leads to another host
	TextSim     float64 `json:"text_sim"`     // share of its pairs of characters that the page's title has
	Special     bool    `json:"special"`      // words before the block announce related links
	Noise       bool    `json:"noise"`        // the block is noise
	Text        bool    `json:"text"`         // the block has more text than links
	Beta        float64 `json:"beta"`         // of the page: link characters ÷ others
}

func (l *LinkFeatures) String() string {
	block := "a block of links"
	switch {
	case l.Text:
		block = "a block of text"
	case l.Noise:
		block = "a block of noise"
	}
	return fmt.Sprintf("TextLen %d, StopWord %t, StopAddress %t, TextSim %.2f; SpecialWords %t, in %s, β of the page %.2f",
		l.TextLen, l.StopWord, l.StopAddress, l.TextSim, l.Special, block, l.Beta)
}

// Write prints the explanation for people.
func (x *URLExplanation) Write(w io.Writer) error {
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
		muted := map[bool]string{true: " (muted)"}[a.Muted]
		says := a.Says()
		if a.Kind == ListUnfollowed { // told below
			says = "shows more than is read"
		}
		row("list", "%s%s; %d notices so far", says, muted, a.Notices)
	}
	for i := range x.Missing {
		m := &x.Missing[i]
		row("not followed", "%s", UnfollowedSays(m.Kind, m.Text, m.Why))
		if m.Help != "" {
			row("", "what would help: %s", listpage.PlainHelp(m.Help))
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
		row("score", "%.4f, θ %.3f, scheme %s, norm %s, similarity %s", s.Score, s.Theta, s.Scheme, s.Norm, s.Similarity)
		if !s.Gate {
			row("gate", "not passed: %.4f before it; a list needs 3 dated records, half of them dated, and is no front page", s.Raw)
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
		row("learner", "%.4f%s", l.Probability, map[bool]string{true: ", decides", false: ", does not decide"}[l.InUse])
		for _, c := range l.Terms {
			row("", "%+.3f  %s", c.Share, c.Name)
		}
	}
	return t.Flush()
}
