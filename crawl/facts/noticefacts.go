package facts

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/fields"
	"angler/crawl/notices"
)

// NoticeFacts is what a notice says: what was read of it, and what people have corrected,
// which takes the place of what was read. It is not to be changed.
type NoticeFacts struct {
	ID        uint64
	Set       *fields.Set
	Result    *fields.Result                   // corrections taken up
	Read      *fields.Result                   // as it was read
	Corrected map[string]*decisions.Correction // by field
	Pending   bool                             // it was read just now and is not stored yet
	Sketch    Sketch
}

// Plain is the values as exports have them.
func (s *NoticeFacts) Plain() fields.PlainNotice {
	return fields.PlainNotice{Set: s.Set, Result: s.Result}
}

// Time is the last moment that the notice gives for a field, zero when it gives none.
func (s *NoticeFacts) Time(field string) (last time.Time) {
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

// Sketch is what a notice's text is compared and checked by. The zero Sketch is that of
// a notice that was not looked at yet.
type Sketch struct {
	notices.Simhash
	Families notices.Families
	Size     uint32 // of the text, in bytes
	Known    bool
}
