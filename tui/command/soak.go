package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/soak"
	"angler/crawl/webtest"
	"angler/tui/command/cli"
	"angler/tui/report"
)

func (p *Program) soakCommand() *cobra.Command {
	var o soak.Options
	var events string
	var asJSON bool
	c := &cobra.Command{
		Use: "soak", Short: "Crawl the demo web while everything goes wrong, and compare with an undisturbed crawl", Args: cli.Args(0, 0),
		Long: "soak serves the demo web on loopback, crawls and harvests it once undisturbed, and then again and again\n" +
			"while events happen to it: " + strings.Join(soak.Kinds(), ", ") + ".\n" +
			"Pages, aggregation pages, notices, labels, samples and settings must be those of the undisturbed crawl.\n" +
			"When one differs the exit status is 1, and the workspaces are kept. The same --seed gives the same mix of events.",
		RunE: func(c *cobra.Command, _ []string) error {
			if events != "" {
				o.Events = strings.Split(events, ",")
			}
			if err := soak.CheckKinds(o.Events); err != nil {
				return cli.Misuse(err)
			}
			if !c.Flags().Changed("seed") {
				o.Seed = rand.Uint64() >> 32 // short enough to be typed
			}
			return p.soak(c, o, asJSON)
		},
	}
	c.Flags().DurationVar(&o.For, "for", 2*time.Minute, "begin no disturbed crawl later; one is always made")
	c.Flags().Uint64Var(&o.Seed, "seed", 0, "of the mix of events; random unless given")
	c.Flags().IntVar(&o.Pages, "pages", 0, "pages of the web; 0 is the demo's some 3,500")
	c.Flags().StringVar(&o.Dir, "keep", "", "keep all workspaces in this folder")
	c.Flags().StringVar(&events, "events", "", "only these, such as kill,nxdomain,clock")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

// soakRunCommand is the process of a crawl that a soak disturbs. It is hidden: its
// flags and what is spoken over its input and output are the soak's own.
func soakRunCommand() *cobra.Command {
	return &cobra.Command{
		Use: "soak-run", Hidden: true, DisableFlagParsing: true, Short: "A crawl of angler soak; not to be called by hand",
		RunE: func(c *cobra.Command, args []string) error {
			return soak.Child(c.Context(), args, c.InOrStdin(), c.OutOrStdout())
		},
	}
}

// errDiffers ends a soak that found a difference; the table has said which.
var errDiffers = errors.New("crawls differ from the undisturbed one")

func (p *Program) soak(c *cobra.Command, o soak.Options, asJSON bool) (err error) {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	o.Child = []string{program, "soak-run"}
	material, err := webtest.Load(p.Web)
	if err != nil {
		return err
	}
	o.Keep = o.Dir != ""
	if o.Dir, err = soak.Folder(o.Dir); err != nil {
		return err
	}
	begun := time.Now()
	o.Log = func(format string, args ...any) {
		fmt.Fprintf(c.ErrOrStderr(), "%5.1fs  %s\n", time.Since(begun).Seconds(), fmt.Sprintf(format, args...))
	}
	o.Log("seed %d, workspaces in %s", o.Seed, o.Dir)
	report, err := soak.Run(c.Context(), material, o)
	if report == nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before its end")
	}
	if asJSON {
		err = errors.Join(err, json.NewEncoder(c.OutOrStdout()).Encode(report))
	} else if report.Crawls > 0 {
		err = errors.Join(err, printSoak(c.OutOrStdout(), report))
	}
	if err == nil && len(report.Differences) > 0 {
		err = fmt.Errorf("%w: %s; repeat: %s", errDiffers, strings.Join(report.Kept, " "), again(o))
	}
	return errors.Join(err, soak.Tidy(o.Dir))
}

// again is the command that makes the same crawls.
func again(o soak.Options) string {
	s := fmt.Sprintf("angler soak --seed %d --for %s", o.Seed, o.For)
	if o.Pages > 0 {
		s += fmt.Sprintf(" --pages %d", o.Pages)
	}
	if len(o.Events) > 0 {
		s += " --events " + strings.Join(o.Events, ",")
	}
	return s
}

// printSoak prints the table for people.
func printSoak(w io.Writer, r *soak.Report) error {
	t := report.Columns(w, 0, 3)
	fmt.Fprintln(t, "event\ttimes\tcompared\tdifference")
	for _, row := range r.Rows {
		said := "none"
		if row.Difference != "" {
			said = fmt.Sprintf("%d differ: %s", row.Differing, row.Difference)
		}
		fmt.Fprintf(t, "%s\t%d\t%d crawls\t%s\n", row.Event, row.Times, row.Crawls, said)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "each crawl compared: %v\nseed %d: %d crawls by %d processes in %.0f s, %d differ\n", r.Calm, r.Seed, r.Crawls, r.Processes, r.Seconds, len(r.Kept))
	return err
}
