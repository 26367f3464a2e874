package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/tui/progress"
)

func crawlCommand() *cobra.Command {
	c, _ := runCommand("crawl DIR", "Run a discovery: from the seeds to depth n, every page judged; known pages that are due are looked at again",
		true, (*crawl.Runs).Discover)
	return c
}

func harvestCommand() *cobra.Command {
	c, again := runCommand("harvest DIR", "Visit the aggregation pages and fetch the notices that are new",
		false, (*crawl.Runs).Harvest)
	c.Flags().BoolVar(&again.due, "due", false, "visit only what the revisit schedule of angler.toml says")
	c.Flags().DurationVar(&again.every, "every", 0, "go on until stopped: visit what is due whenever so long has passed")
	return c
}

// repeat says how often a run is made.
type repeat struct {
	due   bool
	every time.Duration // 0 = once
}

func runCommand(use, short string, pages bool, perform func(*crawl.Runs, context.Context, run.Options) (run.Summary, error)) (*cobra.Command, *repeat) {
	var f flags
	again := new(repeat)
	c := &cobra.Command{Use: use, Short: short, Args: exactly(cobra.ExactArgs(1))}
	c.RunE = func(c *cobra.Command, args []string) error {
		if again.every < 0 || again.every > 0 && again.every < time.Minute {
			return misuse(errors.New("--every takes 1m or more"))
		}
		var r view.Reporter
		if f.json {
			r = view.NewJSONLines(c.OutOrStdout(), pages, !pages)
		}
		e, err := f.open(c.Context(), args[0], r)
		if err != nil {
			return err
		}
		opt := run.Options{MaxPages: f.maxPages, For: f.lasting, Due: again.due}
		if again.every == 0 && f.lasting == 0 {
			opt.AwayFor = networkPatience
		}
		for {
			next := time.Now().Add(again.every)
			s, err := followed(c, e, func() (run.Summary, error) { return perform(e.Runs, c.Context(), opt) })
			if err != nil {
				return errors.Join(err, e.Close())
			}
			say(c.ErrOrStderr(), s)
			if again.every == 0 || !waitUntil(c.Context(), next) {
				return errors.Join(leftOut(e.Workspace()), e.Close())
			}
			opt.Due = true
		}
	}
	f.running(c)
	return c, again
}

// networkPatience is how long a command that runs once waits while the network is
// away. With --for it waits as long as that, with --every for ever.
const networkPatience = 10 * time.Minute

// waitUntil reports false when ctx ended first.
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

// followed shows the progress of a run on standard error while it lasts.
func followed(c *cobra.Command, e *crawl.Engine, run func() (run.Summary, error)) (run.Summary, error) {
	snapshots, end := e.Subscribe()
	shown := make(chan struct{})
	width, terminal := progress.Terminal(os.Stderr.Fd())
	go func() {
		defer close(shown)
		progress.Follow(c.ErrOrStderr(), snapshots, terminal, width)
	}()
	s, err := run()
	end()
	<-shown
	return s, err
}

func say(w io.Writer, s run.Summary) {
	fmt.Fprintf(w, "%s: %d fetched (%d failed) in %.1f s, %.0f pages/s; %d aggregation pages, %d new notices", s.Task, s.Fetched, s.Failed,
		s.Seconds, float64(s.Fetched)/max(s.Seconds, 1e-9), s.Aggregations, s.Notices)
	if s.Later > 0 {
		fmt.Fprintf(w, "; %d to be tried again later", s.Later)
	}
	if s.Skipped > 0 {
		fmt.Fprintf(w, "; %d records skipped (documents or out of scope)", s.Skipped)
	}
	fmt.Fprintln(w)
}

func (p *Program) demoCommand() *cobra.Command {
	var f flags
	var l look
	var dir, web string
	var headless bool
	c := &cobra.Command{
		Use: "demo", Short: "Open the workbench on a miniature web, without internet", Args: exactly(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			open := func(ctx context.Context, report func(string), r view.Reporter) (*demo.Engine, error) {
				return demo.OpenPlan(ctx, p.Web, web, dir, crawl.Options{Override: f.override, Progress: report, Report: r})
			}
			if _, terminal := progress.Terminal(os.Stdout.Fd()); headless || !terminal {
				return demoHeadless(c, &f, open)
			}
			return p.session(c.Context(), &f, &l, place{demo: true, web: web, dir: dir})
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "keep the demo workspace in this folder")
	c.Flags().StringVar(&web, "web", "", "another web than the universities', as tenders; a name that is none lists them")
	c.Flags().BoolVar(&headless, "headless", false, "crawl and harvest without the workbench, print figures")
	f.running(c)
	l.flags(c)
	return c
}

// demoHeadless does what an analyst would do in the workbench: three samples, a
// discovery, a harvest.
func demoHeadless(c *cobra.Command, f *flags, open func(context.Context, func(string), view.Reporter) (*demo.Engine, error)) error {
	var r view.Reporter
	if f.json {
		r = view.NewJSONLines(c.OutOrStdout(), true, true)
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
			fmt.Fprintf(c.ErrOrStderr(), "sample %s · %s\n", row.URL, row.Title)
		}
		opt := run.Options{MaxPages: f.maxPages, For: f.lasting}
		if f.lasting == 0 {
			opt.AwayFor = networkPatience
		}
		for _, task := range []func(context.Context, run.Options) (run.Summary, error){b.Runs.Discover, b.Runs.Harvest} {
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
