package sshd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"angler/crawl/filter"
	"angler/tui/report"
)

// search sends the notices that match a query, or the requested list.
func (x *session) search(r request, out io.Writer) error {
	e := x.s.c.Engine.As(x.who)
	if r.unanswered {
		list, err := e.Inbox.Unanswered(x.ctx)
		if err != nil {
			return err
		}
		if r.json {
			return report.JSON(out, list...)
		}
		report.Unanswered(out, list[:min(len(list), r.ask.Limit)])
		return nil
	}
	if err := cmp.Or(filter.Closed(r.ask.Query), e.Inbox.CheckFilter(r.ask.Query)); err != nil {
		return fmt.Errorf("the query: %w", err)
	}
	state := e.SearchReady(x.ctx)
	if !state.Ready && r.ask.Plain {
		return fmt.Errorf("--no-dictionary needs the search index, and %s", state.Why)
	}
	got, err := e.Inbox.Search(x.ctx, r.ask)
	if err != nil {
		return err
	}
	if r.json {
		return report.JSON(out, report.FoundLines(got)...)
	}
	report.Found(out, got)
	said := lines{&x.errs, x.pty}
	if got.Loose {
		fmt.Fprintf(said, "no notice holds that as it stands; these have most of its words: %s\n",
			strings.Join(got.Words, " "))
	}
	fmt.Fprintf(said, "%d of %d notices\n", len(got.Rows), got.Total)
	return nil
}
