package decisions

import (
	"errors"

	"angler/crawl/auth"
)

// This file decides which notices are copies or of one project. NoticeEditor.Star describes the
// form.

// Detach declares that notices are not copies of another notice, or revokes that.
func (m *NoticeEditor) Detach(ids []uint64, on bool) error {
	return m.each(auth.Kin, kindApart, ids, verb(on, "detach %s", "fold again %s"), on, noticeValue{})
}

// Cut removes notices from the project of their number or name, or revokes that. It also ends a
// Join.
func (m *NoticeEditor) Cut(ids []uint64, on bool) error {
	if err := m.May(auth.Kin); err != nil {
		return err
	}
	now := m.d.State().Remarks
	var joined, others []uint64
	for _, id := range ids {
		if on && now[id].joinedTo() != 0 {
			joined = append(joined, id)
		} else {
			others = append(others, id)
		}
	}
	return errors.Join(m.each(auth.Kin, kindJoined, joined, "cut from its project %s", false, noticeValue{}),
		m.each(auth.Kin, kindAlone, others, verb(on, "cut from its project %s", "back to its project %s"), on,
			noticeValue{}))
}

// Join adds notices to the project of another one.
func (m *NoticeEditor) Join(ids []uint64, to uint64) error {
	if err := m.May(auth.Kin); err != nil {
		return err
	}
	var others []uint64
	for _, id := range ids {
		if id != to {
			others = append(others, id)
		}
	}
	if to == 0 || len(others) == 0 {
		return errors.New("choose a notice of another project to join this one to")
	}
	return m.each(auth.Kin, kindJoined, others, "join to a project %s", true, noticeValue{To: to})
}
