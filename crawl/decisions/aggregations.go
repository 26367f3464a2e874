package decisions

import (
	"slices"

	"angler/topic"
)

// Aggregations returns the ids of the aggregation pages, the most relevant
// first: at or above the threshold; labels, samples and negative samples
// override the judge. A page that several addresses show is one of them: the one
// an analyst has confirmed, else the one with the lowest id; what an analyst says of
// one address holds for the others, unless that contradicts itself.
func (d *Decisions) Aggregations() []uint64 {
	s := d.State()
	sure := s.Sure()
	scores := d.Index.Scores()
	said := verdicts(scores, sure)
	var ids []uint64
	if s.Model != nil {
		v := d.Verdicts()
		top, _ := v.Top(v.Above(v.Theta))
		for _, id := range top {
			yes, known := sure[id]
			switch {
			case known && !yes:
			case known:
				ids = append(ids, id)
				delete(sure, id)
			case said[v.Same(id)] == topic.NoLabel && !v.Shadow(id):
				ids = append(ids, id)
			}
		}
	}
	confirmed := len(ids)
	for id, yes := range sure {
		if _, captured := scores.Of(id); yes && captured {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids[confirmed:])
	return onePerText(scores, ids)
}

// verdicts returns what analysts have said of texts that several addresses show:
// unsure of one of which they have said yes and no.
func verdicts(scores *topic.Scores, sure map[uint64]bool) map[uint64]topic.Label {
	said := map[uint64]topic.Label{}
	for id, yes := range sure {
		key := scores.Same(id)
		if key == 0 {
			continue
		}
		l := topic.No
		if yes {
			l = topic.Yes
		}
		if was, known := said[key]; known && was != l {
			l = topic.Unsure
		}
		said[key] = l
	}
	for key, l := range said {
		if l == topic.Unsure {
			delete(said, key)
		}
	}
	return said
}

// onePerText keeps the first of the pages that show the same.
func onePerText(scores *topic.Scores, ids []uint64) []uint64 {
	seen := map[uint64]bool{}
	return slices.DeleteFunc(ids, func(id uint64) bool {
		key := scores.Same(id)
		twice := key != 0 && seen[key]
		seen[key] = true
		return twice
	})
}

// Contradictions returns the addresses of pages that show the same and are labelled
// yes and no, with the labels.
func (l *Labels) Contradictions() ([][]topic.LabelRow, error) {
	labels := l.d.State().Labels
	var out [][]topic.LabelRow
	for _, ids := range l.d.Index.Scores().Contradictions(labels) {
		var rows []topic.LabelRow
		for _, id := range ids {
			u, err := l.d.Store.URL(id)
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
