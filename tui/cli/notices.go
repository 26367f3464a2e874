package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/filter"
	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/export"
	"angler/tui/report"
	"angler/tui/widget"
)

func noticesNoun() *cobra.Command {
	return noun("notices", "List, search and export notices and their files",
		noticeListCommand(), searchCommand(), noticeExportCommand(), filesCommand())
}

// filterHelp ends the help of commands that take a filter.
const filterHelp = "FILTER has the syntax of the inbox; a mistake in it lists the fields. Put -- before a filter\n" +
	"that begins with -."

// noticeListCommand prints notices that a filter selects, with the fields that are asked for.
func noticeListCommand() *cobra.Command {
	var fields []string
	c := &cobra.Command{
		Use: "list DIR [FILTER]", Short: "List notices, the newest first",
		Long: "list prints the notices that a filter selects, the newest first. " + filterHelp,
		Example: "  angler notices list DIR 'is:unread site:ntu age<7d 设备 -更正'\n" +
			"  angler notices list DIR --fields title,date,url --json",
		RunE: func(c *cobra.Command, args []string) error {
			plan := query.ExportPlan{What: "notices", Format: export.JSONL, Filter: strings.Join(args[1:], " ")}
			frugal()
			return new(engineFlags).reading(c, args[0], func(e *crawl.Engine) error {
				switch {
				case fields != nil:
				case wantsJSON(c):
					fields = e.Pages.DefaultFields()
				default:
					fields = []string{"date", "site", "title", "url"}
				}
				if err := completePlan(e, &plan, fields); err != nil {
					return err
				}
				if wantsJSON(c) {
					return new(target).write(c, e, plan)
				}
				return listNotices(c, e, plan)
			})
		},
	}
	c.Flags().StringSliceVar(&fields, "fields", nil,
		"columns, separated by commas (date,site,title,url); a mistake lists them")
	return jsonFlag(c)
}

// completePlan completes and checks a plan.
func completePlan(e *crawl.Engine, plan *query.ExportPlan, fields []string) error {
	if err := checkFilter(e, plan.Filter); err != nil {
		return misusef("the filter: %w", err)
	}
	plan.Fields, plan.By = nil, e.Inbox.Name
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" {
			plan.Fields = append(plan.Fields, f)
		}
	}
	if plan.Fields != nil {
		if err := e.Pages.CheckFields(plan.Fields); err != nil {
			return misuse(err)
		}
	}
	return misuse(plan.Check())
}

// cellWidth bounds a value in a table, in cells of the terminal.
const cellWidth = 60

// listNotices prints notices as a table.
func listNotices(c *cobra.Command, e *crawl.Engine, plan query.ExportPlan) error {
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
	out := report.Columns(c.OutOrStdout(), strings.Join(plan.Fields, "\t"), left...)
	for dec := json.NewDecoder(&rows); ; {
		var row map[string]any
		if err := dec.Decode(&row); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		cells := widget.Map(plan.Fields, func(f string) string { return cell(row[f]) })
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
	out.Flush()
	c.PrintErrln(count(n, "notice"))
	return tellDoubts(c, e, plan.Filter)
}

// cell formats a JSON value for one cell.
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
	default:
		b, _ := json.Marshal(v)
		s = string(b)
	}
	return ansi.Truncate(htmldoc.CleanLine(s, 4*cellWidth), cellWidth, "…")
}

// checkFilter returns the error of a filter on a command line.
func checkFilter(e *crawl.Engine, text string) error {
	return cmp.Or(filter.Closed(text), e.Inbox.CheckFilter(text))
}

// doubts returns the selected notices that may be false. They are known once all notices were read.
func doubts(c *cobra.Command, e *crawl.Engine, filter string) (map[uint64]bool, error) {
	if err := e.Facts.Idle(c.Context()); err != nil {
		return nil, err
	}
	list, err := e.Inbox.List(c.Context(), inbox.Request{Query: filter})
	if err != nil {
		return nil, err
	}
	out := map[uint64]bool{}
	for i := range list.Rows {
		if list.Rows[i].Doubt != nil {
			out[list.Rows[i].ID] = true
		}
	}
	return out, nil
}

// tellDoubts prints how many of the notices that a filter selects may be false.
func tellDoubts(c *cobra.Command, e *crawl.Engine, filter string) error {
	found, err := doubts(c, e, filter)
	if len(found) > 0 {
		c.PrintErrf("%s may be false; -is:doubtful leaves them out\n", count(len(found), "notice"))
	}
	return err
}
