package topic

import (
	"math"
	"slices"
)

// twins knows the pages that show one text under several addresses or hosts: a list
// under /a/ and /a/index.jsp, with and without a parameter, a whole site under two
// names. Such pages are one candidate, one question to an analyst and one
// aggregation page: the one with the lowest id, which is the same in every process.
// And what reads like a front page is one, whatever its address.
//
// Only pages with enough dated records are compared, so the table is small.
type twins struct {
	same   []uint64        // by slot: hash of the page's text; 0 = not compared
	shadow slotSet         // a page with a lower id has the same text
	shown  slotTable       // by hash: the slot that stands for all
	fronts map[uint64]bool // by hash: a front page reads so
	lent   bool            // a snapshot holds shadow
}

// minTwinWords is how many words a text has that is compared: that of a page that
// a script fills is the same on every page.
const minTwinWords = 20

// Same condenses what a page shows, as Scores.Same tells it of a page of the index; 0 for
// a page that is not compared.
func (d *Doc) Same() uint64 {
	if d.Dated < minDated || 2*d.Dated < d.Records || d.Full.Total() < minTwinWords {
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

// add enters the next slot; ids are those of all slots, it included. front reports
// that it reads like a front page; slots that came before and read like the front page
// it is are returned.
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
		case !known || gone.Has(first):
			t.shown.Set(t.same, key, slot)
		case ids[first] <= ids[slot]:
			t.set(slot, true)
		default:
			t.set(first, true)
			t.shown.Set(t.same, key, slot)
		}
	}
	return front, others
}

func (t *twins) set(slot uint32, shadow bool) {
	if t.lent {
		t.shadow, t.lent = slices.Clone(t.shadow), false
	}
	t.shadow.Put(slot, shadow)
}

// remove lets another page stand for those with the text of one that is gone.
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
		if k == key && !gone.Has(uint32(other)) && (next == math.MaxUint32 || ids[other] < ids[next]) {
			next = uint32(other)
		}
	}
	if next != math.MaxUint32 {
		t.shown.Set(t.same, key, next)
		t.set(next, false)
	}
}

// squeeze drops the slots that are gone.
func (t *twins) squeeze(gone slotSet) {
	// Snapshots share both.
	t.same = keep(slices.Clone(t.same), gone)
	t.shadow, t.lent = keep(slices.Clone(t.shadow), gone), false
	t.show()
}

// reread finds anew what reads like a front page, so that nothing is left of front pages
// that are gone.
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

// show finds the pages that stand for others, when none is gone.
func (t *twins) show() {
	t.shown = slotTable{}
	for slot, key := range t.same {
		if key != 0 && !t.shadow.Has(uint32(slot)) {
			t.shown.Set(t.same, key, uint32(slot))
		}
	}
}

// Shadow reports that another page of the index shows the same and stands for this
// one.
func (s *Scores) Shadow(id uint64) bool {
	slot, ok := s.slot(id)
	return ok && s.shadow.Has(uint32(slot))
}

// Same returns what is equal for pages that show the same; 0 for a page that was
// not compared.
func (s *Scores) Same(id uint64) uint64 {
	if slot, ok := s.slot(id); ok && slot < len(s.same) {
		return s.same[slot]
	}
	return 0
}

// Without returns the scores without some pages, without those whose text, as Same
// tells it, is one of some texts, and without those for which another page stands. It
// costs a pass over the pages.
func (s *Scores) Without(page func(id uint64) bool, text func(same uint64) bool) *Scores {
	out := &Scores{Rev: s.Rev, ModelRev: s.ModelRev, Theta: s.Theta, ids: s.ids, values: slices.Clone(s.values), same: s.same, shadow: s.shadow, index: s.index, epoch: s.epoch}
	for slot, v := range s.values {
		key := s.same[slot]
		switch {
		case v < 0:
		case key != 0 && (s.shadow.Has(uint32(slot)) || text(key)) || page(s.ids[slot]):
			out.values[slot] = removed
		default:
			out.N++
		}
	}
	return out
}

// Others returns, by id, the pages that show the same as each of some pages. It
// scans the index once.
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

// sameAs returns the texts of pages that are labelled.
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

// Contradictions returns the pages that show the same and are labelled yes and no,
// each group by id, the groups by their first page.
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
