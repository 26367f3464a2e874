package decisions

import (
	"maps"
	"slices"

	"angler/topic"
)

// Aggregations returns the ids of the aggregation pages, the most relevant first: pages at or above
// the threshold, unless a label, sample or negative sample overrides the judge. A page with several
// addresses counts once: the address confirmed by an analyst, otherwise the one with the lowest id.
// A verdict on one address holds for the others, unless verdicts contradict.
func (d *Decisions) Aggregations() []uint64 {
	s := d.State()
	sure := s.sure()
	scores := d.Index.Scores()
	said, texts := settled(scores, sure)
	var ids []uint64
	if s.Model != nil {
		v := d.verdicts()
		top, _ := v.Top(v.Above(v.Theta))
		for _, id := range top {
			_, known := sure[id]
			switch {
			case said[id]:
				ids = append(ids, id)
				delete(said, id)
			case !known && !texts[v.Same(id)] && !v.Shadow(id):
				ids = append(ids, id)
			}
		}
	}
	return append(ids, slices.Sorted(maps.Keys(said))...)
}

// Lists returns the ids of the aggregation pages as a set.
func (d *Decisions) Lists() map[uint64]bool {
	lists := map[uint64]bool{}
	for _, id := range d.Aggregations() {
		lists[id] = true
	}
	return lists
}

// NearLists returns the aggregation pages, and the pages without a verdict of an analyst that score from share·θ up to
// θ. A page with several addresses counts once.
func (d *Decisions) NearLists(share float64) (lists, near []uint64) {
	lists = d.Aggregations()
	s := d.State()
	if s.Model == nil {
		return lists, nil
	}
	v := d.verdicts()
	_, texts := settled(d.Index.Scores(), s.sure())
	for _, id := range v.Between(share*v.Theta, v.Theta, v.N) {
		if _, known := s.Labels[id]; !known && !texts[v.Same(id)] && !v.Shadow(id) {
			near = append(near, id)
		}
	}
	return lists, near
}

// settled returns the captured pages with a yes, the one with the lowest id of each text, and the
// texts of all judged pages.
func settled(scores *topic.Scores, sure map[uint64]bool) (yes, texts map[uint64]bool) {
	yes, texts = map[uint64]bool{}, map[uint64]bool{}
	first := map[uint64]uint64{} // by text
	for id, is := range sure {
		key := scores.Same(id)
		texts[key] = key != 0
		if _, captured := scores.Of(id); !is || !captured {
			continue
		}
		other, twice := first[key]
		if twice && key != 0 {
			if other < id {
				continue
			}
			delete(yes, other)
		}
		yes[id], first[key] = true, id
	}
	return yes, texts
}

// Contradictions returns the addresses of pages with equal content that are labelled yes and no,
// with the labels.
func (t *Topic) Contradictions() ([][]topic.LabelRow, error) {
	labels := t.d.State().Labels
	var out [][]topic.LabelRow
	for _, ids := range t.d.Index.Scores().Contradictions(labels) {
		var rows []topic.LabelRow
		for _, id := range ids {
			u, err := t.d.Store.URL(id)
			if err != nil {
				return nil, err
			}
			if u != nil {
				rows = append(rows, topic.LabelRow{URL: u.URL, Label: labels[id]})
			}
		}
		out = append(out, rows)
	}
	return out, nil
}
