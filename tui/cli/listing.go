package cli

import (
	"fmt"
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
// by tabs.
func (l listing[T]) print(c *cobra.Command, rows []T) error {
	w := c.OutOrStdout()
	switch {
	case wantsJSON(c):
		return jsonLines(w, rows)
	case len(rows) == 0:
		_, err := fmt.Fprintln(w, l.None)
		return err
	}
	t := report.Columns(w, l.Left...)
	fmt.Fprintln(t, l.Heads)
	for i := range rows {
		fmt.Fprintln(t, l.Cells(&rows[i]))
	}
	return t.Flush()
}

// count formats a number with its noun: 1 seed, 2 seeds.
func count(n int, what string) string { return (*i18n.Lang)(nil).N(n, what) }

// moment formats a time by the reader's clock, – for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04")
}
