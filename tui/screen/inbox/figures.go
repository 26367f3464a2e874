package inbox

import (
	"strconv"

	"angler/tui/screen"
	"angler/tui/widget"
)

// figures are the numbers that the reader shows, those of the chosen field first.
func (v *reader) figures() []screen.Figure {
	n := v.got
	if n == nil {
		return nil
	}
	var out []screen.Figure
	add := func(title, value string) { out = append(out, screen.Named("Notice", title, value)) }
	if x := &v.values; x.at >= 0 && x.at < len(x.all) && x.all[x.at].v != nil {
		add("certainty", strconv.FormatFloat(x.all[x.at].v.Sure, 'f', 2, 64))
	}
	add("list's score", widget.Score(n.Score, 3))
	out = append(out, screen.Named("", "θ", widget.Score(n.Theta, 3)))
	if q := v.in.hand.of(n.Quality); q != nil {
		add("quality", widget.Score(q.Value, 2))
		add("similarity", widget.Score(q.Similarity, 2))
		add("PageRank", widget.Score(q.PageRank, 2))
	}
	if k := v.kin.got; k != nil && k.Check != nil {
		add("content", widget.Count(k.Check.Families.Count()))
	}
	if v.row != nil && v.row.Copies > 0 {
		add("copies", widget.Count(v.row.Copies))
	}
	if len(n.Files) > 0 {
		out = append(out, screen.Named("ListedNotice", "files", widget.Count(len(n.Files))))
	}
	return out
}
