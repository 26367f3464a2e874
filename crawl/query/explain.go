package query

import (
	"context"
	"fmt"
	"slices"

	"angler/crawl/fetch"
	"angler/crawl/inbox"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// Explain is ExplainStored with the verdict of robots.txt. It may fetch the host's robots.txt.
func (q *Query) Explain(ctx context.Context, raw string) (*urlExplanation, error) {
	x, err := q.ExplainStored(ctx, raw)
	if err != nil {
		return nil, err
	}
	switch allowed, rule, err := q.Fetcher.Robots(ctx, x.URL); {
	case err != nil:
		x.Robots = "unknown: " + fetch.Cause(err)
	case allowed:
		x.Robots = "allowed"
	default:
		x.Robots = "forbidden"
		if rule != "" {
			x.Robots += " by " + rule
		}
	}
	return x, nil
}

// ExplainStored says what the engine makes of a URL without a request: its canonical
// form, the verdicts of scope and filters, its state, and, when it was fetched, its
// score word by word.
func (q *Query) ExplainStored(ctx context.Context, raw string) (*urlExplanation, error) {
	canonical, err := q.Reader.Resolver.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("%q is no http address (%v)", raw, err)
	}
	x := &urlExplanation{Asked: raw, URL: canonical, State: "unknown", Strategy: q.Settings.Now().Crawl.Strategy}
	reason := q.Settings.Filter().Check(canonical, urls.ClassOf(canonical))
	x.Filter, x.Scope = reason.String(), reason != urls.OutOfScope
	if row, marked := q.Decisions.State().Mark(canonical); marked {
		x.Mark = "sample"
		if row.Negative {
			x.Mark = "negative sample"
		}
	}
	id, known := q.Store.Lookup(canonical)
	if !known {
		return x, nil
	}
	u, err := q.Store.URL(id)
	if err != nil {
		return nil, err
	}
	links, err := q.Order()
	if err != nil {
		return nil, err
	}
	row := links.Row(u)
	x.State, x.Reason, x.Depth, x.Anchor = u.State.String(), u.Failure.Error(), u.Depth, u.Anchor
	x.Priority, x.Why = row.Priority, row.Why
	if u.Source != 0 {
		if src, err := q.Store.URL(u.Source); err == nil && src != nil {
			x.Source = src.URL
		}
		if x.Link, err = q.linkFeatures(u); err != nil {
			return nil, err
		}
	}
	n, err := q.Store.Notice(id)
	if err == nil && (n != nil || slices.Contains(q.Decisions.Aggregations(), id)) {
		if _, err := q.RankNotices(ctx); err != nil {
			return nil, err
		}
		x.Quality = q.qualityOf(id)
	}
	if n != nil {
		x.List, x.Frame = n.Source, n.Frame
		said, err := q.Facts.Of(id)
		if err != nil {
			return nil, err
		}
		x.Values = explainValues(said)
		kindred, err := q.Inbox.Kindred(ctx, id)
		if err != nil {
			return nil, err
		}
		x.Kin = explainRelations(kindred)
	}
	return x, q.explainPage(x, u)
}

// linkFeatures parses the page of the first link to a URL again; nil if the page or link no longer exists.
func (q *Query) linkFeatures(u *store.URL) (*linkorder.LinkFeatures, error) {
	if row, err := q.Store.Page(u.Source); err != nil || row == nil {
		return nil, err
	}
	p, err := q.Reader.Stored(u.Source, page.Options{})
	if err != nil || p == nil {
		return nil, nil // no body, or not a web page
	}
	for i := range p.Links {
		if l := &p.Links[i]; l.URL == u.URL {
			return linkorder.LinkFeaturesOf(p, l), nil
		}
	}
	return nil, nil
}

func (q *Query) explainPage(x *urlExplanation, u *store.URL) error {
	p, err := q.Store.Page(u.ID)
	if err != nil || p == nil {
		return err
	}
	seen := run.StoredMissing(q.Store, u.ID)
	x.Missing = run.MissingBeyondLists(q.Store, seen, func(frame uint64) bool {
		p, err := q.Store.Page(frame)
		return err == nil && p != nil && (p.Type == uint8(page.List) ||
			slices.Contains(q.Decisions.Aggregations(), frame))
	})
	if x.List == "" && len(x.Missing) < len(seen) {
		x.Frame = run.FrameOf(seen)
	}
	x.Holder = run.FrameHolderOf(q.Store, q.Decisions.State(), u).URL
	x.PageType, x.Records, x.FetchedAt = page.Type(p.Type).String(), p.Records, p.Fetched.Format("2006-01-02 15:04:05")
	for _, id := range q.Decisions.Scores().Others([]uint64{u.ID})[u.ID] {
		if other, err := q.Store.URL(id); err == nil && other != nil {
			x.Others = append(x.Others, other.URL)
		}
	}
	state := q.Decisions.State()
	x.Label = state.Labels[u.ID]
	terms := q.Store.TermsOf(u.ID)
	if state.Model == nil || len(terms) == 0 {
		return nil
	}
	d, _, err := reader.StoredDoc(p, terms, q.Reader.Lexicon.Len())
	if err != nil {
		return err
	}
	ex := state.Model.Explain(&d)
	x.Score = &ex
	if err := state.Err(); err != nil {
		x.TopicErr = err.Error()
	}
	x.Learner = learnerVerdict(state, &d, ex.Score)
	return nil
}

// qualityOf returns the rounded quality of a notice or aggregation page; nil for other pages.
func (q *Query) qualityOf(id uint64) *inbox.Quality {
	x := q.Inbox.Qualities()(id)
	if x == nil {
		_, lists := q.Inbox.ListQualities()
		x = lists(id)
	}
	if x != nil {
		x.Value, x.Similarity, x.PageRank = view.Round(x.Value), view.Round(x.Similarity), view.Round(x.PageRank)
	}
	return x
}
