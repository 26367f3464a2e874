package facts

import "time"

// deadlines holds the future deadlines by notice. Extractor.mu guards it.
type deadlines struct{ of map[uint64]time.Time }

func (d *deadlines) take(s *NoticeFacts, now time.Time) {
	at := s.time("deadline")
	if !at.After(now) {
		delete(d.of, s.ID)
		return
	}
	if d.of == nil {
		d.of = map[uint64]time.Time{}
	}
	d.of[s.ID] = at
}

// Due returns the notices whose deadline is in the future and at most within away. It knows only
// notices with stored values.
func (k *Extractor) Due(within time.Duration) (ids []uint64) {
	now := k.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, at := range k.deadlines.of {
		switch off := at.Sub(now); {
		case off <= 0:
			delete(k.deadlines.of, id)
		case off <= within:
			ids = append(ids, id)
		}
	}
	return ids
}
