package inbox

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/filter"
	"angler/store/records"
	"angler/topic"
)

// rowMaker makes rows for a user with the decisions and scores of one moment.
type rowMaker struct {
	heads   *heads
	names   sites
	known   *relatedNotices
	read    map[uint64]time.Time
	marks   map[uint64]*decisions.Marks
	quality func(id uint64) *Quality
	key     func(*row) rowKey                                 // see shown
	learner *topic.TokenLearner                               // nil = rows have no ForMe
	answer  func(*NoticeHead) (a *records.Answer, stale bool) // nil = there is no optional model
}

func (in *Inbox) rowMaker(heads []*NoticeHead, known *relatedNotices, read map[uint64]time.Time) *rowMaker {
	return &rowMaker{heads: &in.heads, names: in.siteNames(heads), known: known, read: read,
		marks:   in.Decisions.State().Remarks,
		quality: in.Qualities(), key: in.shown(), answer: in.Answer}
}

// rowParts are the parts of a row that need a look-up each: a hundred thousand of them take 5 to 20 ms.
type rowParts struct {
	site, kin, state, quality, forMe, answer bool
}

var everyPart = rowParts{true, true, true, true, true, true}

// partsOf returns the parts that a filter reads. The deadline holds or not by its project.
func partsOf(f *filter.Filter[row]) rowParts {
	return rowParts{site: f.Uses("site"), kin: f.Uses("is", "thread", dueFields[0], dueFields[1]),
		state:   f.Uses("state"),
		quality: f.Uses("quality"), forMe: f.Uses("for-me"), answer: f.Uses("assistant")}
}

// fill makes the row of a head from one with the same parts or an empty one. Marks and group are set always.
func (m *rowMaker) fill(r *row, h *NoticeHead, parts rowParts) {
	r.NoticeHead, r.Marks, r.Group, r.ForMe = h, m.marks[h.ID], m.known.kin.Group(h.ID), -1
	if parts.site {
		r.Site, r.Cut = m.names.of(h)
	}
	if parts.kin {
		m.known.fill(r)
		r.Read = readSomewhere(m.read, r)
	}
	if parts.state {
		r.State = m.known.state(h)
	}
	if parts.quality {
		r.Quality = m.quality(h.ID)
	}
	if parts.forMe && m.learner != nil {
		r.ForMe = m.learner.Probability(h.words, h.values)
	}
	if parts.answer && m.answer != nil {
		r.Answer, r.Stale = m.answer(h)
	}
}
