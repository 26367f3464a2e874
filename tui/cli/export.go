package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/query"
	"angler/store/export"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// exports are the kinds of rows; lists are the aggregations of crawl/query.
var exports = []string{"pages", "lists", "notices", "frontier", "links", "resources", "warc"}

func exportCommand() *cobra.Command {
	x := exporting{plan: query.ExportPlan{Format: export.JSONL}}
	c := &cobra.Command{
		Use:   "export DIR " + strings.Join(exports, "|"),
		Short: "Write pages, lists, notices, links or a web archive",
		Long: "export writes one kind of rows as JSON lines, CSV, an Excel workbook, an HTML report, a feed or a\n" +
			"graph. lists, which aggregations means as well, are the aggregation pages. notices writes what\n" +
			"angler notices export writes.\n\n" +
			"warc writes every stored page as WARC 1.1, each record compressed by itself: metadata (depth,\n" +
			"score, what of the answer is not kept), request and response. The index stands beside\n" +
			"FILE.warc.gz in FILE.cdxj. With -o - the archive goes to standard output, without index.",
		Example: "  angler export DIR lists --format csv\n" +
			"  angler export DIR notices --filter 'age<7d' -o week.xlsx\n  angler export DIR warc -o pages.warc.gz",
		RunE: func(c *cobra.Command, args []string) error {
			switch x.plan.What = args[1]; x.plan.What {
			case "warc":
				return x.warc(c, args[0])
			case "lists":
				x.plan.What = "aggregations"
			case "aggregations":
			default:
				if !slices.Contains(exports, x.plan.What) {
					return misusef("cannot export %q; choose from: %s", x.plan.What,
						strings.Join(exports, ", "))
				}
			}
			return x.run(c, args[0])
		},
	}
	x.flags(c)
	c.Flags().StringVar(&x.plan.Filter, "filter", "",
		`notices only: those that meet all of it, such as 'is:unread site:ntu age<7d 设备 -更正'; a mistake lists the fields`)
	return c
}

func noticeExportCommand() *cobra.Command {
	x := exporting{plan: query.ExportPlan{What: "notices", Format: export.JSONL}}
	c := &cobra.Command{
		Use: "export DIR [FILTER]", Short: "Write notices as a workbook, table, report or feed",
		Long: "export writes the notices that a filter selects, with all fields or those of --fields: JSON lines,\n" +
			"CSV, an Excel workbook, an HTML report or an Atom feed, by the ending of -o or by --format.\n" +
			filterHelp,
		Example: "  angler notices export DIR 'age<7d 设备' -o week.xlsx\n" +
			"  angler notices export DIR --fields title,date,url -o all.csv",
		RunE: func(c *cobra.Command, args []string) error {
			x.plan.Filter = strings.Join(args[1:], " ")
			return x.run(c, args[0])
		},
	}
	x.flags(c)
	c.Flags().StringSliceVar(&x.fields, "fields", nil,
		"columns, in this order, separated by commas; a mistake lists them")
	return c
}

// exporting is one call of an export.
type exporting struct {
	plan   query.ExportPlan
	fields []string // of notices; nil means all
	target
}

func (x *exporting) flags(c *cobra.Command) {
	c.Flags().StringVar(&x.plan.Format, "format", export.JSONL,
		strings.Join(export.Formats, ", ")+" (notices and lists only), graphml (links) (default by the ending of -o)")
	c.Flags().BoolVar(&x.plan.BOM, "bom", false, "csv: start with a byte order mark, which Excel needs for Chinese")
	c.Flags().IntVar(&x.plan.Newest, "newest", 0, fmt.Sprintf("atom: most entries; 0 means %d", export.DefaultNewest))
	x.target.flags(c)
}

func (x *exporting) run(c *cobra.Command, dir string) error {
	if err := x.ending(c, &x.plan); err != nil {
		return err
	}
	var err error
	switch {
	case x.plan.BOM && x.plan.Format != export.CSV:
		err = errors.New("--bom goes with --format csv")
	case x.plan.Newest != 0 && x.plan.Format != export.Atom:
		err = errors.New("--newest goes with --format atom")
	case x.plan.Filter != "" && x.plan.What != "notices":
		err = fmt.Errorf("--filter goes with notices; %s are written whole", x.plan.What)
	default:
		err = x.plan.Check()
	}
	if err != nil {
		return misuse(err)
	}
	if err := x.check(x.plan.Format); err != nil {
		return err
	}
	l, err := i18n.Pick(x.lang, os.Getenv)
	if err != nil {
		return misuse(err)
	}
	frugal()
	return new(engineFlags).reading(c, dir, func(e *crawl.Engine) error {
		x.plan.Lang = l.Code
		if err := completePlan(e, &x.plan, x.fields); err != nil {
			return err
		}
		return x.write(c, e, x.plan)
	})
}

// orForce adds to the error for an existing file that --force replaces it.
func orForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w, or replace it with --force", err)
	}
	return err
}

// target is the output of a command.
type target struct {
	path  string
	force bool
	lang  string
}

func (t *target) flags(c *cobra.Command) {
	c.Flags().StringVarP(&t.path, "output", "o", "",
		"file to write, which appears when it is complete (default standard output)")
	c.Flags().BoolVar(&t.force, "force", false, "replace an existing file")
	c.Flags().StringVar(&t.lang, "lang", "", "xlsx, html: language of headings and charts: "+strings.Join(i18n.Names,
		", ")+" (default that of the locale)")
}

// stdout reports whether rows go to standard output.
func (t *target) stdout() bool { return t.path == "" || t.path == "-" }

// ending sets the format by the ending of the file, unless --format is given.
func (t *target) ending(c *cobra.Command, plan *query.ExportPlan) error {
	if t.stdout() || c.Flags().Changed("format") || filepath.Ext(t.path) == "" {
		return nil
	}
	known := query.FormatOf(t.path)
	if known == "" {
		return misusef("the ending of %s tells no format (%s); name one with --format", t.path,
			strings.Join(query.ExportFormats(plan.What), ", "))
	}
	plan.Format = known
	return nil
}

// check returns the misuse of the flags.
func (t *target) check(format string) error {
	switch {
	case t.force && t.path == "":
		return misusef("--force goes with --output")
	case t.stdout() && format == export.XLSX && term.IsTerminal(os.Stdout.Fd()):
		return misusef("%s is no text: write it into a file with -o FILE.%s", format, format)
	}
	return nil
}

// write executes a plan.
func (t *target) write(c *cobra.Command, e *crawl.Engine, plan query.ExportPlan) error {
	if t.stdout() {
		if err := e.Words(c.Context()); err != nil {
			return err
		}
		if _, err := e.Pages.Export(c.Context(), plan, c.OutOrStdout()); err != nil {
			return err
		}
	} else {
		n, err := e.Pages.ExportFile(c.Context(), plan, t.path, t.force)
		if err != nil {
			return orForce(err)
		}
		each := widget.Either(plan.What == "notices", ", one for each address of a notice", "")
		c.PrintErrf("%s written to %s%s\n", count(n, "row"), t.path, each)
	}
	if plan.What != "notices" {
		return nil
	}
	return tellDoubts(c, e, plan.Filter)
}
