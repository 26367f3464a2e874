package widget

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// TableState is the state of a table for a later session.
type TableState struct {
	Sort   string   `json:"sort,omitempty"` // a title; "#2": the column at place 2, without title
	Desc   bool     `json:"desc,omitempty"`
	Filter string   `json:"filter,omitempty"`
	Row    uint64   `json:"row,omitempty"`  // row under the cursor; 0: it follows the first row
	Hide   []string `json:"hide,omitempty"` // columns
	Show   []string `json:"show,omitempty"` // shown columns that are hidden by default
	Chosen bool     `json:"chosen,omitempty"`
}

// State returns the state of the table.
func (t *Table[T]) State() TableState {
	s := TableState{Sort: sortName(t, t.sort), Desc: t.desc, Filter: t.query.Text, Chosen: t.chosen}
	switch {
	case t.wanted != 0:
		s.Row = t.wanted
	case t.moved && t.has:
		s.Row = t.curKey
	}
	if t.chosen {
		for i := range t.Cols {
			if c := &t.Cols[i]; c.off {
				s.Hide = append(s.Hide, c.Title)
			} else if c.Off {
				s.Show = append(s.Show, c.Title)
			}
		}
	}
	return s
}

// Restore restores a state of the table. The cursor moves to its row as soon as that arrives, and
// stays on the first row otherwise.
func (t *Table[T]) Restore(s TableState) tea.Cmd {
	t.sort, t.desc = -1, s.Desc
	for i := range t.Cols {
		if s.Sort != "" && sortName(t, i) == s.Sort {
			t.sort = i
			break
		}
	}
	t.query = NewFilter(s.Filter)
	t.wanted = s.Row
	if s.Chosen {
		away := map[string]bool{} // a newer program may have more columns
		for i := range t.Cols {
			away[t.Cols[i].Title] = t.Cols[i].Off
		}
		Choose(t, func(title string) bool {
			return !slices.Contains(s.Hide, title) && (!away[title] || slices.Contains(s.Show, title))
		})
	}
	return t.arrange(t.given)
}

// sortName returns the name of column i in the state, "" for none.
func sortName[T any](t *Table[T], i int) string {
	switch {
	case i < 0 || i >= len(t.Cols):
		return ""
	case t.Cols[i].Title == "":
		return "#" + strconv.Itoa(i)
	}
	return t.Cols[i].Title
}

// Choices lists the columns that can be shown or hidden: whether each is shown if there is room,
// and its head if that is another text. The first column and those without a head are always shown.
func Choices[T any](t *Table[T]) (titles, heads []string, shown []bool) {
	for i := range t.Cols {
		if c := &t.Cols[i]; i > 0 && c.Title != "" && (c.Hide == nil || !c.Hide()) {
			titles, heads, shown = append(titles, c.Title), append(heads, c.Head), append(shown, !c.off)
		}
	}
	return titles, heads, shown
}

// Choose shows exactly the columns that show selects, if there is room.
func Choose[T any](t *Table[T], show func(title string) bool) {
	t.chosen = true
	titles, _, _ := Choices(t)
	for i := range t.Cols {
		if c := &t.Cols[i]; slices.Contains(titles, c.Title) {
			c.off = !show(c.Title)
		}
	}
}

// find moves the cursor to the row wanted by Restore, if it is there.
func find[T any](t *Table[T]) {
	if t.wanted == 0 || len(t.view) == 0 {
		return
	}
	t.Find(t.wanted)
	t.wanted = 0
}
