package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/archive"
	"angler/store/maintenance"
)

// compactCommand deletes expired rows and frees their space.
func compactCommand() *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use: "compact DIR", Short: "Delete expired data and shrink the database",
		Example: "  angler workspace compact DIR --dry-run",
		Long: "compact deletes what [retention] in angler.toml does not keep any longer, and writes the\n" +
			"database again without unused space. The new file is compared with the old one and replaces it\n" +
			"in one step: after a crash or Ctrl-C one of the two is there. The workspace must not be open\n" +
			"elsewhere.",
		RunE: func(c *cobra.Command, args []string) error {
			x := compacting{dir: args[0], dry: dry, tell: newProgress(c)}
			err := x.run(c)
			x.tell.end()
			switch {
			case errors.Is(err, context.Canceled):
				return errors.New("cancelled; the database is as it was, but for expired data, which may be deleted")
			case err != nil:
				return err
			}
			return x.print(c.OutOrStdout(), wantsJSON(c))
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "only print what would be deleted and the size afterwards")
	return jsonFlag(c)
}

// compacting is one call of the command.
type compacting struct {
	dir  string
	dry  bool
	tell *progressPrinter

	before, after int64
	wanted        bool // the settings delete something
	dropped       archive.DroppedData
}

func (x *compacting) run(c *cobra.Command) error {
	x.tell.now("looking at what is kept")
	let := func(e *crawl.Engine) (err error) {
		set := e.Set().Retention
		x.wanted = archive.RetentionEnabled(&set)
		x.dropped, err = e.Archive.Retain(c.Context(), x.dry)
		return err
	}
	first, free, err := maintenance.EstimateCompaction(x.dir)
	if err != nil {
		return err
	}
	if x.dry {
		x.before, x.after = first, first-free
		if err := new(engineFlags).reading(c, x.dir, let); err != nil {
			return err
		}
		x.after -= min(x.after, x.dropped.BodyBytes+x.dropped.EventBytes)
		return nil
	}
	if err := new(engineFlags).with(c, x.dir, let); err != nil {
		return err
	}
	s, err := maintenance.Compact(c.Context(), x.dir, func(done, total int64) {
		x.tell.now("compacting: %.0f of %.0f MB", float64(done)/1e6, float64(total)/1e6)
	})
	x.before, x.after = first, s.After
	return err
}

func (x *compacting) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(struct {
			DryRun  bool                `json:"dry_run"`
			Before  int64               `json:"bytes_before"`
			After   int64               `json:"bytes_after"` // estimated in a dry run
			Dropped archive.DroppedData `json:"dropped"`
		}{x.dry, x.before, x.after, x.dropped})
	}
	would, about := "deleted", ""
	if x.dry {
		would, about = "would delete", "about "
	}
	if x.wanted {
		fmt.Fprintf(w, "%s: %v\n", would, x.dropped)
	}
	fmt.Fprintf(w, "%s: %.1f MB before, %s%.1f MB after\n", x.dir, float64(x.before)/1e6, about, float64(x.after)/1e6)
	return nil
}
