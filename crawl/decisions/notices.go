package decisions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/topic"
)

// This file holds decisions about notices: stars, done, notes, verdicts on the topic, and saved
// filters. They are shared by the whole team. No score, threshold or run depends on them.

// Kinds of values in the log; the key is a URL's id, of a view its name.
const (
	kindStar    = "star"
	kindDone    = "done"
	kindNote    = "note"
	kindVerdict = "verdict"
	kindView    = "view"
	kindApart   = "apart"
	kindAlone   = "alone"
	kindJoined  = "joined"
	kindMute    = "mute" // on aggregation pages: the muted alarm of each
)

// noticeValue is the value of all these kinds; each uses a part.
type noticeValue struct {
	Text  string      `json:"text,omitempty"`
	Label topic.Label `json:"label,omitempty"`
	To    uint64      `json:"to,omitempty"`
	Remark
}

// setMark applies one change to the marks of notices.
func setMark(of map[uint64]*Marks, c *store.Change) error {
	id, err := strconv.ParseUint(c.Key, 10, 64)
	if err != nil {
		return fmt.Errorf("stored %s of %s: %w", c.Kind, c.Key, err)
	}
	var v noticeValue
	var by *Remark
	if c.After != nil {
		if err := json.Unmarshal(c.After, &v); err != nil {
			return fmt.Errorf("stored %s of %s: %w", c.Kind, c.Key, err)
		}
		by = &v.Remark
	}
	marks := of[id].value()
	switch c.Kind {
	case kindStar:
		marks.Star = by
	case kindDone:
		marks.Done = by
	case kindNote:
		marks.Note, marks.Noted = v.Text, by
	case kindVerdict:
		marks.Verdict, marks.Judged = v.Label, by
	case kindApart:
		marks.Apart = by
	case kindAlone:
		marks.Alone = by
	case kindJoined:
		marks.Joined, marks.JoinedBy = v.To, by
	case kindMute:
		marks.Mute, marks.Muted = v.Text, by
	}
	if marks == (Marks{}) {
		delete(of, id)
		return nil
	}
	of[id] = &marks
	return nil
}

// withView returns views, oldest first, with or without one.
func withView(views []SavedView, c *store.Change) ([]SavedView, error) {
	views = slices.DeleteFunc(slices.Clone(views), func(v SavedView) bool { return v.Name == c.Key })
	if c.After == nil {
		return views, nil
	}
	v := SavedView{Name: c.Key}
	if err := json.Unmarshal(c.After, &v); err != nil {
		return nil, fmt.Errorf("stored view %s: %w", c.Key, err)
	}
	views = append(views, v)
	slices.SortFunc(views, func(a, b SavedView) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Name, b.Name)) })
	return views, nil
}

// NoticeEditor marks notices for one person. It is safe for concurrent use.
type NoticeEditor struct {
	auth.Actor
	d *Decisions
}

// EditorOf returns a NoticeEditor for a person.
func (d *Decisions) EditorOf(actor auth.Actor) *NoticeEditor { return &NoticeEditor{actor, d} }

// Star adds or removes stars of notices. Done marks them as finished. Judge says whether they
// belong to the topic; NoLabel removes that. Note writes a note; "" removes it. Each is one action,
// which one undo takes back.
func (m *NoticeEditor) Star(ids []uint64, on bool) error {
	return m.each(auth.Star, kindStar, ids, verb(on, "star %s", "no star %s"), on, noticeValue{})
}

// Done is described at Star.
func (m *NoticeEditor) Done(ids []uint64, on bool) error {
	return m.each(auth.Done, kindDone, ids, verb(on, "done %s", "not done %s"), on, noticeValue{})
}

// Judge is described at Star.
func (m *NoticeEditor) Judge(ids []uint64, l topic.Label) error {
	what := map[topic.Label]string{topic.Yes: "judge yes %s", topic.No: "judge no %s", topic.Unsure: "judge unsure %s",
		topic.NoLabel: "judge nothing of %s"}[l]
	return m.each(auth.JudgeNotice, kindVerdict, ids, what, l != topic.NoLabel, noticeValue{Label: l})
}

// longestNote bounds a note, in bytes.
const longestNote = 16 << 10

// Note is described at Star.
func (m *NoticeEditor) Note(id uint64, text string) error {
	if err := m.May(auth.Note); err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	if len(text) > longestNote {
		return message.Errorf("a note has at most %d bytes; keep it shorter", longestNote)
	}
	return m.each(auth.Note, kindNote, []uint64{id}, "note on %s", text != "", noticeValue{Text: text})
}

// MuteList mutes or unmutes an alarm of a list. A list that breaks in another way raises an alarm
// again.
func (m *NoticeEditor) MuteList(a view.ListAlarm, on bool) error {
	if err := m.May(auth.MuteList); err != nil {
		return err
	}
	was := m.d.State().Remarks[a.ID].Mutes()
	if was == a.Mark() == on || !on && was == "" {
		return nil
	}
	var value any
	if on {
		value = noticeValue{Text: a.Mark(), Remark: Remark{By: m.Name, At: m.d.Now()}}
	}
	return m.d.apply(m.Name, message.Of(verb(on, "mute %s", "unmute %s"), cmp.Or(a.Title, a.URL)),
		m.d.set(kindMute, strconv.FormatUint(a.ID, 10), value))
}

func verb(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

// each gives notices a mark of a kind or takes it; what is the format of the log's line, which has
// their title.
func (m *NoticeEditor) each(do auth.Action, kind string, ids []uint64, what string, on bool, v noticeValue) error {
	if err := m.May(do); err != nil {
		return err
	}
	v.Remark = Remark{By: m.Name, At: m.d.Now()}
	var changes []store.Change
	var title message.Text
	now := m.d.State().Remarks
	for _, id := range ids {
		if m.stands(now[id], kind, on, v) {
			continue // a repeated mark does not change its author
		}
		if len(changes) == 0 {
			name, err := m.d.noticeTitle(id)
			if err != nil {
				return err
			}
			title = message.Plain(name)
		}
		var value any
		if on {
			value = v
		}
		changes = append(changes, m.d.set(kind, strconv.FormatUint(id, 10), value))
	}
	if len(changes) > 1 {
		title = message.Of("%d notices", len(changes))
	}
	return m.d.apply(m.Name, message.Of(what, title), changes...)
}

// noticeTitle returns the title of a notice, or its address without one.
func (d *Decisions) noticeTitle(id uint64) (string, error) {
	n, err := d.Store.Notice(id)
	if err != nil {
		return "", err
	}
	if n == nil {
		return "", fmt.Errorf("url %d is no notice", id)
	}
	return cmp.Or(n.Title, n.URL), nil
}

// stands reports whether a mark already has the requested value.
func (m *NoticeEditor) stands(marks *Marks, kind string, on bool, v noticeValue) bool {
	switch kind {
	case kindStar:
		return marks.Starred() == on
	case kindDone:
		return marks.IsDone() == on
	case kindVerdict:
		return marks.Judgement() == v.Label
	case kindApart:
		return marks.IsApart() == on
	case kindAlone:
		return marks.IsAlone() == on
	case kindJoined:
		return marks.joinedTo() == v.To
	}
	return marks.Says() == v.Text
}

// longestView bounds a view's name and its query, in bytes.
const longestView = 1 << 10

// SaveView names a filter. was is the view's old name, "" for a new one; a view of the same name is
// replaced.
func (m *NoticeEditor) SaveView(was, name, query string) error {
	if err := m.May(auth.SaveView); err != nil {
		return err
	}
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return errors.New("a view needs a name")
	case len(name) > longestView || len(query) > longestView:
		return fmt.Errorf("a view's name and its filter have at most %d bytes each", longestView)
	}
	v := SavedView{Name: name, Query: query, Remark: Remark{By: m.Name, At: m.d.Now()}}
	for _, old := range m.d.State().Views {
		if old.Name == cmp.Or(was, name) {
			v.At = old.At // keeps its place
		}
	}
	changes := []store.Change{m.d.set(kindView, name, v)}
	if was != "" && was != name {
		changes = append(changes, m.d.set(kindView, was, nil))
	}
	return m.d.apply(m.Name, message.Of("view %s", name), changes...)
}

// DropView removes a view.
func (m *NoticeEditor) DropView(name string) error {
	if err := m.May(auth.SaveView); err != nil {
		return err
	}
	if !slices.ContainsFunc(m.d.State().Views, func(v SavedView) bool { return v.Name == name }) {
		return fmt.Errorf("there is no view %s", name)
	}
	return m.d.apply(m.Name, message.Of("no view %s", name), m.d.set(kindView, name, nil))
}
