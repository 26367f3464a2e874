package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/htmldoc"
	"angler/crawl/seeds"
	"angler/store/config"
)

// seedFlags is what the command is to do.
type seedFlags struct {
	flags   engineFlags
	words   string
	server  string
	links   bool
	lists   []string
	again   bool
	most    int
	results int
	delay   time.Duration
	paused  bool // delay was given

	state     string
	allOpen   bool
	leastVote int
	asJSON    bool
}

func seedsCommand() *cobra.Command {
	var a seedFlags
	c := &cobra.Command{
		Use:   "seeds DIR [list | suggest | accept HOST… | reject HOST…]",
		Short: "Look for seeds, and accept or reject what was found",
		Long: "seeds suggest looks for hosts that may become seeds, before any page is crawled: by a SearXNG\n" +
			"server (suggest.searxng in angler.toml, or --searxng) for the words of --words, of suggest.words,\n" +
			"questions that no notice answered, the words of the topic and accepted terms; with --links among\n" +
			"the links of relevant pages; with --from in OPML, RSS, Atom, sitemaps, web pages or lines of\n" +
			"addresses. Without flags it does what can be done. A search that was broken off goes on there.\n\n" +
			"seeds list shows what is proposed, accept makes hosts seeds, reject has them proposed no more;\n" +
			"angler topic DIR --undo takes either back.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			a.paused = c.Flags().Changed("pause")
			verb, rest := verbOf(args)
			switch verb {
			case "list":
				if len(rest) > 0 {
					return misuse(errors.New("list takes no hosts"))
				}
				return a.flags.Reading(c.Context(), args[0], func(e *crawl.Engine) error { return a.list(c.OutOrStdout(), e) })
			case "suggest":
				if len(rest) > 0 {
					return misuse(errors.New("suggest takes flags only: --words, --from, --links"))
				}
				return a.open(c.Context(), args[0], func(e *crawl.Engine) error { return a.suggest(c, e) })
			case "accept", "reject":
				if (len(rest) == 0) == (!a.allOpen && a.leastVote == 0) {
					return misuse(fmt.Errorf("%s takes hosts, or --all, or --votes N", verb))
				}
				return a.open(c.Context(), args[0], func(e *crawl.Engine) error { return a.judge(c, e, rest, verb == "accept") })
			}
			return misuse(fmt.Errorf("%q is none of list, suggest, accept, reject", verb))
		},
	}
	a.flags.Fetching(c)
	f := c.Flags()
	f.StringVar(&a.words, "words", "", "suggest: what to search for, a file with a question a line, or words between spaces")
	f.StringVar(&a.server, "searxng", "", "suggest: address of the search server, in place of suggest.searxng")
	f.BoolVar(&a.links, "links", false, "suggest: count the hosts that relevant pages link to")
	f.StringArrayVar(&a.lists, "from", nil, "suggest: take the hosts of a list: a file or an address; may be given again")
	f.BoolVar(&a.again, "again", false, "suggest: search also for what was answered within a month")
	f.IntVar(&a.most, "most-words", 0, "suggest: how many questions are asked (500)")
	f.IntVar(&a.results, "results", 0, "suggest: results of each that are looked at (150)")
	f.DurationVar(&a.delay, "pause", 0, "suggest: between two questions (2s)")
	f.StringVar(&a.state, "state", seeds.ProposalOpen, "list: open, accepted, rejected, covered (part of the crawl anyhow), or all")
	f.BoolVar(&a.allOpen, "all", false, "accept, reject: everything that is open")
	f.IntVar(&a.leastVote, "votes", 0, "accept, reject: what is open and has so many votes at least")
	f.BoolVar(&a.asJSON, "json", false, "print JSON lines")
	return c
}

// open opens the workspace with the settings that flags change.
func (a *seedFlags) open(ctx context.Context, dir string, do func(*crawl.Engine) error) error {
	e, err := crawl.Open(ctx, dir, crawl.Options{Override: func(s *config.Settings) {
		a.flags.Override(s)
		if a.server != "" {
			s.Suggest.SearXNG = strings.TrimSuffix(a.server, "/")
		}
		if a.most > 0 {
			s.Suggest.MostWords = a.most
		}
		if a.results > 0 {
			s.Suggest.Results = a.results
		}
		if a.paused {
			s.Suggest.Delay = config.Duration(a.delay)
		}
	}})
	if err != nil {
		return err
	}
	return closeEngine(ctx, e, do(e))
}

// foundSeeds is what one look for seeds has found.
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
		return misuse(fmt.Errorf("%s names no word", a.words))
	}
	set := e.Set().Suggest
	search := len(words) > 0 || set.SearXNG != "" && (a.server != "" || len(a.lists) == 0 && !a.links)
	links := a.links || len(a.lists) == 0 && len(words) == 0 && a.server == "" && e.Snapshot().Counts.Pages > 0
	if !search && !links && len(a.lists) == 0 {
		return misuse(seeds.ErrNoServer)
	}
	ctx := c.Context()
	if err := e.Words(ctx); err != nil && links { // what is relevant needs words; searching does not
		return err
	}
	stop := watchJob(e, c.ErrOrStderr())
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
		if a.asJSON {
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
	if n := e.Snapshot().Proposed.Open; n > 0 && !a.asJSON {
		fmt.Fprintf(c.ErrOrStderr(), "proposed: %s; angler seeds %s list shows them\n", several(n), e.Workspace().Dir())
	}
	return errors.Join(errs...)
}

// several counts hosts.
func several(n int) string { return count(n, "host") }

// outcomeLine is an outcome in a line.
func outcomeLine(o *seeds.SearchOutcome) string {
	s := fmt.Sprintf("%s, %d of them new", several(o.Hosts), o.New)
	for _, x := range []struct {
		n    int
		what string
	}{
		{o.Asked, "looked at"}, {o.Skipped, "answered before"}, {o.Covered, "part of the crawl already"}, {o.Rejected, "rejected before"}, {o.Private, "not of the public internet"},
	} {
		if x.n > 0 {
			s += fmt.Sprintf(", %d %s", x.n, x.what)
		}
	}
	return s
}

// watchJob shows the progress of the job under way until stop; stop may be called again.
func watchJob(e *crawl.Engine, w io.Writer) (stop func()) {
	teller := newProgress(w)
	snaps, end := e.Subscribe()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		seen := uint64(0)
		for {
			select {
			case s := <-snaps:
				for i := 0; s != nil && i < len(s.Events); i++ { // a server that asks for patience, for one
					if ev := &s.Events[i]; ev.Seq > seen {
						if seen = ev.Seq; ev.Kind == "warn" {
							teller.Line("%s", htmldoc.CleanLine(ev.Text, 300))
						}
					}
				}
				if s != nil && s.Job.Name != "" {
					teller.Now("%s: %d of %d, %d hosts are proposed", s.Job.Name, s.Job.Done, s.Job.Total, s.Proposed.Open)
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
		teller.End()
	}
}

func (a *seedFlags) list(w io.Writer, e *crawl.Engine) error {
	state := a.state
	if state == "all" {
		state = ""
	}
	if state != "" && !slices.Contains([]string{seeds.ProposalOpen, seeds.ProposalAccepted, seeds.ProposalRejected, seeds.ProposalCovered}, state) {
		return misuse(fmt.Errorf("--state %q is none of open, accepted, rejected, covered, all", a.state))
	}
	rows, err := e.Seeds.SeedProposals(state)
	if err != nil {
		return err
	}
	return listing[seeds.Proposal]{
		None:  "nothing is proposed; angler seeds DIR suggest looks for seeds",
		Heads: "votes\tstate\thost\ttitle\twhy",
		Left:  []int{0, 1, 2, 3},
		Cells: func(p *seeds.Proposal) string {
			return fmt.Sprintf("%d\t%s\t%s\t%s\t%s", p.Votes, p.State, p.Host, p.Title, p.Why)
		},
	}.Print(w, rows, a.asJSON)
}

// verdict is what accept and reject print with --json.
type verdict struct {
	Verdict string   `json:"verdict"`
	Hosts   []string `json:"hosts"`
	New     int      `json:"new"`
}

func (a *seedFlags) judge(c *cobra.Command, e *crawl.Engine, hosts []string, accept bool) error {
	if a.allOpen || a.leastVote > 0 {
		rows, err := e.Seeds.SeedProposals(seeds.ProposalOpen)
		if err != nil {
			return err
		}
		for i := range rows {
			if rows[i].Votes >= a.leastVote {
				hosts = append(hosts, rows[i].Host)
			}
		}
		if len(hosts) == 0 {
			return errors.New("nothing that is open has so many votes; angler seeds DIR list shows what is open")
		}
	}
	do, name := e.Seeds.RejectSeeds, seeds.ProposalRejected
	if accept {
		do, name = e.Seeds.AcceptSeeds, seeds.ProposalAccepted
	}
	n, err := do(hosts)
	if err != nil {
		return err
	}
	if a.asJSON {
		return jsonLines(c.OutOrStdout(), []verdict{{name, hosts, n}})
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s; angler topic %s --undo takes it back\n", name, several(n), e.Workspace().Dir())
	return err
}
