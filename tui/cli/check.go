package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/reader"
	"angler/store"
	"angler/store/config"
	"angler/tui/widget"
)

// checkCommand verifies a workspace's database. It only opens the database, so that the rest of the
// program need not start on damaged data.
func checkCommand() *cobra.Command {
	var repair bool
	c := &cobra.Command{
		Use: "check DIR", Short: "Verify every page, row and body of the database",
		Example: "  angler workspace check DIR --repair",
		Long: "check reads all that is stored and reports damage: pages of the file, checksums of rows, bodies\n" +
			"against their hashes, and rows that contradict each other.\n\n" +
			"--repair derives keys, words and links again, queues lost pages for fetching, and moves aside\n" +
			"rows that nothing can restore. It repairs no file whose pages are damaged: angler workspace\n" +
			"restore DIR puts the newest backup in its place.",
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := config.Read(args[0]); err != nil {
				return err
			}
			x := &checking{Command: c, dir: args[0], repair: repair}
			return x.run()
		},
	}
	c.Flags().BoolVar(&repair, "repair", false, "rebuild derived rows, and queue lost pages for fetching")
	return jsonFlag(c)
}

type problemRow struct {
	Problem  string `json:"problem"`
	Repair   string `json:"repair,omitempty"`
	Repaired bool   `json:"repaired"`
}

// checking is one call of the command.
type checking struct {
	*cobra.Command
	dir    string
	repair bool

	found, left, mendable int
}

func (x *checking) run() error {
	file, err := store.CheckFile(x.dir)
	if err != nil {
		return err
	}
	x.tell(file.Problems)
	if file.Torn {
		// bbolt must not walk such pages, so the rows are not read.
		x.PrintErrf("%d pages of the file; its rows were not looked at; %d problems, %d left\n", file.Pages,
			x.found, x.left)
		return fmt.Errorf("%s: the database is damaged%s", x.dir, store.Advice(x.dir))
	}
	open := widget.Either(x.repair, store.Open, store.OpenToRead)
	ws, err := open(x.dir)
	if err != nil {
		return err
	}
	for _, line := range store.Exposed(x.dir) {
		x.PrintErrln("note:", line)
	}
	k := store.Checker{Workspace: ws, Terms: reader.CheckDoc, Progress: func(bucket string, rows int) {
		if rows%100_000 < 5_000 && rows >= 100_000 {
			x.PrintErrf("%s: %d rows\n", bucket, rows)
		}
	}}
	look := k.Check
	if x.repair {
		look = k.Repair
	}
	found, looked := look()
	counts := ws.Counts()
	if err := errors.Join(looked, ws.Close()); err != nil {
		return err
	}
	x.tell(found.Problems)
	if found.More > 0 {
		x.found, x.left = x.found+found.More, x.left+found.More
		x.PrintErrf("%d more problems of the same kinds\n", found.More)
	}
	if x.repair && x.mendable > 0 {
		if err := crawl.Rebuild(x.Context(), x.dir, func(s string) { x.PrintErrln(s) }); err != nil {
			return err
		}
	}
	x.PrintErrf(
		"%d URLs, %d pages, %d notices; looked at %d pages of the file, %d rows and %d bodies; %d problems, %d left\n",
		counts.URLs, counts.Pages, counts.Notices, file.Pages, found.Rows, found.Bodies, x.found, x.left)
	return x.verdict()
}

func (x *checking) tell(problems []store.Problem) {
	for _, p := range problems {
		row := problemRow{Problem: p.Text, Repair: p.Repairs, Repaired: x.repair && p.Repairs != ""}
		x.found++
		if !row.Repaired {
			x.left++
		}
		if p.Repairs != "" {
			x.mendable++
		}
		switch {
		case wantsJSON(x.Command):
			_ = json.NewEncoder(x.OutOrStdout()).Encode(row)
		case row.Repaired:
			fmt.Fprintf(x.OutOrStdout(), "%s (repaired: %s)\n", p.Text, p.Repairs)
		default:
			fmt.Fprintln(x.OutOrStdout(), p.Text)
		}
	}
}

func (x *checking) verdict() error {
	switch {
	case x.left == 0:
		return nil
	case !x.repair && x.mendable > 0:
		return fmt.Errorf("%s: %s, %d repairable; repair with: angler workspace check %s --repair", x.dir,
			count(x.left, "problem"), x.mendable, x.dir)
	}
	return fmt.Errorf("%s: %s that only a copy of the database or a new label repairs", x.dir, count(x.left, "problem"))
}
