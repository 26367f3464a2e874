package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/htmldoc"
	"angler/crawl/seeds"
	"angler/store/config"
	"angler/tui/report"
)

// seedFlags are the flags of suggest.
type seedFlags struct {
	engineFlags
	words   string
	server  string
	links   bool
	lists   []string
	again   bool
	most    int
	results int
	delay   time.Duration
	paused  bool // --pause was given
}

func seedsNoun() *cobra.Command {
	return noun("seeds", "Look for seeds, accept or reject what was found",
		seedListCommand(), seedSuggestCommand(),
		seedVerdictCommand("accept", seeds.ProposalAccepted, "Make proposed hosts seeds",
			(*seeds.SeedEditor).AcceptSeeds),
		seedVerdictCommand("reject", seeds.ProposalRejected, "Never propose hosts again",
			(*seeds.SeedEditor).RejectSeeds))
}

func seedListCommand() *cobra.Command {
	var state string
	c := &cobra.Command{
		Use: "list DIR", Short: "List the hosts that are proposed as seeds",
		Example: "  angler seeds list DIR --state accepted",
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{seeds.ProposalOpen, seeds.ProposalAccepted, seeds.ProposalRejected,
				seeds.ProposalCovered, "all"}, state) {
				return misusef("--state %q is none of open, accepted, rejected, covered, all", state)
			}
			return new(engineFlags).reading(c, args[0], func(e *crawl.Engine) error {
				rows, err := e.Seeds.SeedProposals(strings.TrimPrefix(state, "all"))
				return listing[seeds.Proposal]{
					None:  "no proposals; look for seeds with: angler seeds suggest DIR",
					Heads: "votes\tstate\thost\ttitle\twhy",
					Left:  []int{0, 1, 2, 3},
					Cells: func(p *seeds.Proposal) string {
						return fmt.Sprintf("%d\t%s\t%s\t%s\t%s", p.Votes, p.State, p.Host, p.Title, p.Why)
					},
				}.print(c, rows, err)
			})
		},
	}
	c.Flags().StringVar(&state, "state", seeds.ProposalOpen,
		"open, accepted, rejected, covered (already in the crawl), or all")
	return jsonFlag(c)
}

func seedSuggestCommand() *cobra.Command {
	var a seedFlags
	c := &cobra.Command{
		Use: "suggest DIR", Short: "Look for hosts that may become seeds",
		Long: "suggest proposes hosts as seeds; they are not crawled before you accept them. A SearXNG server\n" +
			"(suggest.searxng in angler.toml, or --searxng) searches for the words of --words, suggest.words,\n" +
			"failed queries, words of the topic and accepted terms. --links reads the links of relevant pages.\n" +
			"--from reads OPML, RSS, Atom, sitemaps, web pages or lines of addresses. Without flags it uses\n" +
			"every source that is available. An interrupted search continues.",
		Example: "  angler seeds suggest DIR --words '桥梁 招标公告' --searxng http://127.0.0.1:8888\n" +
			"  angler seeds suggest DIR --from links.opml",
		RunE: func(c *cobra.Command, args []string) error {
			a.paused = c.Flags().Changed("pause")
			return a.with(c, args[0], func(e *crawl.Engine) error { return a.suggest(c, e) })
		},
	}
	a.fetching(c)
	a.tune = a.settings
	f := c.Flags()
	f.StringVar(&a.words, "words", "", "what to search for: a file with one query a line, or words separated by spaces")
	f.StringVar(&a.server, "searxng", "", "address of the search server, in place of suggest.searxng")
	f.BoolVar(&a.links, "links", false, "count the hosts that relevant pages link to")
	f.StringArrayVar(&a.lists, "from", nil, "propose the hosts of a list: a file or an address (repeat it)")
	f.BoolVar(&a.again, "again", false, "also repeat queries answered within a month")
	f.IntVar(&a.most, "most-words", 0, "most queries (500)")
	f.IntVar(&a.results, "results", 0, "results to read of each query (150)")
	f.DurationVar(&a.delay, "pause", 0, "pause between two queries (2s)")
	return jsonFlag(c)
}

// settings puts the flags over the settings.
func (a *seedFlags) settings(s *config.Settings) {
	s.Suggest.SearXNG = cmp.Or(strings.TrimSuffix(a.server, "/"), s.Suggest.SearXNG)
	s.Suggest.MostWords = cmp.Or(a.most, s.Suggest.MostWords)
	s.Suggest.Results = cmp.Or(a.results, s.Suggest.Results)
	put(a.paused, &s.Suggest.Delay, config.Duration(a.delay))
}

// foundSeeds is the result of one search for seeds.
type foundSeeds struct {
	Look string `json:"look"`
	*seeds.SearchOutcome
	Error string `json:"error,omitempty"`
}

func (a *seedFlags) suggest(c *cobra.Command, e *crawl.Engine) error {
	words, err := questions(a.words)
	if err != nil {
		return misuse(err)
	}
	if a.words != "" && len(words) == 0 {
		return misusef("%s names no word", a.words)
	}
	set := e.Set().Suggest
	search := len(words) > 0 || set.SearXNG != "" && (a.server != "" || len(a.lists) == 0 && !a.links)
	links := a.links || len(a.lists) == 0 && len(words) == 0 && a.server == "" && e.Snapshot().Counts.Pages > 0
	if !search && !links && len(a.lists) == 0 {
		return misusef("%w; or name a server with --searxng, a list with --from", seeds.ErrNoServer)
	}
	ctx := c.Context()
	if err := e.Words(ctx); err != nil && links { // reading links needs words; searching does not
		return err
	}
	stop := watchJob(e, c)
	defer stop()
	var errs []error
	look := func(name string, do func() (*seeds.SearchOutcome, error)) {
		if ctx.Err() != nil {
			return
		}
		o, err := do()
		if o == nil {
			o = &seeds.SearchOutcome{}
		}
		stop()
		row := foundSeeds{Look: name, SearchOutcome: o}
		if err != nil {
			row.Error = err.Error()
			errs = append(errs, err)
		}
		if wantsJSON(c) {
			_ = json.NewEncoder(c.OutOrStdout()).Encode(row)
			return
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", name, outcomeLine(o))
	}
	for _, from := range a.lists {
		look(from, func() (*seeds.SearchOutcome, error) { return e.Seeds.ListSeeds(ctx, from) })
	}
	if search {
		look("search", func() (*seeds.SearchOutcome, error) {
			return e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: words, Again: a.again})
		})
	}
	if links {
		look("links", func() (*seeds.SearchOutcome, error) { return e.Seeds.LinkedSeeds(ctx) })
	}
	if n := e.Snapshot().Proposed.Open; n > 0 && !wantsJSON(c) {
		c.PrintErrf("proposed: %s; angler seeds list %s shows them\n", several(n), e.Workspace().Dir())
	}
	return errors.Join(errs...)
}

// several counts hosts.
func several(n int) string { return count(n, "host") }

// outcomeLine formats an outcome in one line.
func outcomeLine(o *seeds.SearchOutcome) string {
	return fmt.Sprintf("%s, %d of them new", several(o.Hosts), o.New) + amounts(", ",
		amount{o.Asked, "looked at"}, amount{o.Skipped, "answered before"},
		amount{o.Covered, "part of the crawl already"}, amount{o.Rejected, "rejected before"},
		amount{o.Private, "not of the public internet"})
}

// watchJob shows the progress of the current job until stop is called; stop may be called again.
func watchJob(e *crawl.Engine, c *cobra.Command) (stop func()) {
	teller := newProgress(c)
	snaps, end := e.Subscribe()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		seen := uint64(0)
		for {
			select {
			case s := <-snaps:
				for i := 0; s != nil && i < len(s.Events); i++ { // such as a server that asks to wait
					if ev := &s.Events[i]; ev.Seq > seen {
						if seen = ev.Seq; ev.Kind == "warn" {
							teller.line("%s", htmldoc.CleanLine(ev.Text.String(), 300))
						}
					}
				}
				if s != nil && s.Job.Name != "" {
					teller.now("%s: %d of %d", s.Job.Name, s.Job.Done, s.Job.Total)
				}
			case <-over:
				return
			}
		}
	}()
	ended := false
	return func() {
		if ended {
			return
		}
		ended = true
		close(over)
		<-done
		end()
		teller.end()
	}
}

// verdict is the JSON output of accept and reject.
type verdict struct {
	Verdict string   `json:"verdict"`
	Hosts   []string `json:"hosts"`
	New     int      `json:"new"`
}

// seedVerdictCommand accepts or rejects proposals; name is their new state.
func seedVerdictCommand(verb, name, short string, judge func(*seeds.SeedEditor, []string) (int, error)) *cobra.Command {
	var all bool
	var votes int
	c := &cobra.Command{
		Use: verb + " DIR [HOST…]", Short: short,
		Example: "  angler seeds " + verb + " DIR zbb.example.edu.cn\n  angler seeds " + verb + " DIR --votes 3",
		RunE: func(c *cobra.Command, args []string) error {
			hosts := args[1:]
			if (len(hosts) == 0) == (!all && votes == 0) {
				return misusef("name hosts, or write --all or --votes N; usage: %s", usageOf(c))
			}
			return new(engineFlags).with(c, args[0], func(e *crawl.Engine) error {
				if len(hosts) == 0 {
					rows, err := e.Seeds.SeedProposals(seeds.ProposalOpen)
					if err != nil {
						return err
					}
					for i := range rows {
						if rows[i].Votes >= votes {
							hosts = append(hosts, rows[i].Host)
						}
					}
					if len(hosts) == 0 {
						return fmt.Errorf("no open proposal has so many votes; see: angler seeds list %s", args[0])
					}
				}
				n, err := judge(e.Seeds, hosts)
				if err != nil {
					return err
				}
				if wantsJSON(c) {
					return report.JSON(c.OutOrStdout(), verdict{name, hosts, n})
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s; take it back with: angler history undo %s\n", name,
					several(n), args[0])
				return err
			})
		},
	}
	c.Flags().BoolVar(&all, "all", false, "all open proposals")
	c.Flags().IntVar(&votes, "votes", 0, "open proposals with at least this number of votes")
	return jsonFlag(c)
}
