package inbox

import (
	"cmp"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/notices"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file is what the reader shows of a notice besides what it says: its project, its
// other addresses, what changed, and whether it is a notice at all.

// The signs of notices that changed and of doubtful ones.
const (
	changedSign  = "Δ"
	doubtfulSign = "?"
)

// kindred holds the relations of the notice in the reader.
type kindred struct {
	got *inbox.Relations
}

// facts are its lines among those of the notice.
func (x *kindred) fields(sh *screen.Shared) []field {
	k := x.got
	if k == nil {
		return nil
	}
	out, tell := newFields(sh)
	if f := k.Check; f != nil && f.Doubtful {
		tell("doubtful", doubtfulSign+" "+checked(sh, k), widget.Warn)
	}
	if len(k.Versions) > 0 {
		gone, added := notices.CountChanges(k.Versions[0].Lines)
		tell("changed", changedSign+" "+sh.F("%s: %s removed, %s added; see below",
			k.Versions[0].Until.Local().Format("2006-01-02 15:04"), sh.N(gone, "line"), added), widget.Accent)
	}
	if t := k.Thread; t != nil {
		text := stateName(sh, t.State)
		if !t.Deadline.IsZero() {
			text += " · " + sh.F("deadline %s", t.Deadline.Format("2006-01-02 15:04"))
		}
		text += " · " + sh.F("%s notices of the project; {kin} goes to one", len(t.Steps))
		tell("project", text, widget.Accent)
	}
	if n := len(k.Others); n > 0 {
		why := widget.Either(k.Why == notices.MatchedByNumberAbroad,
			sh.T("the same number, buyer and kind"), sh.T("the same words and figures"))
		tell("addresses", sh.F("%s more: %s; {kin} lists them", n, why), widget.Dim)
	}
	for _, r := range []struct {
		what string
		by   *decisions.Remark
	}{{"detached", k.Detached}, {"cut from its project", k.Cut}, {"joined to its project", k.Joined}} {
		if r.by != nil {
			tell(r.what, remark(sh, r.by), widget.Dim)
		}
	}
	return *out
}

// checks names the reasons that need no figures.
var checks = map[notices.CheckReason]string{
	notices.CheckedByPerson:  "judged by a person",
	notices.CheckedByShort:   "hardly a text, and the title is a notice's",
	notices.CheckOff:         "not checked: the topic has no words of its own; {yes} and {no} teach it",
	notices.CheckedByNothing: "none like it has been judged",
}

// checked says how the notice's content was judged.
func checked(sh *screen.Shared, k *inbox.Relations) string {
	f := k.Check
	n := f.Families.Count()
	found := sh.F("%s of %s kinds of words that notices have, %s make one", n,
		n+len(k.Missing), f.Need)
	if n > 0 {
		names := widget.Map(k.Families, func(family string) string { return sh.T(widget.Clean(family)) })
		found += sh.T(": ") + strings.Join(names, sh.T(", "))
	}
	switch f.Reason {
	case notices.CheckedByExample:
		return sh.F("like a notice that was judged (likeness %s)", widget.Score(f.Like, 2))
	case notices.CheckedByLike:
		return found + sh.T("; ") + sh.F("its likeness to accepted notices is %s", widget.Score(f.Like, 2))
	case notices.CheckedByTitle:
		return found + sh.T("; ") + sh.T("the title announces something else")
	}
	return cmp.Or(sh.T(checks[f.Reason]), found)
}

func stateName(sh *screen.Shared, s notices.ProjectState) string {
	if s == notices.StateUnknown {
		return sh.T("state unknown")
	}
	return widget.Either(chinese(sh), s.String(), s.English())
}

// project draws the notices of the project, the one that is read marked.
func (x *kindred) project(sh *screen.Shared, w int) []widget.TextLine {
	k := x.got
	if k == nil || k.Thread == nil || len(k.Steps) == 0 {
		return nil
	}
	out := screen.Lines{rule(w),
		{widget.Head.Text(sh.T("project") + "  "),
			widget.Accent.Text(stateName(sh, k.Thread.State)),
			widget.Dim.Text("  " + widget.Clean(k.Thread.Number))}}
	kinds := 0
	for _, s := range k.Steps {
		kinds = max(kinds, widget.Width(stateName(sh, s.Kind)))
	}
	for _, s := range k.Steps {
		sign, st := "  ", widget.Plain
		if s.ID == k.ID {
			sign, st = "▶ ", widget.Bold
		}
		head := widget.TextLine{widget.Accent.Text(sign),
			widget.Dim.Text(s.At.Format("2006-01-02") + "  "),
			stateStyles[s.Kind].Text(widget.Pad(stateName(sh, s.Kind), kinds+2))}
		indent := head.Width()
		margin := widget.Part{Text: strings.Repeat(" ", indent)}
		room := max(8, min(w, widest)-indent)
		for i, row := range widget.Wrap(widget.Clean(s.Title), room, 4) {
			if i > 0 {
				head = widget.TextLine{margin}
			}
			out = append(out, append(head, st.Text(row)))
		}
		if s.Deadline.IsZero() {
			continue
		}
		due := widget.Dim.Text(sh.F("deadline %s", s.Deadline.Format("2006-01-02 15:04")))
		if last := &out[len(out)-1]; last.Width()+2+widget.Width(due.Text) <= indent+room {
			*last = append(*last, widget.Part{Text: "  "}, due)
		} else {
			out.Line(margin, due)
		}
	}
	return out
}

func rule(w int) widget.TextLine {
	return widget.TextLine{widget.Line.Text(strings.Repeat("─", min(w, widest)))}
}

// mostDiff lines of a version are shown.
const mostDiff = 400

// versions draws what changed, the newest change first: signs tell what colours do.
func (x *kindred) versions(sh *screen.Shared, w int) []widget.TextLine {
	if x.got == nil {
		return nil
	}
	var out screen.Lines
	for _, v := range x.got.Versions {
		out = append(out, rule(w),
			widget.TextLine{widget.Head.Text(sh.F("changed %s", v.Until.Local().Format("2006-01-02 15:04"))),
				widget.Dim.Text("  " + sh.F("version %s", v.Number))})
		for i, l := range v.Lines {
			if i == mostDiff {
				out.Line(widget.Dim.Text(sh.F("%s more below", sh.N(len(v.Lines)-i, "line"))))
				break
			}
			st, text := widget.Dim, widget.Clean(l.Text)
			switch l.Kind {
			case notices.DiffGone:
				st = widget.Bad
			case notices.DiffAdded:
				st = widget.Good
			case notices.DiffGap:
				text = sh.F("unchanged: %s", sh.N(l.Skip, "line"))
			}
			out.Line(st.Text(l.Kind.Sign() + " " + text))
		}
	}
	return out
}

// kinKeys open the list of what belongs to the notice under the cursor.
func (s *harvest) kinKeys() []screen.Binding {
	off := ""
	switch r := s.notices.Selected(); {
	case r == nil:
		off = "no notice is chosen"
	case len(s.kinItems(r)) == 0:
		off = "nothing belongs to this notice; to join it to a project, mark a notice of that project first"
	}
	return []screen.Binding{screen.Bind(keymap.Kin, off, s.chooseKin)}
}

// chooseKin lists the notices of the project and the other addresses, to go to one, and
// what can be said of them.
func (s *harvest) chooseKin() tea.Cmd {
	if r := s.notices.Selected(); r != nil {
		s.Offer("the project and the other addresses of the notice", s.kinItems(r))
	}
	return nil
}

func (s *harvest) kinItems(r *inbox.ListedNotice) []widget.Item {
	k := s.reader.kin.got
	var items []widget.Item
	if k != nil && k.ID == r.ID {
		for _, x := range k.Steps {
			if x.ID != r.ID {
				items = append(items, s.jump(x.NoticeRef, stateName(s.Shared, x.Kind)+" · "+x.At.Format("2006-01-02")))
			}
		}
		for _, x := range k.Others {
			items = append(items, s.jump(x, s.F("the same at %s", widget.Clean(x.Host))))
		}
	}
	one := []*inbox.ListedNotice{r}
	act := func(name, note, what string, change func(*decisions.Marks), do func(ids []uint64) error) {
		items = append(items,
			widget.Item{Name: s.T(name), Raw: true, Note: s.T(note),
				Do: func() tea.Cmd { return s.say(one, what, change, do) }})
	}
	m := s.said.marks(r)
	switch {
	case m.IsApart():
		act("fold it again", "it may be another address of a notice", "fold again",
			func(m *decisions.Marks) { m.Apart = nil }, setting(s.inbox.Detach, false))
	case r.Group != nil:
		act("detach it", "it is no other address of that notice", "detach",
			func(m *decisions.Marks) { m.Apart = s.now(true) },
			setting(s.inbox.Detach, true))
	}
	switch {
	case m.IsAlone():
		act("put it back to its project", "as number and name tell", "back to its project",
			func(m *decisions.Marks) { m.Alone = nil }, setting(s.inbox.Cut, false))
	case r.Thread != nil:
		act("cut it from the project", "it is of another project", "cut from its project", func(m *decisions.Marks) {
			if m.Joined != 0 {
				m.Joined, m.JoinedBy = 0, nil
			} else {
				m.Alone = s.now(true)
			}
		}, setting(s.inbox.Cut, true))
	}
	if to := s.other(r); to != nil {
		items = append(items,
			widget.Item{Name: s.T("join it to the marked notice's project"), Raw: true,
				Note: widget.Clean(to.Title), Do: func() tea.Cmd {
					return s.say(one, "join to a project",
						func(m *decisions.Marks) { m.Joined, m.JoinedBy = to.ID, s.now(true) },
						func(ids []uint64) error { return s.inbox.Join(ids, to.ID) })
				}})
	}
	return items
}

// other is the marked notice that another one may be joined to.
func (s *harvest) other(r *inbox.ListedNotice) *inbox.ListedNotice {
	for _, x := range s.notices.Meant() {
		if x.ID != r.ID {
			return x
		}
	}
	return nil
}

// jump goes to a notice in the list, wherever it stands.
func (s *harvest) jump(to inbox.NoticeRef, note string) widget.Item {
	return widget.Item{Name: widget.Clean(to.Title), Raw: true, Note: note, Do: func() tea.Cmd {
		if s.notices.Find(to.ID) {
			return s.moved()
		}
		for i := range s.book.Rows {
			if r := &s.book.Rows[i]; r.ID == to.ID && r.Under != 0 {
				s.unfolded[r.Under] = true
				s.jumped = to.ID
				return s.notices.SetOnly(func(r *inbox.ListedNotice) bool {
					return r.Under == 0 || s.unfolded[r.Under]
				})
			}
		}
		return s.Act("", func() error {
			return errors.New("that notice is not in this view; go to the view of all notices first")
		})
	}}
}

// arrived goes to the notice that was folded when the reader jumped to it.
func (s *harvest) arrived() {
	if s.jumped != 0 && s.notices.Find(s.jumped) {
		s.jumped = 0
	}
}

var stateStyles = map[notices.ProjectState]widget.Style{
	notices.Nominated: widget.Good, notices.Awarded: widget.Good, notices.Contracted: widget.Good,
	notices.Stopped: widget.Bad, notices.Corrected: widget.Warn,
}
