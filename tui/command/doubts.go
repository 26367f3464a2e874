package command

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"angler/crawl"
	"angler/crawl/filter"
	"angler/crawl/inbox"
)

// checkFilter returns the mistake of a filter on a command line, where no user is still
// typing it.
func checkFilter(e *crawl.Engine, text string) error {
	return cmp.Or(filter.Closed(text), e.Inbox.CheckFilter(text))
}

// doubts are those of the notices that a filter lets pass which may be none. They are known
// once all notices were read.
func doubts(ctx context.Context, e *crawl.Engine, filter string) (map[uint64]bool, error) {
	if err := e.Facts.Idle(ctx); err != nil {
		return nil, err
	}
	list, err := e.Inbox.List(ctx, inbox.Request{Query: filter})
	if err != nil {
		return nil, err
	}
	out := map[uint64]bool{}
	for i := range list.Rows {
		if list.Rows[i].Doubt != nil {
			out[list.Rows[i].ID] = true
		}
	}
	return out, nil
}

// tellDoubts prints how many of the notices that a filter selects may be false.
func tellDoubts(ctx context.Context, w io.Writer, e *crawl.Engine, filter string) error {
	found, err := doubts(ctx, e, filter)
	if len(found) > 0 {
		fmt.Fprintf(w, "%s may be false; -is:doubtful leaves them out\n", count(len(found), "notice"))
	}
	return err
}
