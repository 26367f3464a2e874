package crawl

import (
	"angler/crawl/view"
	"context"
	"errors"
)

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
func (e *Engine) Score(ctx context.Context, urlOrFile string) (view.ScoreRow, error) {
	j := e.judge.Load()
	if j.model == nil {
		return view.ScoreRow{}, ErrNoModel
	}
	if err := e.TopicErr(); err != nil {
		return view.ScoreRow{}, err
	}
	m, title, err := e.material(ctx, urlOrFile, "")
	if err != nil {
		return view.ScoreRow{}, err
	}
	p, err := e.samplePage(m)
	if err != nil {
		return view.ScoreRow{}, err
	}
	d := e.doc(e.dict.Load(), p)
	x := j.model.Explain(&d)
	return view.ScoreRow{URL: m.URL, Title: title, Score: view.Round(x.Score), Theta: view.Round(x.Theta), Above: x.Above, Gate: x.Gate,
		Records: len(p.Records), Dated: p.Dated, Explain: x}, nil
}
