package topic

import (
	"math"
	"slices"
)

// twins groups pages that show one text under several addresses or hosts: a list under /a/ and
// /a/index.jsp, with and without a parameter, a whole site under two names. Such pages are one
// candidate, one question to an analyst and one aggregation page: the page with the lowest id,
// which is the same in every process. A page with the content of a front page counts as one,
// whatever its address.
//
// Only pages with enough dated records are compared, so the table is small.
type twins struct {
	same   []uint64        // by slot: hash of the page's text; 0: not compared
	shadow slotSet         // a page with a lower id has the same text
	shown  slotTable       // by hash: the slot that represents all
	fronts map[uint64]bool // by hash: a front page has this text
	lent   bool            // a snapshot shares shadow
}

// minTwinWords is the least number of words of a compared text: pages that scripts fill have the
// same few words.
const minTwinWords = 20

// Same returns a hash of the page's content, like Scores.Same for an indexed page; 0 if the page is
// not compared.
func (d *Doc) Same() uint64 {
	if d.Dated < minDated || 2*d.Dated < d.Records || d.Full.total() < minTwinWords {
		return 0
	}
	h := uint64(14695981039346656037)
	add := func(x uint64) { h = (h ^ x) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	add(uint64(d.Records)<<32 | uint64(d.Dated))
	for _, t := range d.Full {
		add(uint64(t.ID)<<32 | uint64(t.N))
	}
	return max(h, 1)
}

// add adds the next slot; ids holds all slots including it. front reports that it has the content
// of a front page. others are earlier slots with the content of this front page.
func (t *twins) add(ids []uint64, gone slotSet, d *Doc) (front bool, others []uint32) {
	key, slot := d.Same(), uint32(len(t.same))
	t.same = append(t.same, key)
	if key != 0 {
		if d.Front && !t.fronts[key] {
			if t.fronts == nil {
				t.fronts = map[uint64]bool{}
			}
			t.fronts[key] = true
			for other, k := range t.same[:slot] {
				if k == key {
					others = append(others, uint32(other))
				}
			}
		}
		front = t.fronts[key]
		switch first, known := t.shown.find(t.same, key); {
		case !known || gone.has(first):
			t.shown.set(t.same, key, slot)
		case ids[first] <= ids[slot]:
			t.set(slot, true)
		default:
			t.set(first, true)
			t.shown.set(t.same, key, slot)
		}
	}
	return front, others
}

func (t *twins) set(slot uint32, shadow bool) {
	if t.lent {
		t.shadow, t.lent = slices.Clone(t.shadow), false
	}
	t.shadow.put(slot, shadow)
}

// remove makes another page represent those with the text of a removed one.
func (t *twins) remove(ids []uint64, gone slotSet, slot uint32) {
	key := t.same[slot]
	if key == 0 {
		return
	}
	if shown, _ := t.shown.find(t.same, key); shown != slot {
		return
	}
	next := uint32(math.MaxUint32)
	for other, k := range t.same {
		if k == key && !gone.has(uint32(other)) && (next == math.MaxUint32 || ids[other] < ids[next]) {
			next = uint32(other)
		}
	}
	if next != math.MaxUint32 {
		t.shown.set(t.same, key, next)
		t.set(next, false)
	}
}

// squeeze drops the removed slots.
func (t *twins) squeeze(gone slotSet) {
	// Snapshots share both.
	t.same = keep(slices.Clone(t.same), gone)
	t.shadow, t.lent = keep(slices.Clone(t.shadow), gone), false
	t.show()
}

// reread finds again which pages have the content of a front page, so that removed front pages have
// no effect.
func (t *twins) reread(all []traits, gated []bool) {
	t.fronts = map[uint64]bool{}
	for slot, key := range t.same {
		if key != 0 && all[slot].marks.has(asHome) {
			t.fronts[key] = true
		}
	}
	for slot, key := range t.same {
		m := &all[slot].marks
		*m &^= asFront
		if m.has(asHome) || t.fronts[key] {
			*m |= asFront
		}
		gated[slot] = m.has(asFront) || !m.has(ungated)
	}
}

// show finds the pages that represent others, if none is gone.
func (t *twins) show() {
	t.shown = slotTable{}
	for slot, key := range t.same {
		if key != 0 && !t.shadow.has(uint32(slot)) {
			t.shown.set(t.same, key, uint32(slot))
		}
	}
}

// Shadow reports whether another page of the index has the same content and represents this one.
func (s *Scores) Shadow(id uint64) bool {
	slot, ok := s.slot(id)
	return ok && s.shadow.has(uint32(slot))
}

// Same returns a value that is equal for pages with the same content; 0 if the page was not
// compared.
func (s *Scores) Same(id uint64) uint64 {
	if slot, ok := s.slot(id); ok && slot < len(s.same) {
		return s.same[slot]
	}
	return 0
}

// Without returns the scores without three groups: pages that page accepts, pages whose Same value
// text accepts, and pages that another page represents. It costs a pass over the pages.
func (s *Scores) Without(page func(id uint64) bool, text func(same uint64) bool) *Scores {
	out := &Scores{Rev: s.Rev, ModelRev: s.ModelRev, Theta: s.Theta, ids: s.ids, values: slices.Clone(s.values),
		same: s.same, shadow: s.shadow, index: s.index, epoch: s.epoch}
	for slot, v := range s.values {
		key := s.same[slot]
		switch {
		case v < 0:
		case key != 0 && (s.shadow.has(uint32(slot)) || text(key)) || page(s.ids[slot]):
			out.values[slot] = removed
		default:
			out.N++
		}
	}
	return out
}

// Others returns, by id, the pages with the same content as each of ids. It scans the index once.
func (s *Scores) Others(ids []uint64) map[uint64][]uint64 {
	of := map[uint64]uint64{}
	for _, id := range ids {
		if key := s.Same(id); key != 0 {
			of[key] = id
		}
	}
	out := map[uint64][]uint64{}
	for slot, key := range s.same {
		if key == 0 || s.values[slot] < 0 {
			continue
		}
		if id, ok := of[key]; ok && s.ids[slot] != id {
			out[id] = append(out[id], s.ids[slot])
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// sameAs returns the texts of labelled pages.
func (s *Scores) sameAs(labels map[uint64]Label) map[uint64]bool {
	keys := map[uint64]bool{}
	for id, l := range labels {
		if l == NoLabel {
			continue
		}
		if key := s.Same(id); key != 0 {
			keys[key] = true
		}
	}
	return keys
}

// Contradictions returns pages with the same content that are labelled yes and no, each group by
// id, the groups by their first page.
func (s *Scores) Contradictions(labels map[uint64]Label) [][]uint64 {
	said := map[uint64][]uint64{}
	for id, l := range labels {
		if key := s.Same(id); key != 0 && (l == Yes || l == No) {
			said[key] = append(said[key], id)
		}
	}
	var out [][]uint64
	for _, ids := range said {
		slices.Sort(ids)
		if slices.ContainsFunc(ids, func(id uint64) bool { return labels[id] != labels[ids[0]] }) {
			out = append(out, ids)
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}
