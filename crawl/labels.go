package crawl

import (
	"context"

	"angler/crawl/decisions"
	"angler/crawl/query"
)

// Labels gives and reads the labels of pages on behalf of one person.
type Labels struct {
	*decisions.Labels
	query *query.Query
}

// LabelQueue returns the next n pages worth a label, see topic.Scores.Queue. Samples and
// negative samples are confirmed already and are not picked.
func (l *Labels) LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error) {
	return l.query.Queue(ctx, l.Labels.Queue(n))
}
