package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/htmldoc"
	"angler/crawl/query"
	"angler/store/export"
	"angler/tui/lang"
	"angler/tui/report"
)

// tableFormat prints a table for people; it is no format of files.
const tableFormat = "table"

// queryCommand prints notices that a filter lets pass, with the fields that are asked for.
func queryCommand() *cobra.Command {
	plan := query.ExportPlan{What: "notices"}
	var t target
	var fields []string
	c := &cobra.Command{
		Use: "query DIR [FILTER]", Short: "List the notices that a filter lets pass, with the fields you name",
		Long: "query lists the notices that a filter lets pass: on a terminal as a table, else as\n" +
			"JSON lines, or in the format that the ending of -o tells (jsonl, csv, xlsx, html).\n" +
			"The filter is the inbox's; a mistake in it lists what can be asked:\n\n" +
			"  angler query DIR 'is:unread site:ntu age<7d 设备 -更正' --fields title,date,url -o today.xlsx\n\n" +
			"A filter that begins with - stands behind --.",
		Args: arguments(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			l, err := lang.Pick(t.lang, os.Getenv)
			if err != nil {
				return misuse(err)
			}
			if len(args) == 2 {
				plan.Filter = args[1]
			}
			plan.Lang = l.Code
			switch {
			case c.Flags().Changed("format"):
			case !t.stdout():
				plan.Format = export.JSONL
				if err := t.ending(c, &plan); err != nil {
					return err
				}
			case term.IsTerminal(os.Stdout.Fd()):
				plan.Format = tableFormat
			default:
				plan.Format = export.JSONL
			}
			frugal()
			if plan.Format == tableFormat {
				if !t.stdout() {
					return misuse(errors.New("a table is for standard output; files are jsonl, csv, xlsx or html"))
				}
				return listed(c, args[0], plan, fields)
			}
			if err := t.check(plan.Format); err != nil {
				return err
			}
			return new(engineFlags).Reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := completePlan(e, &plan, fields); err != nil {
					return err
				}
				return t.write(c, e, plan)
			})
		},
	}
	c.Flags().StringSliceVar(&fields, "fields", nil, "columns, in this order, separated by commas; a mistake lists them")
	c.Flags().StringVar(&plan.Format, "format", "", "table, jsonl, csv, xlsx or html; without it by the ending of -o")
	c.Flags().BoolVar(&plan.BOM, "bom", false, "csv: begin with a byte order mark, which Excel needs to read Chinese")
	t.flags(c)
	return c
}

// completePlan completes a plan and says what is wrong with it.
func completePlan(e *crawl.Engine, plan *query.ExportPlan, fields []string) error {
	if err := checkFilter(e, plan.Filter); err != nil {
		return misuse(fmt.Errorf("the filter: %w", err))
	}
	plan.Fields, plan.By = nil, e.Inbox.Name
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" {
			plan.Fields = append(plan.Fields, f)
		}
	}
	if plan.Fields == nil {
		plan.Fields = e.Pages.DefaultFields()
	}
	if err := e.Pages.CheckFields(plan.Fields); err != nil {
		return misuse(err)
	}
	return misuse(plan.Check())
}

// cellWidth is how much of a value a table shows, in cells of the terminal.
const cellWidth = 60

// listed prints notices as a table.
func listed(c *cobra.Command, dir string, plan query.ExportPlan, fields []string) error {
	plan.Format = export.JSONL
	return new(engineFlags).Reading(c.Context(), dir, func(e *crawl.Engine) error {
		if err := completePlan(e, &plan, fields); err != nil {
			return err
		}
		if err := e.Words(c.Context()); err != nil {
			return err
		}
		var rows bytes.Buffer
		n, err := e.Pages.Export(c.Context(), plan, &rows)
		if err != nil {
			return err
		}
		var left []int
		for i := range plan.Fields {
			left = append(left, i)
		}
		out := report.Columns(c.OutOrStdout(), left...)
		fmt.Fprintln(out, strings.Join(plan.Fields, "\t"))
		for dec := json.NewDecoder(&rows); ; {
			var row map[string]any
			if err := dec.Decode(&row); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
			cells := make([]string, len(plan.Fields))
			for i, f := range plan.Fields {
				cells[i] = cell(row[f])
			}
			fmt.Fprintln(out, strings.Join(cells, "\t"))
		}
		if err := out.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(c.ErrOrStderr(), count(n, "notice"))
		return tellDoubts(c.Context(), c.ErrOrStderr(), e, plan.Filter)
	})
}

// cell is a value of JSON in one cell.
func cell(v any) string {
	s := ""
	switch v := v.(type) {
	case nil:
	case string:
		s = v
	case bool:
		if v {
			s = "✓"
		}
	case float64:
		s = string(bytes.TrimSpace(must(json.Marshal(v))))
	default:
		s = string(must(json.Marshal(v)))
	}
	return ansi.Truncate(htmldoc.CleanLine(s, 4*cellWidth), cellWidth, "…")
}

func must(b []byte, _ error) []byte { return b }
