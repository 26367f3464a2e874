package topic

import (
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// The queue shows a batch of pages and adds new ones only when few are left without a label. So
// pages keep their place, and a judge that has learned from some answers asks better questions than
// one asked for many at once.
const (
	batch    = 12 // pages shown after a refill
	refillAt = 6  // pages without a label at which new ones are added
	askFor   = 4 * batch
)

// queueData is the newest queue and the state of the shown pages.
type queueData struct {
	fresh   []query.QueueRow
	shown   map[uint64]query.CandidateRow
	pay     decisions.LabelsPay
	learned bool // the values are the learner's probabilities
}

func answered(r *query.QueueRow) bool { return r.Label != topic.NoLabel || r.Sample || r.Negative }

// merge updates the shown rows. The pages that decide θ change with every answer, so unlabelled
// rows of that kind are replaced by the current ones. At a refill labelled rows go and new ones
// come, those that decide θ first. All other rows keep their place.
func merge(rows []query.QueueRow, d queueData) []query.QueueRow {
	value := make(map[uint64]float64, len(d.fresh))
	for i := range d.fresh {
		value[d.fresh[i].ID] = d.fresh[i].Value
	}
	out := slices.Clone(rows)
	kept := map[uint64]bool{} // rows that keep their place
	left := 0
	for i := range out {
		r := &out[i]
		if now, ok := d.shown[r.ID]; ok {
			r.CandidateRow = now
		}
		if v, ok := value[r.ID]; ok {
			r.Value = v
		}
		kept[r.ID] = !r.Decides || answered(r)
		if !answered(r) {
			left++
		}
	}
	var deciding, others []query.QueueRow
	for _, r := range d.fresh {
		switch {
		case r.Decides:
			deciding = append(deciding, r)
			kept[r.ID] = false
		case !kept[r.ID]:
			others = append(others, r)
		}
	}
	if left <= refillAt {
		out = slices.DeleteFunc(out, func(r query.QueueRow) bool { return !kept[r.ID] || answered(&r) })
		out = slices.Concat(deciding, out, others)
		return out[:min(len(out), batch)]
	}
	for i := range out {
		r := &out[i]
		from := widget.Either(r.Decides && len(deciding) > 0, &deciding, &others)
		if !kept[r.ID] && len(*from) > 0 {
			*r, *from = (*from)[0], (*from)[1:]
		}
	}
	return out
}

func queueTable(sh *screen.Shared, learned func() bool) *widget.Table[query.QueueRow] {
	type row = query.QueueRow
	return widget.NewTable(
		func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.Host + " " + r.URL },
		[]widget.Column[row]{
			{Title: "l", Width: 1, Cell: func(r *row) (string, widget.Style) {
				if r.Label == topic.NoLabel {
					return "·", widget.Dim
				}
				return screen.LabelSign(r.Label)
			}},
			{Title: "score", Width: 5, Right: true, Cell: func(r *row) (string, widget.Style) {
				return widget.Score(r.Value, 2), widget.Either(r.Value >= .5 && learned(), widget.Good, widget.Plain)
			}, Less: func(a, b *row) bool { return a.Value < b.Value }},
			{Title: "asked as", Width: 9, Cell: func(r *row) (string, widget.Style) {
				switch {
				case r.Decides:
					return sh.T(r.AskedAs()), widget.Accent
				case r.Uncertain:
					return sh.T(r.AskedAs()), widget.Warn
				}
				return sh.T(r.AskedAs()), widget.Dim
			}, Less: func(a, b *row) bool { return !a.Uncertain && b.Uncertain || !a.Decides && b.Decides }},
			screen.Counts("rec", 3, 2, func(r *row) int { return r.Records }),
			{Title: "title", Width: 22, Flex: 3, Cell: func(r *row) (string, widget.Style) {
				if r.Title == "" {
					return widget.Clean(r.URL), widget.Dim
				}
				return widget.Clean(r.Title), widget.Plain
			}, Text: func(r *row) string { return r.Title }},
			screen.Address(12, 1, func(r *row) string { return r.URL }),
		}...)
}
