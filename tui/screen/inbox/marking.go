package inbox

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// readerDecisions is what the reader has said of notices since the list was made. The next list
// knows it.
type readerDecisions struct {
	of    map[uint64]*decisions.Marks
	acts  int // how many actions had ended when the last one began
	read  map[uint64]bool
	reads int // how often something was read
}

// marks are those of a row, with what was said since.
func (x *readerDecisions) marks(r *inbox.ListedNotice) *decisions.Marks {
	if m, ok := x.of[r.ID]; ok {
		return m
	}
	return r.Marks
}

func (x *readerDecisions) isRead(r *inbox.ListedNotice) bool {
	if read, ok := x.read[r.ID]; ok {
		return read
	}
	return r.Read
}

// change says something of a row.
func (x *readerDecisions) change(r *inbox.ListedNotice, acts int, f func(*decisions.Marks)) {
	if x.of == nil {
		x.of = map[uint64]*decisions.Marks{}
	}
	var m decisions.Marks
	if was := x.marks(r); was != nil {
		m = *was
	}
	f(&m)
	x.of[r.ID], x.acts = &m, acts
}

// settle forgets what a list knows that was made after so many actions.
func (x *readerDecisions) settle(acts int) {
	if acts > x.acts {
		x.of = nil
	}
	x.read = nil
}

// marking are the keys that say something of notices: the marked ones, else the one
// under the cursor.
func (s *harvest) marking(meant func() []*inbox.ListedNotice) []screen.Binding {
	off := screen.If(s.notices.Selected() == nil, "no notice is chosen")
	judge := func(e *keymap.Entry, l topic.Label, name, help string) screen.Binding {
		b := screen.Bind(e, off, func() tea.Cmd { return s.judge(meant(), l) })
		b.Action, b.Help = auth.JudgeNotice.As(name), help
		return b
	}
	return []screen.Binding{
		screen.Bind(keymap.Star, off, func() tea.Cmd { return s.star(meant()) }),
		screen.Bind(keymap.Done, off, func() tea.Cmd { return s.done(meant()) }),
		screen.Bind(keymap.Note, off, screen.Do(s.askNote)),
		screen.Bind(keymap.Unread, off, func() tea.Cmd {
			rows := meant()
			return s.setRead(rows, !all(rows, s.said.isRead))
		}),
		s.fetching(meant),
		judge(keymap.Yes, topic.Yes, "yes", "judge the notice: it is one of the topic (again: no verdict)"),
		judge(keymap.No, topic.No, "no", "judge the notice: it is none of the topic (again: no verdict)"),
		judge(keymap.Unsure, topic.Unsure, "unsure", "judge the notice: unsure (again: no verdict)"),
	}
}

func all(rows []*inbox.ListedNotice, is func(*inbox.ListedNotice) bool) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r *inbox.ListedNotice) bool { return !is(r) })
}

func idsOf(rows []*inbox.ListedNotice) []uint64 {
	return widget.Map(rows, func(r *inbox.ListedNotice) uint64 { return r.ID })
}

// named is the title of one notice, or how many there are.
func (s *harvest) named(rows []*inbox.ListedNotice) string {
	if len(rows) == 1 {
		return widget.Clean(cmp.Or(rows[0].Title, rows[0].URL))
	}
	return s.N(len(rows), "notice")
}

// say shows what is said of rows at once and has it done.
func (s *harvest) say(rows []*inbox.ListedNotice, what string, change func(*decisions.Marks),
	do func(ids []uint64) error) tea.Cmd {
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows {
		s.said.change(r, s.Acts, change)
	}
	ids := idsOf(rows)
	what = s.F("%s · %s", s.T(what), s.named(rows))
	s.views.hold(ids)
	s.reader.again()
	s.notices.Unmark()
	return s.Act(what, func() error { return do(ids) })
}

// setting returns an action that switches a mark of notices on or off.
func setting(set func(ids []uint64, on bool) error, on bool) func(ids []uint64) error {
	return func(ids []uint64) error { return set(ids, on) }
}

// now is a remark that is shown until the list tells the real one.
func (s *harvest) now(on bool) *decisions.Remark {
	if !on {
		return nil
	}
	return &decisions.Remark{At: s.Now()}
}

func (s *harvest) star(rows []*inbox.ListedNotice) tea.Cmd {
	on := !all(rows, func(r *inbox.ListedNotice) bool { return s.said.marks(r).Starred() })
	return s.say(rows, widget.Either(on, "star", "no star"), func(m *decisions.Marks) { m.Star = s.now(on) },
		setting(s.inbox.Star, on))
}

func (s *harvest) done(rows []*inbox.ListedNotice) tea.Cmd {
	on := !all(rows, func(r *inbox.ListedNotice) bool { return s.said.marks(r).IsDone() })
	return s.say(rows, widget.Either(on, "done", "not done"), func(m *decisions.Marks) { m.Done = s.now(on) },
		setting(s.inbox.Done, on))
}

func (s *harvest) judge(rows []*inbox.ListedNotice, l topic.Label) tea.Cmd {
	what := map[topic.Label]string{topic.Yes: "of the topic", topic.No: "not of the topic", topic.Unsure: "unsure"}[l]
	if all(rows, func(r *inbox.ListedNotice) bool { return s.said.marks(r).Judgement() == l }) {
		l, what = topic.NoLabel, "no verdict"
	}
	return s.say(rows, what, func(m *decisions.Marks) { m.Verdict, m.Judged = l, s.now(l != topic.NoLabel) },
		func(ids []uint64) error { return s.inbox.Judge(ids, l) })
}

// askNote asks for the note on the notice under the cursor.
func (s *harvest) askNote() {
	r := s.notices.Selected()
	if r == nil {
		return
	}
	row := *r
	s.AskFilled(s.said.marks(r).Says(), &widget.Prompt[string]{
		Editor: widget.Editor{Label: "note:", Hint: "for the whole team · empty removes it"},
		Check:  widget.AnyText,
		Do: func(text string) tea.Cmd {
			what := widget.Either(text != "", "note", "no note")
			return s.say([]*inbox.ListedNotice{&row}, what,
				func(m *decisions.Marks) { m.Note, m.Noted = text, s.now(text != "") },
				func(ids []uint64) error { return s.inbox.Note(ids[0], text) })
		},
	})
}

// setRead notes that the reader has read notices, or not.
func (s *harvest) setRead(rows []*inbox.ListedNotice, read bool) tea.Cmd {
	ids := idsOf(slices.DeleteFunc(slices.Clone(rows),
		func(r *inbox.ListedNotice) bool { return s.said.isRead(r) == read }))
	if len(ids) == 0 {
		return nil
	}
	if s.said.read == nil {
		s.said.read = map[uint64]bool{}
	}
	for _, id := range ids {
		s.said.read[id] = read
	}
	s.views.hold(ids)
	s.notices.Unmark()
	inbox := s.inbox
	const label = "marking as read"
	what := s.T(label)
	return s.Run(label, s.InOrder(func() tea.Msg {
		if err := inbox.SetRead(ids, read); err != nil {
			return screen.ActMsg{What: what, Err: err}
		}
		return screen.Reply{Take: func() tea.Cmd { s.said.reads++; return s.read() }}
	}))
}

// dwell marks a notice as read once it has been shown long enough.
func (s *harvest) dwell(id uint64) tea.Cmd {
	after := s.After
	return func() tea.Msg {
		<-after(readAfter)
		return screen.Reply{Take: func() tea.Cmd {
			if r := s.notices.Selected(); r != nil && r.ID == id && s.reading() {
				return s.setRead([]*inbox.ListedNotice{r}, true)
			}
			return nil
		}}
	}
}

// reading reports that a notice has the focus.
func (s *harvest) reading() bool { return s.here && s.Focus == sidePane && s.onNotices() }

// remark tells who said something, and when.
func remark(sh *screen.Shared, x *decisions.Remark) string {
	if x == nil || x.By == "" {
		return sh.T("just now")
	}
	return fmt.Sprintf("%s · %s", widget.Clean(x.By), x.At.Local().Format("2006-01-02 15:04"))
}
