package facts

import "time"

// deadlines are those that lie ahead, by notice. It is for who holds Extractor.mu.
type deadlines struct{ of map[uint64]time.Time }

func (d *deadlines) take(s *NoticeFacts, now time.Time) {
	at := s.Time("deadline")
	if !at.After(now) {
		delete(d.of, s.ID)
		return
	}
	if d.of == nil {
		d.of = map[uint64]time.Time{}
	}
	d.of[s.ID] = at
}

// Due are the notices whose deadline has not passed and is at most so far off. It
// knows those whose values are stored.
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
