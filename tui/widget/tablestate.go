package widget

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// TableState is how a person left a table: what it takes to find it so again.
type TableState struct {
	Sort   string   `json:"sort,omitempty"` // a title; "#2": the column at place 2, which has none
	Desc   bool     `json:"desc,omitempty"`
	Filter string   `json:"filter,omitempty"`
	Row    uint64   `json:"row,omitempty"`  // under the cursor; 0 = it follows the first one
	Hide   []string `json:"hide,omitempty"` // columns
	Show   []string `json:"show,omitempty"` // columns that are left out until they are chosen
	Chosen bool     `json:"chosen,omitempty"`
}

// StateOf is how a table is now.
func StateOf[T any](t *Table[T]) TableState {
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

// Restore makes a table as it was left. The row is looked for as soon as there are
// rows; without it the cursor stays on the first.
func Restore[T any](t *Table[T], s TableState) tea.Cmd {
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
		away := map[string]bool{} // columns may be new since
		for i := range t.Cols {
			away[t.Cols[i].Title] = t.Cols[i].Off
		}
		Choose(t, func(title string) bool {
			return !slices.Contains(s.Hide, title) && (!away[title] || slices.Contains(s.Show, title))
		})
	}
	return t.arrange(t.given)
}

// sortName is what the state calls column i, "" for none.
func sortName[T any](t *Table[T], i int) string {
	switch {
	case i < 0 || i >= len(t.Cols):
		return ""
	case t.Cols[i].Title == "":
		return "#" + strconv.Itoa(i)
	}
	return t.Cols[i].Title
}

// Choices lists the columns of a table that can be shown or left out, each with whether it is
// shown where there is room, and with its head where that is another text. The first and
// those without a head are always there.
func Choices[T any](t *Table[T]) (titles, heads []string, shown []bool) {
	for i := range t.Cols {
		if c := &t.Cols[i]; i > 0 && c.Title != "" && (c.Hide == nil || !c.Hide()) {
			titles, heads, shown = append(titles, c.Title), append(heads, c.Head), append(shown, !c.off)
		}
	}
	return titles, heads, shown
}

// Choose shows the columns of a table that show names, where there is room, and no other.
func Choose[T any](t *Table[T], show func(title string) bool) {
	t.chosen = true
	titles, _, _ := Choices(t)
	for i := range t.Cols {
		if c := &t.Cols[i]; slices.Contains(titles, c.Title) {
			c.off = !show(c.Title)
		}
	}
}

// find puts the cursor on the row that was asked for by Restore, if it is there.
func find[T any](t *Table[T]) {
	if t.wanted == 0 || len(t.view) == 0 {
		return
	}
	for i, r := range t.view {
		if t.Key(&t.rows[r]) == t.wanted {
			t.To(i)
			break
		}
	}
	t.wanted = 0
}
