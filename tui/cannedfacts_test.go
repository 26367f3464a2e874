package tui

import (
	"angler/crawl/page/fields"
	"angler/crawl/view"
)

// This file is what canned knows of the values of notices: what its one text says, with
// a correction and a doubt.

var cannedWords = view.NewWords()

func tenders() *fields.Set {
	set, err := fields.Preset(fields.Tenders)
	if err != nil {
		panic(err)
	}
	return set
}

// Said implements parts.Facts.
func (c *canned) Said(id uint64) (*view.Said, error) {
	for i, n := range c.Snapshot().Notices {
		if n.ID != id {
			continue
		}
		s := &view.Said{ID: id, Set: tenders(), Result: tenders().Extract(fields.Notice{Title: n.Title, Text: noticeText(n.Title)})}
		s.Read = s.Result
		s.Result.Doubtful = append(s.Result.Doubtful, fields.Value{Field: "amount", Norm: "922800", Text: "92.28万元", Source: fields.FromLine, Label: "预算金额", Sure: .4, Doubt: "weak evidence"})
		if i%4 == 2 {
			by := view.Remark{By: "wang", At: c.Snapshot().At}
			s.Corrected = map[string]*view.Correction{"region": {Remark: by}}
		}
		return s, nil
	}
	return nil, nil
}

// Fields implements parts.Facts.
func (c *canned) Fields() []fields.Field { return tenders().Fields() }

// CheckValue takes every value.
func (c *canned) CheckValue(string, string) ([]fields.Value, error) { return nil, nil }

// SetValue keeps nothing.
func (c *canned) SetValue(uint64, string, string) error { return nil }

// AsRead keeps nothing.
func (c *canned) AsRead(uint64, string) error { return nil }
