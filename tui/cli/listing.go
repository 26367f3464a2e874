package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"angler/tui/i18n"
	"angler/tui/report"
)

// listing describes a table for people.
type listing[T any] struct {
	None  string // text instead of an empty table
	Heads string // of the columns, separated by tabs
	Left  []int  // columns aligned to the left
	Cells func(*T) string
}

// print prints rows as a table, or as JSON, one a line. The cells of a row are separated
// by tabs. err is the error of reading them.
func (l listing[T]) print(c *cobra.Command, rows []T, err error) error {
	return printed(c, rows, err, func(w io.Writer) { l.table(w, rows) })
}

func (l listing[T]) table(w io.Writer, rows []T) {
	if len(rows) == 0 {
		fmt.Fprintln(w, l.None)
		return
	}
	t := report.Columns(w, l.Heads, l.Left...)
	for i := range rows {
		fmt.Fprintln(t, l.Cells(&rows[i]))
	}
	t.Flush()
}

// printed prints rows as JSON, one a line, or by plain for people. err is the error of reading them.
func printed[T any](c *cobra.Command, rows []T, err error, plain func(w io.Writer)) error {
	switch {
	case err != nil:
		return err
	case wantsJSON(c):
		return report.JSON(c.OutOrStdout(), rows...)
	}
	plain(c.OutOrStdout())
	return nil
}

// count formats a number with its noun: 1 seed, 2 seeds.
func count(n int, what string) string { return (*i18n.Lang)(nil).N(n, what) }

// amount is a number and its description.
type amount struct {
	n    int
	what string
}

// amounts lists the amounts above 0, each after sep.
func amounts(sep string, list ...amount) (out string) {
	for _, a := range list {
		if a.n > 0 {
			out += fmt.Sprintf("%s%d %s", sep, a.n, a.what)
		}
	}
	return out
}

// moment formats a time by the reader's clock, – for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04")
}
