package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"angler/crawl/article"
	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/jobs"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/topic"
)

// Preview parses one stored page again for display: records, main text, and the reasons for its score.
func (q *Query) Preview(ctx context.Context, id uint64) (*Preview, error) {
	return jobs.Within(ctx, func() (*Preview, error) { return q.preview(id) })
}

func (q *Query) preview(id uint64) (*Preview, error) {
	row, err := q.Store.Page(id)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, fmt.Errorf("url %d has no stored page yet", id)
	}
	if row.Location != "" {
		return nil, fmt.Errorf("it leads to %s", row.Location)
	}
	set := q.Settings.Now().Harvest
	opt := page.Options{Main: set.Method, Second: article.SecondPass{Marks: set.Marks, LinkChars: set.Links}}
	src, err := q.Reader.Source(id, &opt)
	if err != nil {
		return nil, err
	}
	if src == nil {
		return nil, errors.New("the page has no stored body")
	}
	p, why, err := page.Explain(*src, opt)
	if err != nil {
		return nil, err
	}
	v := &Preview{ID: id, URL: row.URL, Title: cmp.Or(p.Title, p.Head), Charset: row.Charset, Type: p.Type,
		Date: p.Date,
		Beta: p.Beta, Records: p.Records, Dated: p.Dated, Text: p.Text, Main: p.Main, Method: p.MainMethod, Blocks: why,
		Limits: p.Limits, Unfollowed: run.StoredMissing(q.Store, id)}
	if state := q.Decisions.State(); state.Model != nil {
		d, _, err := reader.StoredDoc(row, q.Store.TermsOf(id), q.Reader.Lexicon.Len())
		if err != nil {
			return nil, err
		}
		v.Explain, v.HasModel = state.Model.Explain(&d), true
		v.Learner = learnerVerdict(state, &d, v.Explain.Score)
	}
	return v, nil
}

// Source returns the stored HTML of a page, decoded.
func (q *Query) Source(ctx context.Context, id uint64) (string, error) {
	return jobs.Within(ctx, func() (string, error) {
		src, err := q.Reader.Source(id, &page.Options{})
		if err != nil {
			return "", err
		}
		if src == nil {
			return "", errors.New("the page has no stored body")
		}
		text, _ := htmldoc.DecodeText(src.Body, src.ContentType)
		return text, nil
	})
}

// Queue returns the rows of pages to label, in the order of picks.
func (q *Query) Queue(ctx context.Context, picks []topic.Pick) ([]QueueRow, error) {
	rows := make([]QueueRow, 0, len(picks))
	m := q.candidates()
	for _, p := range picks {
		row, err := q.Store.Page(p.ID)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		if row != nil {
			rows = append(rows, QueueRow{CandidateRow: m.row(row), Value: p.Value, Uncertain: p.Uncertain,
				Decides: p.Decides})
		}
	}
	return rows, nil
}

// learnerVerdict returns the learner's judgement of a page; nil without a learner.
func learnerVerdict(s *decisions.State, d *topic.Doc, score float64) *LearnerVerdict {
	if s.Learned == nil {
		return nil
	}
	probability, terms := s.Learned.Explain(d, score)
	return &LearnerVerdict{Probability: view.Round(probability), InUse: s.Learner != nil,
		Ready: s.Learned.Ready(), Terms: terms}
}

// Preview is the display of one stored page beside a list.
type Preview struct {
	ID       uint64
	URL      string
	Title    string
	Charset  string
	Type     page.Type
	Date     article.Date
	Beta     float64
	Records  []listpage.Record
	Dated    int
	Text     string
	Main     string
	Method   string
	Blocks   *page.Explanation // block tree, record groups and reasons
	Explain  topic.Explanation
	Learner  *LearnerVerdict // nil without labels
	HasModel bool            // false without samples: Explain is empty
	Limits   []string

	Unfollowed []listpage.MissingEntries // list content that could not be followed
}
