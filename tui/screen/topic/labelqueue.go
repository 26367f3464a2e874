package topic

import (
	"angler/crawl/query"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// The queue shows a batch of pages and takes new ones only when few are left
// without a label: what the eye has read keeps its place, and a judge that has
// learned from a handful of answers asks better questions than one asked for
// many at once.
const (
	batch    = 12 // pages shown after a refill
	refillAt = 6  // pages without a label at which a refill is due
	askFor   = 4 * batch
)

// queueData is the newest queue and how the shown pages stand now.
type queueData struct {
	fresh   []query.QueueRow
	shown   map[uint64]query.CandidateRow
	learned bool // the values are the learner's probabilities
}

func answered(r *query.QueueRow) bool { return r.Label != topic.NoLabel || r.Sample || r.Negative }

// merge brings the shown rows up to date and, when a refill is due, drops those
// that are answered and appends new ones.
func merge(rows []query.QueueRow, d queueData) []query.QueueRow {
	value := make(map[uint64]float64, len(d.fresh))
	for i := range d.fresh {
		value[d.fresh[i].ID] = d.fresh[i].Value
	}
	out := make([]query.QueueRow, 0, max(batch, len(rows)))
	have := map[uint64]bool{}
	left := 0
	for _, r := range rows {
		if now, ok := d.shown[r.ID]; ok {
			r.CandidateRow = now
		}
		if v, ok := value[r.ID]; ok {
			r.Value = v
		}
		if !answered(&r) {
			left++
		}
		have[r.ID] = true
		out = append(out, r)
	}
	if left > refillAt {
		return out
	}
	rest := out[:0]
	for _, r := range out {
		if !answered(&r) {
			rest = append(rest, r)
		}
	}
	for _, r := range d.fresh {
		if len(rest) >= batch {
			break
		}
		if !have[r.ID] {
			rest = append(rest, r)
		}
	}
	return rest
}

func queueTable(sh *screen.Shared, learned func() bool) *widget.Table[query.QueueRow] {
	type row = query.QueueRow
	return widget.NewTable(
		func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.Host + " " + r.URL },
		widget.Column[row]{Title: "l", Width: 1, Cell: func(r *row) (string, widget.Style) {
			if r.Label == topic.NoLabel {
				return "·", widget.Dim
			}
			return screen.LabelSign(r.Label)
		}},
		widget.Column[row]{Title: "score", Width: 5, Right: true, Cell: func(r *row) (string, widget.Style) {
			if r.Value >= .5 && learned() {
				return widget.Score(r.Value, 2), widget.Good
			}
			return widget.Score(r.Value, 2), widget.Plain
		}, Less: func(a, b *row) bool { return a.Value < b.Value }},
		widget.Column[row]{Title: "asked as", Width: 9, Cell: func(r *row) (string, widget.Style) {
			if r.Uncertain {
				return sh.T("uncertain"), widget.Warn
			}
			return sh.T("probable"), widget.Dim
		}, Less: func(a, b *row) bool { return !a.Uncertain && b.Uncertain }},
		widget.Column[row]{Title: "rec", Width: 3, Right: true, Drop: 2,
			Cell:   func(r *row) (string, widget.Style) { return widget.Count(r.Records), widget.Plain },
			Number: func(r *row) float64 { return float64(r.Records) }},
		widget.Column[row]{Title: "title", Width: 22, Flex: 3, Cell: func(r *row) (string, widget.Style) {
			if r.Title == "" {
				return widget.Clean(r.URL), widget.Dim
			}
			return widget.Clean(r.Title), widget.Plain
		}, Text: func(r *row) string { return r.Title }},
		screen.Address(12, 1, func(r *row) string { return r.URL }),
	)
}
