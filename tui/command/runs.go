package command

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"angler/store"
	"angler/store/runs"
	"angler/tui/report"
)

func historyNoun() *cobra.Command {
	return noun("history", "List runs and decisions, take back the last decision", runsCommand(), decisionsCommand(), undoCommand())
}

// runsCommand lists what became of the runs.
func runsCommand() *cobra.Command {
	var asJSON bool
	var most int
	c := &cobra.Command{
		Use: "runs DIR", Short: "List runs: who, when, what they found, how they ended",
		Example: "  angler history runs DIR -n 5",
		Long: "runs lists discoveries and harvests, the newest first: when and by whom they were started,\n" +
			"how they ended (finished, stopped, killed, outage, failed), what they fetched and found,\n" +
			"and what they cost. The newest " + fmt.Sprint(runs.Most) + " are kept. --json prints the curve and the events of\n" +
			"each as well.",
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if most < 1 {
				return misuse(fmt.Errorf("--last %d: give a number above 0", most))
			}
			return readBeside(c.Context(), args[0], func(ws *store.Workspace) error {
				rows, err := runs.List(ws, 0, most)
				switch {
				case err != nil:
					return err
				case asJSON:
					return jsonLines(c.OutOrStdout(), rows)
				}
				return writeRuns(c.OutOrStdout(), rows)
			})
		},
	}
	jsonFlag(c, &asJSON)
	c.Flags().IntVarP(&most, "last", "n", 20, "the last so many of them")
	return c
}

func writeRuns(w io.Writer, rows []runs.Row) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(w, "no run yet; start one: angler crawl DIR")
		return err
	}
	return report.Runs(w, rows, time.Local)
}
