package cli

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
	"angler/crawl/linkorder"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
)

func frontierNoun() *cobra.Command {
	return noun("frontier", "List URLs to fetch, retry failed ones", frontierListCommand(), retryCommand())
}

func frontierListCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "list DIR", Short: "List the URLs that are not fetched yet, the best first",
		Example: "  angler frontier list DIR | head",
		RunE: runs(new(engineFlags).readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if wantsJSON(c) {
				_, err := e.Pages.Export(c.Context(), query.ExportPlan{What: "frontier"}, c.OutOrStdout())
				return err
			}
			return printFrontier(c.OutOrStdout(), e)
		}),
	})
}

func retryCommand() *cobra.Command {
	var r retried
	c := &cobra.Command{
		Use: "retry DIR all|REASON|HOST|URL", Short: "Retry failed URLs in the next run",
		Long: "retry makes failed URLs wait again: all, those with a reason (dns, \"HTTP status 403\"), of a host\n" +
			"(HOST or *.SUFFIX), or one URL. --host and --reason narrow them.",
		Example: "  angler frontier retry DIR dns\n  angler frontier retry DIR all --host zbb.example.edu.cn",
		RunE: func(c *cobra.Command, args []string) error {
			if r.what = args[1]; strings.TrimSpace(r.what) == "" {
				return missing(c, "REASON|HOST|URL")
			}
			return r.run(c.OutOrStdout(), args[0], wantsJSON(c))
		},
	}
	c.Flags().StringVar(&r.host, "host", "", "only URLs of this host (HOST or *.SUFFIX)")
	c.Flags().StringVar(&r.reason, "reason", "", "only URLs with this reason")
	return jsonFlag(c)
}

// retried selects failed URLs to retry.
type retried struct{ what, host, reason string }

// String describes the choice for people.
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
		fmt.Fprintf(w, "%s: angler crawl %s\n", what, dir)
		return nil
	}
	if len(left) == 0 {
		fmt.Fprintln(w, "0 failed URLs: nothing has failed")
		return nil
	}
	fmt.Fprintf(w, "0 failed URLs match %q; what failed:\n", r.String())
	for _, t := range left {
		fmt.Fprintf(w, "%8d  %s\n", t.N, ansi.Strip(t.Reason))
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
	defer r.Close() // ends the export if printing fails
	out := bufio.NewWriter(w)
	for dec := json.NewDecoder(r); ; {
		var row linkorder.URLRow
		if err := dec.Decode(&row); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return errors.Join(out.Flush(), err)
		}
		if _, err := fmt.Fprintf(out, "%8.4f  %-10s depth %2d  %s  %s\n", row.Priority, row.State, row.Depth, row.URL,
			ansi.Strip(row.Why)); err != nil {
			return err
		}
	}
}
