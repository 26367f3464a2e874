package decisions

import (
	"context"

	"angler/crawl/view"
)

// Score scores a stored page, a URL (fetched now, not stored) or a file under
// the current model.
func (t *Topic) Score(ctx context.Context, urlOrFile string) (scoreRow, error) {
	s := t.d.State()
	if s.Model == nil {
		return scoreRow{}, ErrNoModel
	}
	if err := s.Err(); err != nil {
		return scoreRow{}, err
	}
	m, title, err := t.d.material(ctx, urlOrFile, "")
	if err != nil {
		return scoreRow{}, err
	}
	p, err := t.d.Reader.Sample(m)
	if err != nil {
		return scoreRow{}, err
	}
	doc := t.d.Reader.Count(t.d.Reader.Dict(), p)
	x := s.Model.Explain(&doc)
	return scoreRow{URL: m.URL, Title: title, Score: view.Round(x.Score), Theta: view.Round(x.Theta), Above: x.Above,
		Gate:    x.Gate,
		Records: len(p.Records), Dated: p.Dated, Explain: x}, nil
}
