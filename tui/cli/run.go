package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/htmldoc"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/secrets"
	"angler/tui/screen"
)

func crawlCommand() *cobra.Command {
	c, more := runCommand("crawl DIR", "Crawl from the seeds, score every page, fetch notices",
		true, (*crawl.Runs).Discover)
	c.Long = "crawl runs a discovery: it follows links from the seeds to a depth, scores every page, fetches the\n" +
		"notices of aggregation pages, and visits known pages that are due."
	c.Long += "\n\nWith --until 95% it stops when about that share of the lists is found, pages close below θ among them.\n" +
		"Without the flag the next crawl goes on."
	c.Example = "  angler crawl DIR --max-pages 500\n  angler crawl DIR --for 1h --strategy learned\n" +
		"  angler crawl DIR --until 95%"
	more.until.flag(c)
	return c
}

func harvestCommand() *cobra.Command {
	c, again := runCommand("harvest DIR", "Visit the aggregation pages, fetch new notices",
		false, (*crawl.Runs).Harvest)
	c.Example = "  angler harvest DIR\n  angler harvest DIR --every 24h"
	c.Flags().BoolVar(&again.stored, "stored", false, "send no requests; make notices only from stored pages")
	c.Flags().BoolVar(&again.due, "due", false, "visit only lists that are due by the revisit schedule of angler.toml")
	c.Flags().DurationVar(&again.every, "every", 0,
		"repeat until stopped: visit due lists at this interval")
	return c
}

// repeat holds the flags that crawl or harvest alone has.
type repeat struct {
	until  share         // crawl
	stored bool          // harvest: without requests
	due    bool          // harvest
	every  time.Duration // harvest; 0: once
}

// share is a share of the lists, 0 … 1; 0 = not given. It implements pflag.Value.
type share float64

// Bounds of --until in percent.
const (
	leastUntil = 50
	mostUntil  = 99

	wantedShare = "a whole number from 50% to 99%, such as 95%"
)

// Set implements pflag.Value.
func (s *share) Set(text string) error {
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(text, "%")))
	if err != nil || n < leastUntil || n > mostUntil {
		return errors.New(wantedShare)
	}
	*s = share(n) / 100
	return nil
}

// String implements pflag.Value.
func (s *share) String() string { return fmt.Sprintf("%.0f%%", 100*float64(*s)) }

// Type implements pflag.Value; the help shows it.
func (s *share) Type() string { return "percent" }

// flag adds --until to a command.
func (s *share) flag(c *cobra.Command) {
	c.Flags().Var(s, "until", "stop when about this share of the lists is found, 50% to 99%")
	c.Flags().Lookup("until").DefValue = "0"
}

func runCommand(use, short string, pages bool,
	perform func(*crawl.Runs, context.Context, run.Options) (run.Summary, error)) (*cobra.Command, *repeat) {
	f := engineFlags{Tell: true}
	again := new(repeat)
	c := &cobra.Command{Use: use, Short: short}
	c.RunE = func(c *cobra.Command, args []string) error {
		if again.every > 0 && again.every < time.Minute {
			return misusef("--every takes 1m or more")
		}
		var r query.Reporter
		if wantsJSON(c) {
			r = query.NewJSONLines(c.OutOrStdout(), pages, !pages)
		}
		e, err := f.open(c.Context(), args[0], r)
		if err != nil {
			return err
		}
		opt := run.Options{MaxPages: f.MaxPages, For: f.For, Due: again.due, Stored: again.stored,
			Until: float64(again.until)}
		if again.every == 0 && f.For == 0 {
			opt.AwayFor = networkPatience
		}
		for {
			next := time.Now().Add(again.every)
			s, err := followed(c, e, func() (run.Summary, error) { return perform(e.Runs, c.Context(), opt) })
			if err != nil {
				sayClosed(c, e)
				return errors.Join(err, e.Close())
			}
			say(c.ErrOrStderr(), s)
			sayClosed(c, e)
			if err := e.Files.Idle(c.Context()); err != nil {
				return closeEngine(c.Context(), e, nil)
			}
			sendAlerts(c, e)
			if again.every == 0 || !waitUntil(c.Context(), next) {
				return closeEngine(c.Context(), e, nil)
			}
			opt.Due = true
		}
	}
	f.running(c)
	return c, again
}

// alertPatience bounds how long a command waits for alerts to be sent.
const alertPatience = 2 * time.Minute

// sendAlerts sends the alerts of new notices before the command ends. The next opening retries
// failed ones.
func sendAlerts(c *cobra.Command, e *crawl.Engine) {
	if len(e.Set().Notify) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(c.Context(), alertPatience)
	defer cancel()
	_ = e.Notify.Flush(ctx) // the rows record failures
	rows, err := e.Notify.Status()
	if err != nil {
		c.PrintErrf("notify: %v\n", err)
	}
	for _, r := range rows {
		if r.Why != "" && !r.Off {
			c.PrintErrf("notify %s: %s; see: angler alerts list DIR\n", r.Name, r.Why)
		}
	}
}

// networkPatience is how long a command waits for the network. With --for it waits for that time,
// with --every for ever.
const networkPatience = 10 * time.Minute

// waitUntil returns false if ctx ended first.
func waitUntil(ctx context.Context, at time.Time) bool {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// followed shows the progress of a run on standard error.
func followed(c *cobra.Command, e *crawl.Engine, run func() (run.Summary, error)) (run.Summary, error) {
	snapshots, end := e.Subscribe()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		followRun(newProgress(c), snapshots)
	}()
	s, err := run()
	end()
	<-shown
	return s, err
}

func say(w io.Writer, s run.Summary) {
	fmt.Fprintf(w, "%s: %d fetched (%d failed) in %.1f s, %.0f pages/s; ", s.Task, s.Fetched, s.Failed, s.Seconds,
		float64(s.Fetched)/max(s.Seconds, 1e-9))
	if s.Tally.Blind && s.Task != view.Harvest {
		fmt.Fprint(w, unjudged)
	} else {
		fmt.Fprintf(w, "%d aggregation pages, %d addresses of new notices%s", s.Aggregations, s.Notices,
			view.ChangedAndWithdrawn(s.Changed, s.Withdrawn))
	}
	if x := s.Tally.Recall; x.Enough() && s.Tally.End != view.Through {
		fmt.Fprintf(w, "; about %s of the lists are found, %d that score close below θ among them", x.Percent(), x.Near)
	}
	if rest := s.Tally.NotDue; rest.N > 0 {
		fmt.Fprintf(w, "; %s not due, next %s", count(rest.N, "list"), moment(rest.Next))
	}
	if out := screen.Unmatched(nil, s.Tally.Unmatched, s.Tally.Patterns); out != "" {
		fmt.Fprintf(w, "; %s: label a list yes to accept all of its entries, or change harvest.patterns", out)
	}
	fmt.Fprintln(w, amounts("; ", amount{s.Later, "to be tried again later"},
		amount{s.Lacking, "lists show more than could be followed, see: angler lists show DIR"},
		amount{s.Absent, "more are announced, and their pages are not stored"},
		amount{s.Skipped, "records skipped (documents or out of scope)"}))
}

// unjudged ends the line of a discovery without samples and labels.
const unjudged = "nothing is judged without a sample: angler samples add DIR URL"

// sayClosed prints the hosts that refuse access, each with a remedy.
func sayClosed(c *cobra.Command, e *crawl.Engine) {
	for _, t := range e.Runs.Closed() {
		c.PrintErrln(secrets.Redact(htmldoc.CleanLine(t.Says(), maxHostLine)))
	}
}

// maxHostLine bounds the line of a host, in bytes.
const maxHostLine = 500

func (p *program) demoCommand() *cobra.Command {
	var f engineFlags
	var l look
	var dir, web string
	var headless bool
	var until share
	c := &cobra.Command{
		Use: "demo", Short: "Open the workbench on a miniature web, without internet",
		Example: "  angler demo\n  angler demo --headless\n  angler demo --headless --until 95%",
		RunE: func(c *cobra.Command, _ []string) error {
			open := func(ctx context.Context, report func(string), r query.Reporter) (*demo.Engine, error) {
				return demo.OpenPlan(ctx, p.web, web, dir,
					crawl.Options{Override: f.override, Progress: report, Report: r})
			}
			if _, terminal := terminalWidth(os.Stdout.Fd()); headless || !terminal {
				return demoHeadless(c, &f, until, open)
			}
			if until > 0 {
				return misusef("--until needs --headless; in the workbench, press s to stop a run")
			}
			return p.session(c.Context(), &f, &l, place{demo: true, web: web, dir: dir})
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "keep the demo workspace in this folder")
	c.Flags().StringVar(&web, "web", "",
		"another demo web, such as tenders; an unknown name lists them")
	c.Flags().BoolVar(&headless, "headless", false, "crawl and harvest without the workbench, print figures")
	until.flag(c)
	f.running(c)
	l.flags(c)
	return c
}

// demoHeadless does the work of an analyst: three samples, a discovery until a share of the lists is found, a harvest.
func demoHeadless(c *cobra.Command, f *engineFlags, until share,
	open func(context.Context, func(string), query.Reporter) (*demo.Engine, error)) error {
	var r query.Reporter
	if wantsJSON(c) {
		r = query.NewJSONLines(c.OutOrStdout(), true, true)
	}
	b, err := open(c.Context(), func(string) {}, r)
	if err != nil {
		return err
	}
	run := func() error {
		for _, u := range b.TenderLists(3) {
			row, err := b.Topic.AddSample(c.Context(), u, "")
			if err != nil {
				return err
			}
			c.PrintErrf("sample %s · %s\n", row.URL, row.Title)
		}
		opt := run.Options{MaxPages: f.MaxPages, For: f.For, Until: float64(until)}
		if f.For == 0 {
			opt.AwayFor = networkPatience
		}
		for _, task := range []func(context.Context, run.Options) (run.Summary, error){b.Runs.Discover,
			b.Runs.Harvest} {
			s, err := followed(c, b.Engine, func() (run.Summary, error) { return task(c.Context(), opt) })
			if err != nil {
				return err
			}
			say(c.ErrOrStderr(), s)
		}
		return nil
	}
	return errors.Join(run(), b.Close())
}
