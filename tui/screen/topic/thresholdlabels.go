package topic

import (
	"math"

	"angler/crawl/decisions"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the labels on the score axis and how well a threshold agrees with them.

// agreement returns precision, recall and F1 of the rule "score ≥ theta" on the yes and no labels;
// NaN if undefined.
func agreement(marks []decisions.LabelMark, theta float64) (p, r, f1 float64) {
	tp, fp, fn := 0., 0., 0.
	for _, m := range marks {
		switch above := m.Score >= theta; {
		case m.Label == topic.Yes && above:
			tp++
		case m.Label == topic.Yes:
			fn++
		case m.Label == topic.No && above:
			fp++
		}
	}
	p, r, f1 = tp/(tp+fp), tp/(tp+fn), math.NaN()
	if tp+fn > 0 {
		f1 = 2 * tp / (2*tp + fp + fn)
	}
	return p, r, f1
}

// counted returns how many marks say yes, no and unsure.
func counted(marks []decisions.LabelMark) (yes, no, unsure int) {
	n := labelled(marks, func(m decisions.LabelMark) topic.Label { return m.Label })
	return n[topic.Yes], n[topic.No], n[topic.Unsure]
}

// labelled counts rows by their label.
func labelled[T any](rows []T, of func(T) topic.Label) map[topic.Label]int {
	n := map[topic.Label]int{}
	for _, r := range rows {
		n[of(r)]++
	}
	return n
}

// labelRow draws the marks of one kind of label, or of all when kind is
// NoLabel.
func (s *threshold) labelRow(name string, kind topic.Label) func(c *widget.Canvas, y int) {
	return func(c *widget.Canvas, y int) {
		s.drawMarks(c, y, name, nil, "", widget.Plain)
		w, _ := c.Size()
		pw := max(1, w-axisW-1)
		// No before yes: in a shared cell the yes is visible.
		for _, k := range []topic.Label{topic.Unsure, topic.No, topic.Yes} {
			if kind != topic.NoLabel && kind != k {
				continue
			}
			sign, st := screen.LabelSign(k)
			for _, m := range s.data.marks {
				if m.Label == k && m.Score == m.Score {
					c.Text(axisW+s.column(m.Score, pw), y, st, sign)
				}
			}
		}
	}
}

// labelRows are the rows of marks that fit into h rows with plot and legend: one for each kind of
// label, or one for all.
func (s *threshold) labelRows(h int) []below {
	switch {
	case len(s.data.marks) == 0:
		return nil
	case h < 18:
		return []below{{2, s.labelRow("labels", topic.NoLabel)}}
	}
	n := labelled(s.data.marks, func(m decisions.LabelMark) topic.Label { return m.Label })
	var out []below
	for _, l := range []topic.Label{topic.Yes, topic.No, topic.Unsure} {
		if n[l] > 0 {
			out = append(out, below{widget.Either(l == topic.Unsure, 5, 2), s.labelRow(string(l), l)})
		}
	}
	return out
}

// drawJudge says that the learner decides, not θ.
func (s *threshold) drawJudge(c *widget.Canvas, y int) {
	w, _ := c.Size()
	c.Text(1, y, widget.Warn|widget.Bold,
		widget.Fit(c.T("the learner decides, θ does not: screen {screen_label}, {judge} gives the rule back"), w-2))
}

func (s *threshold) labelsTitle() string {
	yes, no, unsure := counted(s.data.marks)
	if yes+no+unsure == 0 {
		return "labels"
	}
	t := s.F("on %s · %d yes %d no", s.N(yes+no, "label"), yes, no)
	if unsure > 0 {
		t += " · " + s.F("%d unsure", unsure)
	}
	return t
}

// labelsH is the height of the pane of drawLabels with its frame.
const labelsH = 8

func (s *threshold) drawLabels(c *widget.Canvas, _ bool) {
	if len(s.data.marks) == 0 {
		widget.DrawNote(c,
			s.load.State(
				"No labels yet: {yes} and {no} label the page under the cursor, screen {screen_label} asks for the "+
					"pages worth it."))
		return
	}
	type column struct {
		name  string
		theta float64
		st    widget.Style
	}
	cols := []column{{"in force", s.now(), widget.Plain}, {"preview", s.here, widget.Accent}}
	if s.data.bestF1 > 0 {
		cols = append(cols, column{"best", s.data.best, widget.Good})
	}
	for i, name := range []string{"θ", "P", "R", "F1"} {
		c.Text(2, i+1, widget.Dim, name)
	}
	for i, col := range cols {
		x := 8 + i*10
		p, r, f1 := agreement(s.data.marks, col.theta)
		c.Fitted(x-2, 0, 8, widget.Head, c.T(col.name), true)
		c.Fitted(x, 1, 6, col.st, widget.Score(col.theta, 3), true)
		c.Fitted(x, 2, 6, widget.Plain, widget.Score(p, 2), true)
		c.Fitted(x, 3, 6, widget.Plain, widget.Score(r, 2), true)
		c.Fitted(x, 4, 6, widget.Bold, widget.Score(f1, 2), true)
	}
	if s.data.bestF1 > 0 {
		c.Say(2, 5, widget.Dim, "{theta_best}: the best, chosen on these very labels")
	} else {
		c.Say(2, 5, widget.Dim, "F1 and the best θ need a page labelled yes")
	}
}
