package crawl

import (
	"context"
	"errors"

	"angler/topic"
)

// ScoreRow is the score of one page, stored or not.
type ScoreRow struct {
	URL     string            `json:"url"`
	Title   string            `json:"title"`
	Score   float64           `json:"score"`
	Theta   float64           `json:"theta"`
	Above   bool              `json:"above"`
	Gate    bool              `json:"gate"` // at least 3 dated records and at least half dated
	Records int               `json:"records"`
	Dated   int               `json:"dated"`
	Explain topic.Explanation `json:"-"`
}

// ErrNoModel means that there is nothing to score by.
var ErrNoModel = errors.New("no samples yet; add some list pages: angler sample DIR add URL…")

// TopicErr says why the topic in force can judge no page; nil while it can, or
// while there is none.
func (e *Engine) TopicErr() error {
	j := e.judge.Load()
	if j == nil || j.model == nil {
		return nil
	}
	return j.model.Err()
}

// Score judges a stored page, a URL (fetched now, not stored) or a file under
// the current model.
func (e *Engine) Score(ctx context.Context, urlOrFile string) (ScoreRow, error) {
	j := e.judge.Load()
	if j.model == nil {
		return ScoreRow{}, ErrNoModel
	}
	if err := e.TopicErr(); err != nil {
		return ScoreRow{}, err
	}
	m, title, err := e.material(ctx, urlOrFile, "")
	if err != nil {
		return ScoreRow{}, err
	}
	p, err := e.samplePage(m)
	if err != nil {
		return ScoreRow{}, err
	}
	d := e.doc(e.dict.Load(), p)
	x := j.model.Explain(&d)
	return ScoreRow{URL: m.URL, Title: title, Score: round(x.Score), Theta: round(x.Theta), Above: x.Above, Gate: x.Gate,
		Records: len(p.Records), Dated: p.Dated, Explain: x}, nil
}
