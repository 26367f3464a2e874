package topic

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// evaluation holds the last measurement of every scheme and the learner against the labels.
// Features and Label show the same one.
type evaluation struct {
	*screen.UI
	*screen.Shared
	labels screen.Labels

	rows  []topic.Evaluation
	at    basis
	asked screen.Request
	err   error
	shown []*widget.Table[topic.Evaluation] // the tables of the rows
}

// basis is the input of an evaluation; when it changes, the figures are outdated.
type basis struct {
	labels  int
	learner view.LearnerInfo
	model   uint64
}

func (v *evaluation) basis() basis {
	snap := v.Snap
	b := basis{snap.Counts.Labels, snap.Learner, snap.ModelRev}
	b.learner.InUse = false // the judge in force changes no figure
	return b
}

// measure starts an evaluation on the current labels.
func (v *evaluation) measure() tea.Cmd {
	v.at = v.basis()
	labels := v.labels
	return screen.Start(&v.asked, v.UI, "measuring the schemes", func(ctx context.Context) ([]topic.Evaluation, error) {
		return jobs.Within(ctx, labels.Evaluate)
	}, v.show)
}

// show shows the figures.
func (v *evaluation) show(rows []topic.Evaluation, err error) tea.Cmd {
	if v.err = err; err != nil {
		return nil
	}
	v.rows = rows
	return tea.Batch(widget.Map(v.shown, func(t *widget.Table[topic.Evaluation]) tea.Cmd { return t.SetRows(rows) })...)
}

// schemes is the pane of the evaluation.
type schemes struct {
	*screen.Shared
	eval  *evaluation
	table *widget.Table[topic.Evaluation]
}

func newSchemes(sh *screen.Shared, eval *evaluation) *schemes {
	type row = topic.Evaluation
	num := func(title string, drop int, f func(*row) *topic.Measure) widget.Column[row] {
		return widget.Column[row]{Title: title, Width: 4, Right: true, Drop: drop,
			Cell: func(r *row) (string, widget.Style) { return measured(f(r)) },
			Less: func(a, b *row) bool { return value(f(a)) < value(f(b)) }}
	}
	f1 := num("F1", 0, func(r *row) *topic.Measure { return r.F1 })
	f1.Cell = func(r *row) (string, widget.Style) {
		text, st := measured(r.F1)
		return text, st | widget.Bold
	}
	table := widget.NewTable(
		func(r *row) uint64 { return screen.Hash(r.Name) },
		func(r *row) string { return r.Name },
		[]widget.Column[row]{
			{Title: "", Width: 1, Cell: func(r *row) (string, widget.Style) {
				if decides(sh, r) {
					return "●", widget.Accent | widget.Bold
				}
				return " ", widget.Plain
			}},
			{Title: "judged by", Width: 11, Flex: 1, Max: 24, Cell: func(r *row) (string, widget.Style) {
				return judge(sh, r.Name), widget.Either(decides(sh, r), widget.Bold, widget.Plain)
			}},
			{Title: "at θ", Width: 4, Right: true, Drop: 3,
				Cell: func(r *row) (string, widget.Style) { return widget.Score(r.Theta, 2), widget.Dim }},
			num("P", 0, func(r *row) *topic.Measure { return r.Precision }),
			num("R", 0, func(r *row) *topic.Measure { return r.Recall }),
			f1,
			{Title: "F1 95 %", Width: 9, Right: true, Drop: 2, Cell: func(r *row) (string, widget.Style) {
				if r.F1 == nil {
					return "–", widget.Dim
				}
				return widget.Score(r.F1.Low, 2) + "–" + widget.Score(r.F1.High, 2), widget.Dim
			}},
			num("AUC", 1, func(r *row) *topic.Measure { return r.AUC }),
			{Title: "accepts", Width: 7, Right: true, Drop: 4,
				Cell: func(r *row) (string, widget.Style) { return widget.Count(r.Above), widget.Dim },
				Less: func(a, b *row) bool { return a.Above < b.Above }},
		}...)
	eval.shown = append(eval.shown, table)
	return &schemes{sh, eval, table}
}

// decides reports whether r is the judge in force.
func decides(sh *screen.Shared, r *topic.Evaluation) bool {
	return widget.Either(sh.Snap.Learner.InUse, r.Name == topic.LearnerName, r.InUse)
}

func measured(m *topic.Measure) (string, widget.Style) {
	if m == nil {
		return "–", widget.Dim
	}
	return widget.Score(m.Value, 2), widget.Plain
}

func value(m *topic.Measure) float64 {
	if m == nil {
		return -1
	}
	return m.Value
}

// off says why no evaluation is possible.
func (s *schemes) off() string {
	switch c := s.Snap.Counts; {
	case c.Samples == 0:
		return "there are no samples yet: {screen_samples}, then {sample} on a page"
	case c.Labels == 0:
		return "there are no labels yet: {yes} and {no} on a page give some"
	case s.eval.asked.Busy():
		return "it is being measured"
	}
	return ""
}

func (s *schemes) key(e *keymap.Entry) screen.Binding {
	return screen.Bind(e, s.off(), s.eval.measure)
}

func (s *schemes) pane() *screen.Pane {
	v := s.eval
	p := screen.TablePane(s.Shared, s.table, func() string {
		if len(v.rows) == 0 {
			return "schemes on the labels"
		}
		return s.F("schemes on %s", s.N(v.rows[0].Yes+v.rows[0].No, "label"))
	}, func() string {
		switch off := s.off(); {
		case v.asked.Busy():
			return "measuring every scheme …"
		case v.err != nil:
			return s.F("Nothing was measured: %s. {evaluate} tries again.", s.Reason(v.err))
		case off != "":
			return sentence(s.T(off))
		}
		return s.F("Press {evaluate} to measure every scheme on %s.",
			s.N(s.Snap.Counts.Labels, "label"))
	})
	sorted := p.Note
	p.Note = func() string {
		switch {
		case v.asked.Busy():
			return "measuring …"
		case v.err != nil && len(v.rows) > 0:
			return s.F("not measured again: %s", s.Reason(v.err))
		case len(v.rows) > 0 && v.at != v.basis():
			return "older than the labels or the words · {evaluate} measures again"
		}
		return sorted()
	}
	return p
}

// sentence turns a reason into a sentence.
func sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if r >= 0x2e80 {
		return s + "。"
	}
	return string(unicode.ToUpper(r)) + s[n:] + "."
}

// judge returns the translated name of a scheme with its norm, see topic.Config.Name.
func judge(sh *screen.Shared, name string) string {
	for _, scheme := range topic.Schemes {
		if rest, ok := strings.CutPrefix(name, string(scheme)+"/"); ok {
			parts := widget.Map(strings.Split(rest, "/"), func(p string) string { return sh.Value("", p) })
			return sh.Value("", string(scheme)) + "/" + widget.Clean(strings.Join(parts, "/"))
		}
	}
	return sh.T(widget.Clean(name))
}
