package command

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	lipglosstable "github.com/charmbracelet/lipgloss/table"
)

// table collects lines whose cells are separated by tabs and lays them out in
// columns by the cells that they take, a Chinese character being two. It is written
// by Flush.
type table struct {
	w    io.Writer
	left []int // columns aligned to the left, the others are to the right
	head bool  // the first line is one of heads, bold on a terminal
	text bytes.Buffer
}

// columns returns a table with a line of heads, whose columns are aligned to the
// right but for some.
func columns(w io.Writer, left ...int) *table { return &table{w: w, left: left, head: true} }

// facts returns a table of names and what is said of them.
func facts(w io.Writer) *table { return &table{w: w, left: []int{0, 1}} }

func (t *table) Write(b []byte) (int, error) { return t.text.Write(b) }

// Flush writes the table.
func (t *table) Flush() error {
	render := lipgloss.NewRenderer(t.w)
	var rows [][]string
	for line := range strings.Lines(t.text.String()) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	// The hidden border at the bottom is a line that lipgloss cuts off, in place of the
	// last row.
	laid := lipglosstable.New().Border(lipgloss.HiddenBorder()).BorderTop(false).BorderLeft(false).BorderRight(false).BorderColumn(false).BorderHeader(false).
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
