package notices

import (
	"cmp"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"

	"angler/crawl/fields"
)

// FamilySet holds the word families of a topic.
type FamilySet struct {
	families []family
	Need     int // families that make a text a notice
	Few      int // at most this many families: not a notice, whatever its similarity
}

// Families is a set of families, one bit each in the order of the FamilySet.
type Families uint32

// Count returns the number of families.
func (f Families) Count() int { return bits.OnesCount32(uint32(f)) }

// maxFamilies is the capacity of Families.
const maxFamilies = 32

// NewFamilySet returns the families of a preset topic (fields.Tenders …) and one family for each own field with
// labels. Without either the set is empty and disables the check.
func NewFamilySet(topic string, own []fields.Field) *FamilySet {
	s := &FamilySet{}
	switch topic {
	case fields.Tenders:
		s.families, s.Need, s.Few = tenders, 3, 1
	case fields.Jobs:
		s.families, s.Need, s.Few = jobs, 3, 1
	case fields.Prices:
		s.families, s.Need, s.Few = prices, 3, 1
	}
	s.families = slices.Clip(s.families)
	preset := len(s.families)
	for _, f := range own {
		if len(f.Labels) == 0 || len(s.families) == maxFamilies ||
			slices.ContainsFunc(s.families[:preset], func(x family) bool { return x.Name == f.Name }) {
			continue
		}
		x := family{Name: cmp.Or(f.Title, f.Name)}
		for _, l := range f.Labels {
			if w := strings.TrimSpace(squeeze(l)); w != "" {
				x.words = append(x.words, w)
			}
		}
		s.families = append(s.families, x)
	}
	if preset == 0 && len(s.families) > 0 { // only own fields: one label is evidence enough
		s.Need, s.Few = min(2, len(s.families)), 0
	}
	return s
}

// empty reports whether the set has no families.
func (s *FamilySet) empty() bool { return len(s.families) == 0 }

// Look returns the families with words in a notice's title or text.
func (s *FamilySet) Look(title, text string) Families {
	if s.empty() {
		return 0
	}
	squeezed := squeeze(title, text)
	var found Families
	for i := range s.families {
		if s.families[i].in(squeezed) {
			found |= 1 << i
		}
	}
	return found
}

// Names returns the names of families in the set's order; for own fields, their column titles.
func (s *FamilySet) Names(f Families) []string {
	var out []string
	for i := range s.families {
		if f&(1<<i) != 0 {
			out = append(out, s.families[i].Name)
		}
	}
	return out
}

// Print returns a fingerprint of the set. Sets with other words have another fingerprint.
func (s *FamilySet) Print() uint64 {
	h := fnv.New64a()
	for i := range s.families {
		f := &s.families[i]
		for _, w := range append(append([]string{f.Name}, f.words...), f.without...) {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
	}
	return h.Sum64()
}
