package facts

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/fields"
	"angler/crawl/notices"
)

// NoticeFacts is the result of one notice: extracted values, overlaid by corrections. It is
// immutable.
type NoticeFacts struct {
	ID        uint64
	Set       *fields.Set
	Result    *fields.Result                   // with corrections
	Read      *fields.Result                   // as extracted
	Corrected map[string]*decisions.Correction // by field
	Pending   bool                             // extracted just now and not stored yet
	Sketch    Sketch
}

// Plain returns the values for exports.
func (s *NoticeFacts) Plain() fields.PlainNotice {
	return fields.PlainNotice{Set: s.Set, Result: s.Result}
}

// time returns the latest time of a field, zero if there is none.
func (s *NoticeFacts) time(field string) (last time.Time) {
	for i := range s.Result.Values {
		v := &s.Result.Values[i]
		if v.Field != field {
			continue
		}
		if n, ok := moment(v.Norm); ok {
			if t := time.Unix(60*n, 0); t.After(last) {
				last = t
			}
		}
	}
	return last
}

// Sketch holds the data for comparing and checking a notice's text. The zero value means that the
// notice was not read yet.
type Sketch struct {
	notices.Simhash
	Families notices.Families
	Size     uint32 // bytes of the text
	Known    bool
}
