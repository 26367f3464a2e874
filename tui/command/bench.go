package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/bench"
	"angler/tui/command/cli"
	"angler/tui/report"
)

func (p *Program) benchCommand() *cobra.Command {
	var o bench.Options
	var asJSON bool
	c := &cobra.Command{
		Use: "bench", Short: "Measure the pipeline beside other crawlers, on this machine", Args: cli.Args(0, 0),
		Long: "bench serves a generated web on loopback and crawls it whole: with angler (fetched, parsed, segmented, judged,\n" +
			"stored, ordered), with the plainest crawler there is (net/http, html.Parse, nothing stored), with colly as its users\n" +
			"write it, and with --peers with wget, wget2, httrack and scrapy where they are installed. Server and crawlers are\n" +
			"processes of their own. What they store goes to the folder for temporary files and is removed.",
		RunE: func(c *cobra.Command, _ []string) error {
			if len(o.Pages) == 0 {
				o.Pages = []int{10_000}
			}
			for _, n := range o.Pages {
				if n < 2000 || n > 1_000_000 {
					return cli.Misuse(fmt.Errorf("--pages %d: choose 2000 to 1000000", n))
				}
			}
			if o.Workers < 1 || o.Runs < 1 || o.Most <= 0 {
				return cli.Misuse(errors.New("--workers, --runs and --most take 1 or more"))
			}
			return p.bench(c, o, asJSON)
		},
	}
	c.Flags().IntSliceVar(&o.Pages, "pages", []int{10_000}, "pages of the web; several sizes with commas between them")
	c.Flags().IntVar(&o.Workers, "workers", 16, "fetches at once, where a crawler can do several")
	c.Flags().IntVar(&o.Runs, "runs", 1, "runs of every crawler; medians are printed")
	c.Flags().DurationVar(&o.Most, "most", 15*time.Minute, "end a crawler that takes longer")
	c.Flags().BoolVar(&o.Peers, "peers", false, "measure the crawlers that are installed, too: wget, wget2, httrack, scrapy")
	c.Flags().StringSliceVar(&o.Only, "only", nil, "measure these crawlers alone, such as angler,bare")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

// benchRunCommand is a process of a benchmark. It is hidden: its flags and what is
// spoken over its input and output are the benchmark's own.
func (p *Program) benchRunCommand() *cobra.Command {
	return &cobra.Command{
		Use: "bench-run", Hidden: true, DisableFlagParsing: true, Short: "A process of angler bench; not to be called by hand",
		RunE: func(c *cobra.Command, args []string) error {
			return bench.Child(c.Context(), p.Web, args, c.InOrStdin(), c.OutOrStdout())
		},
	}
}

func (p *Program) bench(c *cobra.Command, o bench.Options, asJSON bool) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	o.Child = []string{program, "bench-run"}
	begun := time.Now()
	o.Progress = func(crawler string, pages, of int) {
		fmt.Fprintf(c.ErrOrStderr(), "%5.0fs  %s: %d of %d pages\n", time.Since(begun).Seconds(), crawler, pages, of)
	}
	r, err := bench.Run(c.Context(), p.Web, o)
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped before its end; what was measured so far is printed")
	}
	if asJSON {
		enc := json.NewEncoder(c.OutOrStdout())
		enc.SetIndent("", "  ")
		return errors.Join(err, enc.Encode(r))
	}
	return errors.Join(err, printBench(c.OutOrStdout(), r))
}

// printBench prints the tables for people.
func printBench(w io.Writer, r *bench.Report) error {
	m := r.Machine
	fmt.Fprintf(w, "%d cores %s, %s, %s, load %.1f; %d workers, %d runs\n", m.Cores, m.Processor, m.System, m.Go, m.Load, r.Workers, r.Runs)
	for _, table := range r.Tables {
		fmt.Fprintf(w, "\n%d pages\n", table.Pages)
		t := report.Columns(w, 0, 10)
		fmt.Fprintln(t, "crawler\tpages/s\tto bare\tCPU-µs/page\tto bare\tMB peak\tof it own\tdisk B/page\tfound\tseconds\t")
		for _, row := range table.Rows {
			fmt.Fprintf(t, "%s\t%.0f\t%.2f\t%.0f\t%.2f\t%.0f\t%.0f\t%.0f\t%d\t%.1f\t%s\n", row.Crawler, row.Rate, row.RateRatio,
				row.CPU, row.CPURatio, row.Peak, row.Own, row.Disk, row.Found, row.Seconds, row.Note)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if len(r.Missing) > 0 {
		_, err := fmt.Fprintf(w, "\nnot installed: %s\n", strings.Join(r.Missing, ", "))
		return err
	}
	return nil
}
