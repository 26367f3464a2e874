package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/query"
	"angler/store/export"
)

func exportCommand() *cobra.Command {
	var plan query.ExportPlan
	var path string
	var force bool
	c := &cobra.Command{
		Use: "export DIR " + strings.Join(query.Exports, "|"), Short: "Write what was found as JSON lines, CSV or an Atom feed", Args: exactly(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			plan.What = args[1]
			if err := plan.Check(); err != nil {
				return misuse(err)
			}
			if force && path == "" {
				return misuse(errors.New("--force goes with --output"))
			}
			return new(flags).reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if path != "" && path != "-" {
					n, err := e.Pages.ExportFile(c.Context(), plan, path, force)
					if errors.Is(err, fs.ErrExist) {
						return fmt.Errorf("%w, or replace it with --force", err)
					}
					if err == nil {
						fmt.Fprintf(c.ErrOrStderr(), "%d rows written to %s\n", n, path)
					}
					return err
				}
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				_, err := e.Pages.Export(c.Context(), plan, c.OutOrStdout())
				return err
			})
		},
	}
	c.Flags().StringVar(&plan.Format, "format", export.JSONL, strings.Join(export.Formats, ", ")+" (notices and aggregations only)")
	c.Flags().BoolVar(&plan.BOM, "bom", false, "csv: begin with a byte order mark, which Excel needs to read Chinese")
	c.Flags().IntVar(&plan.Newest, "newest", 0, fmt.Sprintf("atom: most entries; 0 means %d", export.DefaultNewest))
	c.Flags().StringVarP(&path, "output", "o", "", "file to write, which appears when it is whole; without it standard output")
	c.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	return c
}
