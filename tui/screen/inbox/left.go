package inbox

import (
	"encoding/json"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/widget"
)

// leftAt holds the state of the screen besides its panes.
type leftAt struct {
	View   string    `json:"view,omitempty"`
	Query  string    `json:"query,omitempty"`
	Looked time.Time `json:"looked,omitzero"`
}

// Left implements screen.Leaver.
func (s *harvest) Left() any {
	x := leftAt{View: s.views.at, Query: s.views.query, Looked: s.looked}
	if s.here {
		x.Looked = s.newest()
	}
	return x
}

// Return implements screen.Leaver.
func (s *harvest) Return(v json.RawMessage) tea.Cmd {
	var x leftAt
	if json.Unmarshal(v, &x) != nil {
		return nil
	}
	s.views.at, s.views.query, s.looked = x.View, x.Query, x.Looked
	if s.inbox.CheckFilter(x.Query) != nil {
		s.views.query = "" // another angler knew a field that this one does not
	}
	return nil // the list is read when the screen is shown
}

// Restore restores the table; the filter is the screen's.
func (l noticeList) Restore(st widget.TableState) tea.Cmd {
	st.Filter = ""
	return l.Table.Restore(st)
}
