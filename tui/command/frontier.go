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
	"angler/crawl/linkorder"
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
	var f engineFlags
	var balance bool
	var queues int
	var again retried
	c := &cobra.Command{
		Use: "frontier DIR", Short: "List what is not fetched yet, the best first; or compare queue assignments", Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("queues") {
				if !balance {
					return misuse(errors.New("--queues goes with --balance"))
				}
				if _, err := frontier.Assignment(frontier.Assignments[0], queues); err != nil {
					return misuse(err)
				}
			}
			if c.Flags().Changed("retry") {
				if balance || strings.TrimSpace(again.what) == "" {
					return misuse(errors.New("--retry takes a reason such as dns, a host, an address, or all, and no --balance"))
				}
				return again.run(c.OutOrStdout(), args[0], f.JSON)
			}
			if c.Flags().Changed("host") || c.Flags().Changed("reason") {
				return misuse(errors.New("--host and --reason narrow what --retry names; write for example: --retry all --host HOST"))
			}
			if balance {
				return printBalance(c.OutOrStdout(), args[0], queues, f.JSON)
			}
			return f.Reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				if f.JSON {
					_, err := e.Pages.Export(c.Context(), query.ExportPlan{What: "frontier"}, c.OutOrStdout())
					return err
				}
				return printFrontier(c.OutOrStdout(), e)
			})
		},
	}
	c.Flags().BoolVar(&f.JSON, "json", false, "print JSON lines")
	c.Flags().BoolVar(&balance, "balance", false, "measure how evenly host, hflp and elf spread the known URLs over queues")
	again.flags(c)
	c.Flags().IntVar(&queues, "queues", 0, "with --balance: queues of a host; those of the settings unless given")
	return c
}

// retried names failed URLs that are to be tried again.
type retried struct{ what, host, reason string }

func (r *retried) flags(c *cobra.Command) {
	c.Flags().StringVar(&r.what, "retry", "", "have failed URLs tried again by the next run: those with this reason (dns, \"HTTP status 403\"), of this host (HOST or *.SUFFIX), the one with this address, or all")
	c.Flags().StringVar(&r.host, "host", "", "with --retry: of those, only the ones of this host (HOST or *.SUFFIX)")
	c.Flags().StringVar(&r.reason, "reason", "", "with --retry: of those, only the ones with this reason")
}

// String is what is named, for people.
func (r *retried) String() string {
	s := r.what
	if r.host != "" {
		s += ", host " + r.host
	}
	if r.reason != "" {
		s += ", reason " + r.reason
	}
	return s
}

// run makes the failed URLs of a workspace wait as if they had never failed.
func (r *retried) run(w io.Writer, dir string, asJSON bool) error {
	ws, err := store.Open(dir)
	if errors.Is(err, store.ErrLocked) {
		return fmt.Errorf("%w; there F on the Crawl screen does the same", err)
	}
	if err != nil {
		return err
	}
	found, err := store.Reopen(ws, run.NarrowFailures(r.what, r.host, r.reason))
	var left []view.FailureGroup
	if err == nil && len(found) == 0 {
		left, err = run.StoredFailures(ws)
	}
	if err := errors.Join(err, ws.Close()); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"retry": r.String(), "urls": len(found)})
	}
	if len(found) > 0 {
		what := "1 failed URL waits again; the next run fetches it"
		if len(found) > 1 {
			what = fmt.Sprintf("%d failed URLs wait again; the next run fetches them", len(found))
		}
		_, err = fmt.Fprintf(w, "%s: angler crawl %s\n", what, dir)
		return err
	}
	if len(left) == 0 {
		_, err = fmt.Fprintln(w, "0 failed URLs: nothing has failed")
		return err
	}
	fmt.Fprintf(w, "0 failed URLs match %q; what failed:\n", r.String())
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
		var row linkorder.URLRow
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
