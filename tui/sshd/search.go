package sshd

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"strings"

	"angler/crawl/filter"
	"angler/crawl/inbox"
	"angler/tui/report"
)

// This file implements the command search over SSH.

// unanswered requests the queries without results instead of notices.
const unanswered = "unanswered"

// parseSearch parses the arguments of search: options, then a query.
func parseSearch(line string) (request, error) {
	r := request{verb: "search", ask: inbox.SearchRequest{Limit: 20}}
	order, open := "", false
	flags := flag.NewFlagSet(r.verb, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&r.ask.Limit, "limit", r.ask.Limit, "")
	flags.StringVar(&order, "order", "relevance", "")
	flags.BoolVar(&r.ask.Plain, "no-dictionary", false, "")
	flags.BoolVar(&r.json, "json", false, "")
	flags.BoolVar(&open, unanswered, false, "")
	var err error
	r.ask.Query, err = asked(flags, line)
	switch {
	case err != nil || order != "relevance" && order != "date" || r.ask.Limit < 1:
		err = misused(r.verb)
	case open && r.ask.Query == "":
		r.more = unanswered
	case open || r.ask.Query == "":
		err = misused(r.verb)
	}
	if err != nil {
		return request{}, err
	}
	r.ask.ByDate = order == "date"
	return r, nil
}

// search sends the notices that match a query, or the requested list.
func (x *session) search(r request, out io.Writer) error {
	e := x.s.c.Engine.As(x.who)
	if r.more == unanswered {
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
