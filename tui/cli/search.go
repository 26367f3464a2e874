package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/search"
	"angler/tui/report"
)

// searchFlags are the flags of angler notices search.
type searchFlags struct {
	ask    inbox.SearchRequest
	failed bool
	order  string
}

// The orders of results.
const (
	byRelevance = "relevance"
	byDate      = "date"
)

func searchCommand() *cobra.Command {
	var f searchFlags
	c := &cobra.Command{
		Use: "search DIR QUERY…", Short: "Search notices by their words, the best first",
		Long: "search finds notices by the inbox's filters: words, \"phrases\", -not, words~ that may differ by a\n" +
			"character (~2 by two), and fields. Where no notice holds the words as they stand, it shows those\n" +
			"that have most of them, and says so. --failed lists the queries that found nothing: sites that\n" +
			"answer them are good seeds.",
		Example: "  angler notices search DIR 'buyer:大学 budget>100w due<7d \"世界石油大会\" -更正'\n" +
			"  angler notices search DIR --failed",
		Args: func(c *cobra.Command, args []string) error {
			if f.failed {
				return arguments(1, 1)(c, args)
			}
			return arguments(2, -1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.order != byRelevance && f.order != byDate:
				return misusef("--order %q is none of %s, %s", f.order, byRelevance, byDate)
			case f.ask.Limit < 1:
				return misusef("--limit %d is less than 1", f.ask.Limit)
			}
			open := engineFlags{search: true}
			return open.reading(c, args[0], func(e *crawl.Engine) error { return f.run(c, e, args[1:]) })
		},
	}
	s := c.Flags()
	s.IntVar(&f.ask.Limit, "limit", 20, "most notices shown")
	s.StringVar(&f.order, "order", byRelevance, byRelevance+" or "+byDate+", newest first")
	s.BoolVar(&f.ask.Plain, "no-dictionary", false,
		"cut the query with the base dictionary, without domain terms")
	s.BoolVar(&f.failed, "failed", false, "list the queries that found nothing")
	return jsonFlag(c)
}

func (f *searchFlags) run(c *cobra.Command, e *crawl.Engine, given []string) error {
	if f.failed {
		return f.listFailed(c, e)
	}
	f.ask.Query, f.ask.ByDate = strings.Join(given, " "), f.order == byDate
	if err := checkFilter(e, f.ask.Query); err != nil {
		return misusef("the query: %w", err)
	}
	state, err := indexed(c, e)
	if err != nil {
		return err
	}
	if !state.Ready && f.ask.Plain {
		return fmt.Errorf("--no-dictionary needs the search index, and %s", state.Why)
	}
	got, err := e.Inbox.Search(c.Context(), f.ask)
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return report.JSON(c.OutOrStdout(), report.FoundLines(got)...)
	}
	report.Found(c.OutOrStdout(), got)
	said := c.ErrOrStderr()
	if got.Loose {
		fmt.Fprintf(said, "no notice holds that as it stands; these have most of its words: %s\n",
			strings.Join(got.Words, " "))
	}
	if f.ask.Plain {
		fmt.Fprintf(said, "without domain terms these words were looked for, one is enough: %s\n",
			strings.Join(got.Words, " "))
	}
	fmt.Fprintf(said, "%d of %d notices\n", len(got.Rows), got.Total)
	if !state.Ready {
		fmt.Fprintf(said, "without the search index, so not by relevance: %s\n", state.Why)
	}
	return nil
}

// indexed waits for the index and shows its progress.
func indexed(c *cobra.Command, e *crawl.Engine) (search.Progress, error) {
	defer watchJob(e, c)()
	p := e.SearchReady(c.Context())
	return p, c.Context().Err()
}

// listFailed lists the queries that found nothing.
func (f *searchFlags) listFailed(c *cobra.Command, e *crawl.Engine) error {
	list, err := e.Inbox.Unanswered(c.Context())
	if err != nil {
		return err
	}
	list = list[:min(len(list), f.ask.Limit)]
	if wantsJSON(c) {
		return report.JSON(c.OutOrStdout(), list...)
	}
	if len(list) == 0 {
		c.PrintErrln("no query has failed")
		return nil
	}
	report.Unanswered(c.OutOrStdout(), list)
	c.PrintErrln("add sites that answer these as seeds: angler seeds suggest DIR --words '…', or " +
		"a on screen 4")
	return nil
}
