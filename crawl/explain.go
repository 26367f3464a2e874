package crawl

import (
	"context"
	"fmt"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// Explain says what the engine makes of a URL: its canonical form, the
// verdicts of scope, filters and robots.txt, its state, and, when it was
// fetched, its score word by word. It may ask the host for its robots.txt.
func (e *Engine) Explain(ctx context.Context, raw string) (*view.URLExplanation, error) {
	canonical, err := e.resolver.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("%q is no http address (%v)", raw, err)
	}
	x := &view.URLExplanation{Asked: raw, URL: canonical, State: "unknown", Strategy: e.Settings().Crawl.Strategy}
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
		x.Mark = map[bool]string{true: "anti-sample", false: "sample"}[row.Negative]
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
			x.Quality = &view.Quality{Value: view.Round(q.Value), Similarity: view.Round(q.Similarity), PageRank: view.Round(q.PageRank), T: q.T}
		}
	}
	return x, e.explainPage(x, u)
}

func (e *Engine) explainPage(x *view.URLExplanation, u *store.URL) error {
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
func (e *Engine) learnerVerdict(d *topic.Doc, score float64) *view.LearnerVerdict {
	e.desk.Lock()
	learned := e.learned
	e.desk.Unlock()
	if learned == nil {
		return nil
	}
	probability, terms := learned.Explain(d, score)
	return &view.LearnerVerdict{Probability: view.Round(probability), InUse: e.judge.Load().learner != nil, Ready: learned.Ready(), Terms: terms}
}
