package screen

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/topic"
	"angler/tui/ui"
)

// Features is screen 2: the words the samples share, what each weighs and why,
// and the switches an analyst turns.
type Features struct {
	env   *Env
	panes panes
	table *ui.Table[topic.Feature]
	load  loader[featureData]
	conf  topic.Config
	ctx   contexts
	rate  *schemes
	terms *termsView
}

type featureData struct {
	rows []topic.Feature
	conf topic.Config
}

// NewFeatures returns screen 2.
func NewFeatures(e *Env) *Features {
	s := &Features{env: e, ctx: contexts{env: e}, rate: newSchemes(e), terms: newTermsView(e)}
	s.load = loader[featureData]{env: e, label: "weighing words", load: func(context.Context, stamp) (featureData, error) {
		return featureData{e.Bench.Features(), e.Bench.Config()}, nil
	}}
	s.table = featureTable(e)
	list := tablePane(e, s.table, s.title, func() string {
		if !e.Snap.DictReady {
			return "The dictionary is being loaded; words come after it."
		}
		return s.load.state("No words yet. Mark two or three sample pages: 1, then space.")
	})
	list.click = func(x, y, w int) tea.Cmd {
		if ok, cmd := s.table.Click(x, y-1, w); cmd != nil {
			return cmd
		} else if ok {
			return s.moved()
		}
		return nil
	}
	sorted := list.note
	list.note = func() string { return joined(e.weightless(), sorted()) }
	list.keys = func() []Binding { return append(s.keys(), sortKeys(s.table)...) }
	side := s.ctx.pane()
	side.keys = s.keys
	rate := s.rate.pane()
	rate.keys = func() []Binding { return append(s.keys(), sortKeys(s.rate.table)...) }
	s.panes = panes{env: e, all: []*pane{list, side, rate}, place: placeFeatures}
	return s
}

func placeFeatures(w, h int) []ui.Rect {
	if w >= 130 {
		side := min(56, w*3/10)
		low := 0
		if h >= 3*evalH {
			low = evalH
		}
		return []ui.Rect{{W: w - side, H: h}, {X: w - side, W: side, H: h - low}, {X: w - side, Y: h - low, W: side, H: low}}
	}
	low := min(evalH, h/3)
	if w >= 100 && h >= 3*evalH {
		side := w / 2
		return []ui.Rect{{W: w, H: h - low}, {Y: h - low, W: w - side, H: low}, {X: w - side, Y: h - low, W: side, H: low}}
	}
	return []ui.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}, {}}
}

// standing orders the words by what they do: experts', features, those below m,
// those switched off.
func standing(f *topic.Feature) int {
	switch {
	case !f.On:
		return 3
	case f.Expert:
		return 0
	case f.Feature:
		return 1
	}
	return 2
}

// wordKey is the identity of a row: an expert word may have no id yet.
func wordKey(f *topic.Feature) uint64 {
	h := fnv.New64a()
	h.Write([]byte(f.Word))
	return h.Sum64()
}

func featureTable(e *Env) *ui.Table[topic.Feature] {
	type row = topic.Feature
	num := func(title string, w, digits, drop int, f func(*row) float64) ui.Column[row] {
		return ui.Column[row]{Title: title, Width: w, Right: true, Drop: drop,
			Cell: func(r *row) (string, ui.Style) {
				if r.Expert && r.DF == 0 {
					return "–", ui.Dim
				}
				return ui.Score(f(r), digits), ui.Plain
			},
			Number: func(r *row) float64 { return float64(f(r)) }}
	}
	return ui.NewTable(wordKey, func(r *row) string { return r.Word },
		ui.Column[row]{Title: "on", Width: 2, Cell: func(r *row) (string, ui.Style) {
			switch {
			case !r.On:
				return "·", ui.Dim
			case r.Expert:
				return "+", ui.Accent | ui.Bold
			case r.Feature:
				return "✓", ui.Good
			}
			return " ", ui.Plain
		}, Less: func(a, b *row) bool { return standing(a) < standing(b) }},
		ui.Column[row]{Title: "word", Width: 12, Flex: 1, Max: 24, Cell: func(r *row) (string, ui.Style) {
			if !r.On {
				return ui.Clean(r.Word), ui.Dim
			}
			return ui.Clean(r.Word), ui.Plain
		}, Text: func(r *row) string { return r.Word }},
		num("TF", 6, 4, 3, func(r *row) float64 { return r.TF }),
		ui.Column[row]{Title: "df", Width: 5, Right: true, Drop: 2, Cell: func(r *row) (string, ui.Style) {
			return fmt.Sprintf("%d/%d", r.DF, r.Samples), ui.Plain
		}, Number: func(r *row) float64 { return float64(r.DF) }},
		num("IDF", 5, 2, 5, func(r *row) float64 { return r.IDF }),
		num("TF/IDF", 7, 4, 0, func(r *row) float64 { return r.TFdivIDF }),
		num("TF·IDF", 7, 4, 4, func(r *row) float64 { return r.TFIDF }),
		ui.Column[row]{Title: "in samples", Width: 10, Drop: 6, Cell: func(r *row) (string, ui.Style) {
			return ui.Meter(r.Coverage, 5), ui.Bar
		}, Number: func(r *row) float64 { return float64(r.Coverage) }},
		ui.Column[row]{Title: "background df", Width: 13, Right: true, Drop: 3, Cell: func(r *row) (string, ui.Style) {
			st := ui.Plain
			if r.Background > .5 {
				st = ui.Warn // on most pages of the crawl: it separates nothing
			}
			return ui.Percent(r.Background), st
		}, Number: func(r *row) float64 { return float64(r.Background) }},
		ui.Column[row]{Title: "anti TF", Width: 7, Right: true, Drop: 4, Hide: e.noAnti, Cell: func(r *row) (string, ui.Style) {
			if r.AntiDF == 0 {
				return "–", ui.Dim
			}
			return ui.Score(r.AntiTF, 4), ui.Plain
		}, Number: func(r *row) float64 { return float64(r.AntiTF) }},
		ui.Column[row]{Title: "taken", Width: 7, Right: true, Drop: 1, Hide: e.noAnti, Cell: func(r *row) (string, ui.Style) {
			if r.Taken == 0 {
				return "–", ui.Dim
			}
			return ui.Percent(r.Taken), ui.Bad
		}, Number: func(r *row) float64 { return float64(r.Taken) }},
		ui.Column[row]{Title: "weight", Width: 13, Right: true, Cell: e.weightCell,
			Number: func(r *row) float64 { return float64(r.Weight) }},
	)
}

// noAnti reports that there are no anti-samples to show anything of.
func (e *Env) noAnti() bool { return e.Snap.Counts.Negative == 0 }

func (e *Env) weightCell(r *topic.Feature) (string, ui.Style) {
	if !r.On {
		return e.T("off"), ui.Dim
	}
	if r.Taken == 1 {
		return antiSign + " " + e.T("taken"), ui.Bad
	}
	if !r.Feature && !r.Expert {
		return e.T("below m"), ui.Dim
	}
	s := strconv.FormatFloat(r.Weight, 'f', 3, 64)
	if r.Weight < 1 && r.Weight >= 0 {
		s = ui.Score(r.Weight, 3)
	}
	switch {
	case r.Expert && r.Multiplier == 1:
		return s + " " + e.T("expert"), ui.Accent
	case r.Multiplier != 1:
		return "×" + strconv.FormatFloat(r.Multiplier, 'f', 1, 64) + " " + s, ui.Accent
	}
	return s, ui.Plain
}

func (s *Features) title() string {
	on := 0
	for _, f := range s.table.Rows() {
		if f.On && (f.Feature || f.Expert) {
			on++
		}
	}
	return s.env.F("feature words %s of %s", ui.Count(on), ui.Count(s.table.Total())) + " · " +
		s.env.marked() + " · " + s.env.Snap.Scheme + " · " + s.env.Snap.Norm
}

// Name implements Screen.
func (s *Features) Name() string { return "Features" }

// SetSize implements Screen.
func (s *Features) SetSize(w, h int) {
	s.panes.setSize(w, h)
	s.terms.panes.setSize(w, h)
}

// View implements Screen.
func (s *Features) View(c *ui.Canvas) {
	if s.terms.open {
		s.terms.panes.view(c)
		return
	}
	s.panes.view(c)
}

// Update implements Screen.
func (s *Features) Update(msg tea.Msg) tea.Cmd {
	cmd := s.terms.update(msg)
	return tea.Batch(cmd, s.update(msg))
}

func (s *Features) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapMsg, TickMsg, ShowMsg, ActMsg:
		if s.env.Shown == Screen(s) {
			at := s.env.stamp()
			if s.env.Snap.DictReady {
				at.extra = 1
			}
			return s.load.check(at)
		}
	case loadedMsg[featureData]:
		if got, ok := s.load.take(msg); ok {
			s.conf = got.conf
			return tea.Batch(s.table.SetRows(got.rows), s.moved())
		}
	case ui.Arranged:
		s.table.Arranged(msg)
	case contextsMsg:
		s.ctx.update(msg)
	case evaluationMsg:
		return s.rate.update(msg)
	case tea.MouseMsg:
		if s.terms.open {
			return s.terms.panes.mouse(msg)
		}
		return s.panes.mouse(msg)
	}
	return nil
}

func (s *Features) moved() tea.Cmd {
	if r := s.table.Selected(); r != nil {
		return s.ctx.want(r.Word)
	}
	return s.ctx.want("")
}

// weightStep is what one press of - or = changes a multiplier by.
const weightStep = .1

func (s *Features) keys() []Binding {
	r, off := s.table.Selected(), ""
	if r == nil {
		r, off = &topic.Feature{}, "no word is chosen"
	}
	word, on := r.Word, r.On
	weight := func(by float64) func() tea.Cmd {
		return func() tea.Cmd {
			return s.env.setConfig(s.env.F("weight of %s", word), func(c *topic.Config) string { return changeWeight(c, word, by) })
		}
	}
	return []Binding{
		{Keys: []string{" "}, Name: "on/off", Help: "switch the word off or on", Foot: 1, Off: off, Do: func() tea.Cmd {
			s.table.Update(wordKey(r), func(f *topic.Feature) { f.On = !f.On })
			return s.env.setConfig(s.env.F("word %s", word), func(c *topic.Config) string { return switchWord(c, word, !on) })
		}},
		{Keys: []string{"+", "a"}, Show: "+ a", Name: "add word", Help: "add an expert word", Foot: 2, Do: do(s.askWord)},
		{Keys: []string{"="}, Name: "heavier", Help: "raise the word's weight by a tenth", Foot: 4, Off: off, Do: weight(weightStep)},
		{Keys: []string{"-"}, Name: "lighter", Help: "lower the word's weight by a tenth", Foot: 3, Off: off, Do: weight(-weightStep)},
		{Keys: []string{"0"}, Name: "weight 1", Help: "give the word its own weight back", Off: off, Do: func() tea.Cmd {
			return s.env.setConfig(s.env.F("weight of %s", word), func(c *topic.Config) string {
				c.Weights = with(c.Weights, word, 1)
				return "weight of " + word + " ×1"
			})
		}},
		{Keys: []string{"s"}, Name: "scheme", Help: "choose how words are weighed", Foot: 5, Do: do(s.chooseScheme)},
		{Keys: []string{"t"}, Name: "norm", Help: "choose the similarity's norm", Foot: 6, Do: do(s.chooseNorm)},
		s.rate.key(),
		{Keys: []string{"T"}, Name: "terms", Help: "look for domain terms (C-value) to take into the dictionary", Foot: 8, Off: s.termsOff(), Do: s.terms.show},
		{Keys: []string{"x"}, Name: "stop word", Help: "make the word a stop word: no page is judged by it", Foot: 9, Off: off, Do: func() tea.Cmd {
			bench := s.env.Bench
			return s.env.Act(s.env.F("stop word %s", word), func() error { return bench.StopWord(word) })
		}},
		{Keys: []string{"W"}, Name: "user word", Help: "add a word to the dictionary, so that text is cut by it", Foot: 10, Do: do(s.askUserWord)},
		{Keys: []string{"w"}, Name: "weight", Help: "type the word's weight, as a multiple", Off: off, Do: do(func() { s.askWeight(word, r.Multiplier) })},
		{Keys: []string{"m"}, Name: "words", Help: "set m, the number of feature words", Foot: 7, Do: do(s.askM)},
		{Keys: []string{"A"}, Name: "gamma", Help: "set γ, how much weight the anti-samples take", Off: s.gammaOff(), Do: do(s.askGamma)},
	}
}

func (s *Features) gammaOff() string {
	if s.env.noAnti() {
		return "there are no anti-samples yet: 1, then - on a page"
	}
	return ""
}

func (s *Features) termsOff() string {
	if s.env.Snap.Counts.Pages == 0 {
		return "there are no pages yet"
	}
	return ""
}

// Bindings implements Screen.
func (s *Features) Bindings() []Binding {
	if s.terms.open {
		return s.terms.bindings()
	}
	return s.words()
}

// words are the keys while the feature words are shown.
func (s *Features) words() []Binding {
	if s.panes.focus == 0 {
		return s.panes.bindings(s.moved)
	}
	return s.panes.bindings(nil)
}

// Keys implements Screen.
func (s *Features) Keys() []Binding {
	out := s.panes.each(s.words)
	seen := map[string]bool{}
	for _, b := range out {
		seen[b.Keys[0]+b.Help] = true
	}
	for _, b := range s.terms.panes.each(s.terms.bindings) {
		if !seen[b.Keys[0]+b.Help] {
			out = append(out, b)
		}
	}
	return out
}
