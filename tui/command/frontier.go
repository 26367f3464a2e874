package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/frontier"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/tui/report"
)

// frontierCommand shows what waits, or how evenly the URLs of a workspace fall
// into queues.
func frontierCommand() *cobra.Command {
	var f flags
	var balance bool
	var queues int
	var retry string
	var play simulateFlags
	c := &cobra.Command{
		Use: "frontier DIR", Short: "List what is not fetched yet, the best first; or compare queue assignments", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("queues") {
				if !balance {
					return misuse(errors.New("--queues goes with --balance"))
				}
				if _, err := frontier.Assignment(frontier.Assignments[0], queues); err != nil {
					return misuse(err)
				}
			}
			if err := play.check(c, balance); err != nil {
				return misuse(err)
			}
			if c.Flags().Changed("retry") {
				if balance || strings.TrimSpace(retry) == "" {
					return misuse(errors.New("--retry takes a reason such as dns, a host, or all, and no --balance"))
				}
				return retryFailed(c.OutOrStdout(), args[0], retry, f.json)
			}
			if play.asked() {
				return play.run(c.Context(), c.OutOrStdout(), args[0], queues, f.json)
			}
			if balance {
				return printBalance(c.OutOrStdout(), args[0], queues, f.json)
			}
			return f.reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				if f.json {
					_, err := e.Pages.Export(c.Context(), query.ExportPlan{What: "frontier"}, c.OutOrStdout())
					return err
				}
				return printFrontier(c.OutOrStdout(), e)
			})
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	c.Flags().BoolVar(&balance, "balance", false, "measure how evenly host, hflp and elf spread the known URLs over queues")
	c.Flags().StringVar(&retry, "retry", "", "have failed URLs tried again by the next run: those with this reason (dns, \"HTTP status 403\"), of this host (HOST or *.SUFFIX), or all")
	play.add(c)
	c.Flags().IntVar(&queues, "queues", 0, "with --balance: queues of a host; those of the settings unless given")
	return c
}

// retryFailed makes failed URLs wait as if they had never failed.
func retryFailed(w io.Writer, dir, what string, asJSON bool) error {
	ws, err := store.Open(dir)
	if errors.Is(err, store.ErrLocked) {
		return fmt.Errorf("%w; there F on the Crawl screen does the same", err)
	}
	if err != nil {
		return err
	}
	found, err := store.Reopen(ws, run.Retried(what))
	var left []view.Trouble
	if err == nil && len(found) == 0 {
		left, err = run.Troubles(ws)
	}
	if err := errors.Join(err, ws.Close()); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"retry": what, "urls": len(found)})
	}
	if len(found) > 0 {
		_, err = fmt.Fprintf(w, "%d failed URLs wait again; the next run fetches them: angler crawl %s\n", len(found), dir)
		return err
	}
	if len(left) == 0 {
		_, err = fmt.Fprintln(w, "0 failed URLs: nothing has failed")
		return err
	}
	fmt.Fprintf(w, "0 failed URLs match %q; what failed:\n", what)
	for _, t := range left {
		if _, err := fmt.Fprintf(w, "%8d  %s\n", t.N, ansi.Strip(t.Reason)); err != nil {
			return err
		}
	}
	return nil
}

// printFrontier prints the rows of the export for people.
func printFrontier(w io.Writer, e *crawl.Engine) error {
	r, to := io.Pipe()
	go func() {
		_, err := e.Pages.Export(context.Background(), query.ExportPlan{What: "frontier"}, to)
		to.CloseWithError(err)
	}()
	defer r.Close() // ends the export when printing fails
	out := bufio.NewWriter(w)
	for dec := json.NewDecoder(r); ; {
		var row view.URLRow
		if err := dec.Decode(&row); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return errors.Join(out.Flush(), err)
		}
		if _, err := fmt.Fprintf(out, "%8.4f  %-10s depth %2d  %s  %s\n", row.Priority, row.State, row.Depth, row.URL, ansi.Strip(row.Why)); err != nil {
			return err
		}
	}
}

// printBalance compares the assignments on every URL the workspace knows.
func printBalance(w io.Writer, dir string, queues int, asJSON bool) error {
	ws, err := store.OpenToRead(dir)
	if err != nil {
		return err
	}
	if queues == 0 {
		queues = ws.Settings().Crawl.QueueCount
	}
	var failed error
	rows, err := frontier.CompareBalance(queues, func(yield func(host, url string) bool) {
		for u, err := range ws.URLs() {
			if err != nil {
				failed = err
				return
			}
			if !yield(urls.HostOf(u.URL), u.URL) {
				return
			}
		}
	})
	if err := errors.Join(err, failed, ws.Close()); err != nil {
		return err
	}
	if asJSON {
		return errors.Join(jsonLines(w, rows), leftOut(ws))
	}
	t := report.Columns(w, 0)
	fmt.Fprintln(t, "assignment\thosts\tqueues\tURLs\tmin\tmax\tmean\tmax/mean\tvariation\tinside hosts\tchi²\tof")
	for _, b := range rows {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.2f\t%.2f\t%.2f\t%.0f\t%d\n", b.Assignment, b.Hosts, b.Queues, b.URLs,
			b.Min, b.Max, b.Mean, b.Peak, b.Variation, b.InHost, b.ChiSquare, b.Freedom)
	}
	return errors.Join(t.Flush(), leftOut(ws))
}
