// Package report draws the output of commands for people: tables, curves and bars in the cells of a
// terminal. It reads results and fetches nothing.
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

// Table collects lines of tab-separated cells and lays them out in columns; a Chinese character
// takes two cells. Flush writes it. It is for one goroutine.
type Table struct {
	w    io.Writer
	left []int // left-aligned columns; the others are right-aligned
	head bool  // the first line is a heading, bold on a terminal
	text bytes.Buffer
}

// Columns returns a table with a heading: names between tabs. Its columns are right-aligned except
// left.
func Columns(w io.Writer, heads string, left ...int) *Table {
	t := &Table{w: w, left: left, head: true}
	fmt.Fprintln(t, heads)
	return t
}

// Write implements io.Writer.
func (t *Table) Write(b []byte) (int, error) { return t.text.Write(b) }

// Lines returns a table without heading; its columns are right-aligned except left.
func Lines(w io.Writer, left ...int) *Table { return &Table{w: w, left: left} }

// Flush writes the table.
func (t *Table) Flush() {
	render := lipgloss.NewRenderer(t.w)
	var rows [][]string
	for line := range strings.Lines(t.text.String()) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	// lipgloss cuts off the last line, so the hidden bottom border takes the place of the last row.
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
	fmt.Fprint(t.w, out.String())
}
