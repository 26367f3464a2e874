package topic

import (
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file explains the numbers of the threshold screen.

// axisFigures are θ and the thresholds with keys.
func axisFigures(s *threshold) []screen.Figure {
	out := []screen.Figure{screen.Named("", "θ", widget.Score(s.now(), 3))}
	if s.data.scores == nil {
		return out
	}
	for _, tick := range s.suggestions() {
		f := screen.Named("threshold", tick.key, widget.Score(tick.at, 3))
		f.Name = s.T(tickKeys[tick.key])
		out = append(out, f)
	}
	return out
}

// measureFigures are the figures of the labels at the previewed θ.
func measureFigures(s *threshold) []screen.Figure {
	p, r, f1 := agreement(s.data.marks, s.here)
	return []screen.Figure{screen.Named("", "P", widget.Score(p, 2)), screen.Named("", "R", widget.Score(r, 2)),
		screen.Named("", "F1", widget.Score(f1, 2))}
}
