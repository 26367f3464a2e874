package inbox

import (
	"math"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/inbox"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// weighing is t of the qualities on screen 5 (P1 2.7) under the reader's hand: it moves
// in small steps, and both lists follow at once. Nothing changes for others until it is
// saved as the setting.
type weighing struct {
	t      float64
	moving bool
}

// weighStep is how far a key moves t.
const weighStep = .05

// of is a quality under the hand's t.
func (w *weighing) of(q *inbox.Quality) *inbox.Quality {
	if !w.moving {
		return q
	}
	return q.With(w.t)
}

// weigh moves t, and puts the best pages and notices first.
func (s *harvest) weigh(step float64) tea.Cmd {
	t := widget.Either(s.hand.moving, s.hand.t, s.book.T)
	s.hand.t = math.Round(min(1, max(0, t+step))*100) / 100
	s.hand.moving = math.Abs(s.hand.t-s.book.T) > 1e-9
	s.pages.OrderBy("quality", true)
	s.notices.OrderBy("quality", true)
	s.pages.Home() // the cursors follow what comes first
	s.notices.Home()
	s.reader.again()
	return tea.Batch(s.notices.SetRows(s.rows()), s.lists(), s.moved())
}

// saved ends the moving when the setting has become what is under the hand.
func (s *harvest) saved() {
	if s.hand.moving && math.Abs(s.hand.t-s.book.T) < 1e-9 {
		s.hand.moving = false
	}
}

// rows are the notices with their qualities under the hand's t.
func (s *harvest) rows() []inbox.ListedNotice {
	if !s.hand.moving {
		return s.book.Rows
	}
	rows := make([]inbox.ListedNotice, len(s.book.Rows))
	for i, r := range s.book.Rows {
		rows[i] = r
		rows[i].Quality = s.hand.of(r.Quality)
	}
	return rows
}

// weights says which t the qualities have.
func (s *harvest) weights() string {
	if s.hand.moving {
		return s.F("t %s · in force %s · {quality_save} saves", widget.Score(s.hand.t, 2),
			widget.Score(s.book.T, 2))
	}
	return s.F("t %s", widget.Score(s.book.T, 2))
}

// qualityText tells what a quality is made of.
func qualityText(sh *screen.Shared, q *inbox.Quality) string {
	return sh.F("%s = similarity %s · %s + PageRank %s · %s",
		widget.Score(q.Value, 2), widget.Score(q.Similarity, 2), widget.Score(q.T, 2), widget.Score(q.PageRank, 2),
		widget.Score(1-q.T, 2))
}

// rankText tells the PageRank behind a quality.
func rankText(sh *screen.Shared, q *inbox.Quality) string {
	return sh.F("%s, its place %s among %s", strconv.FormatFloat(q.Rank, 'g', 2, 64), widget.Score(q.PageRank, 2),
		q.Among)
}

func qualityColumn[T any](drop int, of func(*T) *inbox.Quality) widget.Column[T] {
	return widget.Column[T]{Title: "quality", Width: 8, Right: true, Drop: drop, Spare: true,
		Cell: func(r *T) (string, widget.Style) {
			if of(r) == nil {
				return "–", widget.Dim
			}
			return widget.Score(of(r).Value, 2), widget.Plain
		}, Number: func(r *T) float64 {
			if of(r) == nil {
				return -1
			}
			return of(r).Value
		}}
}

// weighKeys move t and save it.
func (s *harvest) weighKeys() []screen.Binding {
	none := screen.If(len(s.book.Rows) == 0 && len(s.book.Lists) == 0, "nothing has a quality yet")
	still := screen.If(!s.hand.moving, "t is where it was: {quality_lower} and {quality_raise} move it")
	t := s.hand.t
	return []screen.Binding{
		screen.Bind(keymap.LessAlike, none, func() tea.Cmd { return s.weigh(-weighStep) }),
		screen.Bind(keymap.MoreAlike, none, func() tea.Cmd { return s.weigh(weighStep) }),
		screen.Bind(keymap.KeepShare, still, func() tea.Cmd {
			const key = "harvest.similarity_share"
			return s.ActBack(s.F("t %s", widget.Score(t, 2)), func() error {
				_, err := s.settings.ChangeSetting(key, strconv.FormatFloat(t, 'g', -1, 64))
				return err
			}, screen.SettingBack(s.settings, key))
		}),
	}
}
