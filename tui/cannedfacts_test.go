package tui

import (
	"sync"

	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
)

// This file holds canned's values of notices: those of its one text, with a correction and a doubt.

var cannedWords = facts.NewWords()

func tenders() *fields.Set {
	set, err := fields.Preset(fields.Tenders)
	if err != nil {
		panic(err)
	}
	return set
}

var readBefore sync.Map // title → *fields.Result: every view of the inbox needs those of all notices

// read returns the values of the notice with a title, once for all tests, and a doubt.
func read(title string) *fields.Result {
	if r, ok := readBefore.Load(title); ok {
		return r.(*fields.Result)
	}
	r := tenders().Extract(fields.Notice{Title: title, Text: noticeText(title)})
	r.Doubtful = append(r.Doubtful, fields.Value{Field: "amount", Norm: "922800", Text: "92.28万元", Source: fields.FromLine, Label: "预算金额", Sure: .4, Doubt: "weak evidence"})
	readBefore.Store(title, r)
	return r
}

// Of implements screen.Facts.
func (c *canned) Of(id uint64) (*facts.NoticeFacts, error) {
	for i, n := range c.Snapshot().Notices {
		if n.ID != id {
			continue
		}
		s := &facts.NoticeFacts{ID: id, Set: tenders(), Result: read(n.Title)}
		s.Read = s.Result
		if i%4 == 2 {
			by := decisions.Remark{By: "wang", At: c.Snapshot().At}
			s.Corrected = map[string]*decisions.Correction{"region": {Remark: by}}
		}
		return s, nil
	}
	return nil, nil
}

// Fields implements screen.Facts.
func (c *canned) Fields() []fields.Field { return tenders().Fields() }

// CheckValue accepts every value.
func (c *canned) CheckValue(string, string) ([]fields.Value, error) { return nil, nil }

// SetValue does nothing.
func (c *canned) SetValue(uint64, string, string) error { return nil }

// AsRead does nothing.
func (c *canned) AsRead(uint64, string) error { return nil }
