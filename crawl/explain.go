package crawl

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
	"angler/topic"
)

// URLExplanation is all that is known of one URL and why.
type URLExplanation struct {
	Asked     string             `json:"asked"`
	URL       string             `json:"url"` // canonical
	Scope     bool               `json:"in_scope"`
	Filter    string             `json:"filter"`
	Robots    string             `json:"robots"`
	State     string             `json:"state"` // "unknown" when it was never seen
	Reason    string             `json:"reason,omitempty"`
	Depth     int                `json:"depth"`
	Source    string             `json:"source,omitempty"`
	Anchor    string             `json:"anchor,omitempty"`
	Strategy  string             `json:"strategy"`
	Priority  float64            `json:"priority"`
	Why       string             `json:"why"`
	Mark      string             `json:"mark,omitempty"` // "sample" or "anti-sample"
	Label     topic.Label        `json:"label,omitempty"`
	TopicErr  string             `json:"topic_error,omitempty"` // why the topic can judge no page
	Score     *topic.Explanation `json:"score,omitempty"`
	Learner   *LearnerVerdict    `json:"learner,omitempty"`
	Quality   *Quality           `json:"quality,omitempty"` // of a notice
	PageType  string             `json:"page_type,omitempty"`
	Records   int                `json:"records"`
	FetchedAt string             `json:"fetched_at,omitempty"`
}

// LearnerVerdict is what the learner makes of a page, term by term.
type LearnerVerdict struct {
	Probability float64           `json:"probability"`
	InUse       bool              `json:"in_use"`
	Ready       bool              `json:"ready"`
	Terms       []topic.JudgeTerm `json:"terms"`
}

// Explain says what the engine makes of a URL: its canonical form, the
// verdicts of scope, filters and robots.txt, its state, and, when it was
// fetched, its score word by word. It may ask the host for its robots.txt.
func (e *Engine) Explain(ctx context.Context, raw string) (*URLExplanation, error) {
	canonical, err := e.resolver.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("%q is no http address (%v)", raw, err)
	}
	x := &URLExplanation{Asked: raw, URL: canonical, State: "unknown", Strategy: e.Settings().Crawl.Strategy}
	reason := e.filter.Load().Check(canonical, urls.ClassOf(canonical))
	x.Filter, x.Scope = reason.String(), reason != urls.OutOfScope
	switch allowed, rule, err := e.fetcher.Robots(ctx, canonical); {
	case err != nil:
		x.Robots = "unknown: " + errText(err)
	case allowed:
		x.Robots = "allowed"
	default:
		x.Robots = "forbidden"
		if rule != "" {
			x.Robots += " by " + rule
		}
	}
	if row, marked := e.sampleOf(canonical); marked {
		x.Mark = map[bool]string{true: "anti-sample", false: "sample"}[row.Anti]
	}
	id, known := e.ws.Lookup(canonical)
	if !known {
		return x, nil
	}
	u, err := e.ws.URL(id)
	if err != nil {
		return nil, err
	}
	links, err := e.linkOrder()
	if err != nil {
		return nil, err
	}
	row := links.row(u)
	x.State, x.Reason, x.Depth, x.Anchor = u.State.String(), u.Reason, u.Depth, u.Anchor
	x.Priority, x.Why = row.Priority, row.Why
	if u.Source != 0 {
		if src, err := e.ws.URL(u.Source); err == nil && src != nil {
			x.Source = src.URL
		}
	}
	if n, err := e.ws.Notice(id); err == nil && n != nil {
		if _, err := e.RankNotices(ctx); err != nil {
			return nil, err
		}
		if q := e.qualities()(id); q != nil {
			x.Quality = &Quality{round(q.Value), round(q.Similarity), round(q.PageRank), q.T}
		}
	}
	return x, e.explainPage(x, u)
}

func (e *Engine) explainPage(x *URLExplanation, u *store.URL) error {
	p, err := e.ws.Page(u.ID)
	if err != nil || p == nil {
		return err
	}
	x.PageType, x.Records, x.FetchedAt = page.Type(p.Type).String(), p.Records, p.Fetched.Format("2006-01-02 15:04:05")
	e.desk.Lock()
	x.Label = e.labels[u.ID]
	e.desk.Unlock()
	j := e.judge.Load()
	terms := e.ws.TermsOf(u.ID)
	if j.model == nil || len(terms) == 0 {
		return nil
	}
	d, _, err := decodeDoc(terms, e.lex.Len())
	if err != nil {
		return err
	}
	d.URL, d.Beta = p.URL, p.Beta
	ex := j.model.Explain(&d)
	x.Score = &ex
	if err := e.TopicErr(); err != nil {
		x.TopicErr = err.Error()
	}
	x.Learner = e.learnerVerdict(&d, ex.Score)
	return nil
}

// learnerVerdict is what the learner makes of a page; nil while there is none.
func (e *Engine) learnerVerdict(d *topic.Doc, score float64) *LearnerVerdict {
	e.desk.Lock()
	learned := e.learned
	e.desk.Unlock()
	if learned == nil {
		return nil
	}
	probability, terms := learned.Explain(d, score)
	return &LearnerVerdict{Probability: round(probability), InUse: e.judge.Load().learner != nil, Ready: learned.Ready(), Terms: terms}
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
		row("depth", "%d from %s", x.Depth, firstOf(x.Source, "a seed"))
		row("anchor", "%s", x.Anchor)
		row("priority", "%.3f by %s: %s", x.Priority, x.Strategy, x.Why)
	}
	if x.FetchedAt != "" {
		row("page", "%s with %d records, fetched %s", x.PageType, x.Records, x.FetchedAt)
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
		row("score", "%.4f, θ %.3f, scheme %s, norm %s", s.Score, s.Theta, s.Scheme, s.Norm)
		if !s.Gate {
			row("gate", "not passed: %.4f before it; a list needs 3 dated records and half of them dated", s.Raw)
		}
		for _, c := range s.Words {
			taken := ""
			if c.Taken > 0 {
				taken = fmt.Sprintf(", %.0f %% of its weight taken by the anti-samples", 100*c.Taken)
			}
			row("", "%.4f  %s × %d%s", c.Share, c.Word, c.Count, taken)
		}
	}
	if x.Quality != nil {
		row("quality", "%s", x.Quality)
	}
	if l := x.Learner; l != nil {
		row("learner", "%.4f%s", l.Probability, map[bool]string{true: ", decides", false: ", does not decide"}[l.InUse])
		for _, c := range l.Terms {
			row("", "%+.3f  %s", c.Share, c.Name)
		}
	}
	return t.Flush()
}
