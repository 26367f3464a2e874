package command

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"angler/store"
)

// checkCommand verifies a workspace's database. It opens the database alone:
// a damaged one must not need the rest of the program to come up.
func checkCommand() *cobra.Command {
	var repair, asJSON bool
	c := &cobra.Command{
		Use: "check DIR", Short: "Verify the database: counts, keys, links, pages, labels", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			open := store.OpenToRead
			if repair {
				open = store.Open
			}
			ws, err := open(args[0])
			if err != nil {
				return err
			}
			for _, line := range store.Exposed(args[0]) {
				fmt.Fprintln(c.ErrOrStderr(), "note:", line)
			}
			look := ws.Check
			if repair {
				look = ws.Repair
			}
			problems, err := look()
			counts := ws.Counts()
			if err := errors.Join(err, ws.Close()); err != nil {
				return err
			}
			out := c.OutOrStdout()
			left, mendable := 0, 0
			for _, p := range problems {
				row := problemRow{Problem: p.Text, Repair: p.Repairs, Repaired: repair && p.Repairs != ""}
				if !row.Repaired {
					left++
				}
				if p.Repairs != "" {
					mendable++
				}
				switch {
				case asJSON:
					if err := json.NewEncoder(out).Encode(row); err != nil {
						return err
					}
				case row.Repaired:
					fmt.Fprintf(out, "%s (repaired: %s)\n", p.Text, p.Repairs)
				default:
					fmt.Fprintln(out, p.Text)
				}
			}
			fmt.Fprintf(c.ErrOrStderr(), "%d URLs, %d pages, %d notices; %d problems, %d left\n", counts.URLs, counts.Pages, counts.Notices, len(problems), left)
			switch {
			case left == 0:
				return nil
			case !repair && mendable > 0:
				return fmt.Errorf("%s: %d problems; %d of them can be put right with: angler check %s --repair", args[0], left, mendable, args[0])
			}
			return fmt.Errorf("%s: %d problems that only a copy of the database or a new label can put right", args[0], left)
		},
	}
	c.Flags().BoolVar(&repair, "repair", false, "put right what is derived from other rows")
	c.Flags().BoolVar(&asJSON, "json", false, "JSON lines on standard output")
	return c
}

type problemRow struct {
	Problem  string `json:"problem"`
	Repair   string `json:"repair,omitempty"`
	Repaired bool   `json:"repaired"`
}
