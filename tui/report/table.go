// Package report draws what commands print for people: tables, curves and bars in a
// terminal's cells. It reads results and fetches nothing.
package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	lipglosstable "github.com/charmbracelet/lipgloss/table"
)

// Table collects lines whose cells are separated by tabs and lays them out in
// columns by the cells that they take, a Chinese character being two. It is written
// by Flush. It belongs to one goroutine.
type Table struct {
	w    io.Writer
	left []int // columns aligned to the left, the others are to the right
	head bool  // the first line is one of heads, bold on a terminal
	text bytes.Buffer
}

// Columns returns a table with a line of heads, whose columns are aligned to the
// right but for some.
func Columns(w io.Writer, left ...int) *Table { return &Table{w: w, left: left, head: true} }

// Facts returns a table of names and what is said of them.
func Facts(w io.Writer) *Table { return &Table{w: w, left: []int{0, 1}} }

// Write implements io.Writer.
func (t *Table) Write(b []byte) (int, error) { return t.text.Write(b) }

// Lines returns a table without heads, whose columns are aligned to the right but for
// some.
func Lines(w io.Writer, left ...int) *Table { return &Table{w: w, left: left} }

// Flush writes the table.
func (t *Table) Flush() error {
	render := lipgloss.NewRenderer(t.w)
	var rows [][]string
	for line := range strings.Lines(t.text.String()) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	// The hidden border at the bottom is a line that lipgloss cuts off, in place of the
	// last row.
	laid := lipglosstable.New().Border(lipgloss.HiddenBorder()).BorderTop(false).BorderLeft(false).
		BorderRight(false).BorderColumn(false).BorderHeader(false).
		Rows(rows...).StyleFunc(func(row, col int) lipgloss.Style {
		s := render.NewStyle().PaddingRight(2).Bold(t.head && row == 0)
		if !slices.Contains(t.left, col) {
			s = s.Align(lipgloss.Right)
		}
		return s
	}).String()
	var out strings.Builder
	for line := range strings.SplitSeq(laid, "\n") {
		fmt.Fprintln(&out, strings.TrimRight(line, " "))
	}
	_, err := io.WriteString(t.w, out.String())
	return err
}
