package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/query"
	"angler/store/export"
	"angler/tui/lang"
)

func exportCommand() *cobra.Command {
	var plan query.ExportPlan
	var t target
	c := &cobra.Command{
		Use: "export DIR " + strings.Join(query.Exports, "|"), Short: "Write what was found as JSON lines, CSV, an Excel workbook, an HTML report, a feed or a graph", Args: arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			plan.What = args[1]
			if err := t.ending(c, &plan); err != nil {
				return err
			}
			if err := plan.Check(); err != nil {
				return misuse(err)
			}
			if err := t.check(plan.Format); err != nil {
				return err
			}
			l, err := lang.Pick(t.lang, os.Getenv)
			if err != nil {
				return misuse(err)
			}
			frugal()
			return new(engineFlags).Reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := checkFilter(e, plan.Filter); err != nil {
					return misuse(fmt.Errorf("--filter %w", err))
				}
				plan.By = e.Inbox.Name
				plan.Lang = l.Code
				return t.write(c, e, plan)
			})
		},
	}
	c.Flags().StringVar(&plan.Format, "format", export.JSONL, strings.Join(export.Formats, ", ")+" (notices and aggregations only), graphml (links); without it by the ending of -o")
	c.Flags().BoolVar(&plan.BOM, "bom", false, "csv: begin with a byte order mark, which Excel needs to read Chinese")
	c.Flags().IntVar(&plan.Newest, "newest", 0, fmt.Sprintf("atom: most entries; 0 means %d", export.DefaultNewest))
	c.Flags().StringVar(&plan.Filter, "filter", "", `notices only: those that meet all of it, such as 'is:unread site:ntu age<7d 设备 -更正'; a mistake lists the fields`)
	t.flags(c)
	return c
}

// target is where a command writes rows to.
type target struct {
	path  string
	force bool
	lang  string
}

func (t *target) flags(c *cobra.Command) {
	c.Flags().StringVarP(&t.path, "output", "o", "", "file to write, which appears when it is whole; without it standard output")
	c.Flags().BoolVar(&t.force, "force", false, "replace a file that is there")
	c.Flags().StringVar(&t.lang, "lang", "", "xlsx, html: language of heads and charts: "+strings.Join(lang.Names, ", ")+"; without it that of the locale")
}

// stdout reports whether rows go to standard output.
func (t *target) stdout() bool { return t.path == "" || t.path == "-" }

// ending takes the format from the ending of the file, unless --format names one.
func (t *target) ending(c *cobra.Command, plan *query.ExportPlan) error {
	if t.stdout() || c.Flags().Changed("format") || filepath.Ext(t.path) == "" {
		return nil
	}
	known := query.FormatOf(t.path)
	if known == "" {
		return misuse(fmt.Errorf("the ending of %s tells no format (%s); name one with --format", t.path, strings.Join(query.ExportFormats(plan.What), ", ")))
	}
	plan.Format = known
	return nil
}

// check says what is wrong with the flags.
func (t *target) check(format string) error {
	switch {
	case t.force && t.path == "":
		return misuse(errors.New("--force goes with --output"))
	case t.stdout() && query.Binary(format) && term.IsTerminal(os.Stdout.Fd()):
		return misuse(fmt.Errorf("%s is no text: write it into a file with -o FILE.%s", format, format))
	}
	return nil
}

// write follows a plan.
func (t *target) write(c *cobra.Command, e *crawl.Engine, plan query.ExportPlan) error {
	if t.stdout() {
		if err := e.Words(c.Context()); err != nil {
			return err
		}
		if _, err := e.Pages.Export(c.Context(), plan, c.OutOrStdout()); err != nil || plan.What != "notices" {
			return err
		}
		return tellDoubts(c.Context(), c.ErrOrStderr(), e, plan.Filter)
	}
	n, err := e.Pages.ExportFile(c.Context(), plan, t.path, t.force)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w, or replace it with --force", err)
	}
	if err != nil {
		return err
	}
	each := ""
	if plan.What == "notices" {
		each = ", one for each address of a notice"
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s written to %s%s\n", count(n, "row"), t.path, each)
	if plan.What != "notices" {
		return nil
	}
	return tellDoubts(c.Context(), c.ErrOrStderr(), e, plan.Filter)
}
