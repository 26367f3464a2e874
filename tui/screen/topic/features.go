package topic

import (
	"context"
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/jobs"
	"angler/message"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// features is screen 2: the common words of the samples, their weights and reasons, and their
// switches.
type features struct {
	*screen.UI
	*screen.Shared
	topic screen.Topic
	eval  *evaluation
	screen.Panes
	table *widget.Table[topic.Feature]
	load  screen.Loader[featureData]
	conf  topic.Config
	light bool    // words are excluded by the minimum weight, not by m
	most  float64 // the heaviest word's weight
	ctx   contexts
	rate  *schemes
	terms *termsView
}

type featureData struct {
	rows []topic.Feature
	conf topic.Config
}

// newFeatures returns screen 2; it shares the evaluation with screen 6.
func newFeatures(u *screen.UI, sh *screen.Shared, eval *evaluation, samples *samples, p screen.Parts) *features {
	t := p.Topic
	s := &features{UI: u, Shared: sh, topic: t, eval: eval,
		ctx:  contexts{UI: u, Shared: sh, pages: p.Pages, samples: samples},
		rate: newSchemes(sh, eval), terms: newTermsView(u, sh, p)}
	s.load = screen.NewLoader(u, sh, "weighing words",
		func(screen.DataVersion) func(context.Context) (featureData, error) {
			return func(ctx context.Context) (featureData, error) {
				return jobs.Within(ctx,
					func() (featureData, error) { return featureData{t.Features(), t.Config()}, nil })
			}
		}, s.take)
	s.table = widget.GivenBy(featureTable(sh, &s.light, &s.most), "weight", true)
	list := screen.TablePane(sh, s.table, s.title, func() string {
		if !sh.Snap.DictReady {
			return "The dictionary is being loaded; words come after it."
		}
		return s.load.State("No words yet. Mark two or three sample pages: {screen_samples}, then {sample}.")
	})
	sorted := list.Note
	list.Note = func() string { return screen.Joined(weightless(sh), sorted()) }
	list.Keys, list.Sorts, list.Moved = s.keys, true, s.moved
	side := s.ctx.pane()
	side.Keys = s.keys
	rate := s.rate.pane()
	rate.Keys, rate.Sorts = s.keys, true
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{list, side, rate}, placeFeatures)
	s.Title, s.Refresh = "Features", s.refresh
	s.Covers = []*screen.Panes{&s.terms.Panes}
	return s
}

func placeFeatures(w, h int) []widget.Rect {
	if w >= 130 {
		side := min(66, w/3)
		low := widget.Either(h >= 3*evalH, evalH, 0)
		return []widget.Rect{{W: w - side, H: h}, {X: w - side, W: side, H: h - low},
			{X: w - side, Y: h - low, W: side, H: low}}
	}
	low := min(evalH, h/3)
	if w >= 100 && h >= 3*evalH {
		side := w / 2
		return []widget.Rect{{W: w, H: h - low}, {Y: h - low, W: w - side, H: low},
			{X: w - side, Y: h - low, W: side, H: low}}
	}
	return []widget.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}, {}}
}

// standing orders the words by state: expert words, features, those below m, switched-off words.
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
	return screen.Hash(f.Word)
}

// featureTable lists the words; light and most point to the screen's current values.
func featureTable(sh *screen.Shared, light *bool, most *float64) *widget.Table[topic.Feature] {
	type row = topic.Feature
	num := func(title string, w, digits, drop int, f func(*row) float64) widget.Column[row] {
		return widget.Column[row]{Title: title, Width: w, Right: true, Drop: drop,
			Cell: func(r *row) (string, widget.Style) {
				if r.Expert && r.DF == 0 {
					return "–", widget.Dim
				}
				return widget.Score(f(r), digits), widget.Plain
			},
			Number: func(r *row) float64 { return float64(f(r)) }}
	}
	return widget.NewTable(wordKey, func(r *row) string { return r.Word },
		[]widget.Column[row]{
			{Title: "on", Width: 2, Cell: func(r *row) (string, widget.Style) {
				switch {
				case !r.On:
					return "·", widget.Dim
				case r.Expert:
					return "+", widget.Accent | widget.Bold
				case r.Feature:
					return "✓", widget.Good
				}
				return " ", widget.Plain
			}, Less: func(a, b *row) bool { return standing(a) < standing(b) }},
			{Title: "word", Width: 12, Flex: 1, Max: 24, Cell: func(r *row) (string, widget.Style) {
				return widget.Clean(r.Word), widget.Either(!r.On, widget.Dim, widget.Plain)
			}, Text: func(r *row) string { return r.Word }},
			num("TF", 6, 4, 3, func(r *row) float64 { return r.TF }),
			{Title: "df", Width: 5, Right: true, Drop: 2, Cell: func(r *row) (string, widget.Style) {
				return fmt.Sprintf("%d/%d", r.DF, r.Samples), widget.Plain
			}, Number: func(r *row) float64 { return float64(r.DF) }},
			num("IDF", 5, 2, 5, func(r *row) float64 { return r.IDF }),
			num("TF/IDF", 7, 4, 0, func(r *row) float64 { return r.TFdivIDF }),
			num("TF·IDF", 7, 4, 4, func(r *row) float64 { return r.TFIDF }),
			{Title: "in samples", Width: 10, Drop: 6, Cell: func(r *row) (string, widget.Style) {
				return widget.Meter(r.Coverage, 5), widget.Bar
			}, Number: func(r *row) float64 { return float64(r.Coverage) }},
			{Title: "background df", Width: 13, Right: true, Drop: 3,
				Cell: func(r *row) (string, widget.Style) {
					st := widget.Plain
					if r.Background > .5 {
						st = widget.Warn // on most pages of the crawl, so it distinguishes nothing
					}
					return widget.Percent(r.Background), st
				}, Number: func(r *row) float64 { return float64(r.Background) }},
			{Title: "neg. TF", Width: 7, Right: true, Drop: 4,
				Hide: func() bool { return noNegative(sh) }, Cell: func(r *row) (string, widget.Style) {
					return widget.OrDash(r.NegativeDF != 0, widget.Score(r.NegativeTF, 4), widget.Plain)
				}, Number: func(r *row) float64 { return float64(r.NegativeTF) }},
			{Title: "taken", Width: 7, Right: true, Drop: 1, Hide: func() bool { return noNegative(sh) },
				Cell: func(r *row) (string, widget.Style) {
					return widget.OrDash(r.Taken != 0, widget.Percent(r.Taken), widget.Bad)
				}, Number: func(r *row) float64 { return float64(r.Taken) }},
			{Title: "weight", Width: 13, Right: true,
				Cell:   func(r *row) (string, widget.Style) { return weightCell(sh, r, *light) },
				Number: func(r *row) float64 { return float64(r.Weight) }},
			{Title: "of the heaviest", Width: 15, Drop: 7, Cell: func(r *row) (string, widget.Style) {
				if !(*most > 0) || !r.On {
					return "", widget.Plain
				}
				return widget.Meter(r.Weight / *most, 10), widget.Bar
			}, Number: func(r *row) float64 { return float64(r.Weight) }},
		}...)
}

// noNegative reports whether there are no negative samples.
func noNegative(sh *screen.Shared) bool { return sh.Snap.Counts.Negative == 0 }

func weightCell(sh *screen.Shared, r *topic.Feature, light bool) (string, widget.Style) {
	if !r.On {
		return sh.T("off"), widget.Dim
	}
	if r.Taken == 1 {
		return screen.NegativeSign + " " + sh.T("taken"), widget.Bad
	}
	if !r.Feature && !r.Expert {
		if light {
			return sh.T("too light"), widget.Dim
		}
		return sh.T("below m"), widget.Dim
	}
	s := strconv.FormatFloat(r.Weight, 'f', 3, 64)
	if r.Weight < 1 && r.Weight >= 0 {
		s = widget.Score(r.Weight, 3)
	}
	switch {
	case r.Expert && r.Multiplier == 1:
		return s + " " + sh.T("expert"), widget.Accent
	case r.Multiplier != 1:
		return "×" + strconv.FormatFloat(r.Multiplier, 'f', 1, 64) + " " + s, widget.Accent
	}
	return s, widget.Plain
}

func (s *features) title() string {
	on := 0
	for _, f := range s.table.Rows() {
		if f.On && (f.Feature || f.Expert) {
			on++
		}
	}
	return s.F("feature words %s of %s", on, s.table.Total()) + " · " +
		marked(s.Shared) + " · " + s.Value("", s.Snap.Scheme) + " · " + judgedBy(s.Shared)
}

// Update implements Screen.
func (s *features) Update(msg tea.Msg) tea.Cmd {
	cmd := s.terms.update(msg)
	return tea.Batch(cmd, s.Panes.Update(msg))
}

// refresh loads the words again after a change of their inputs.
func (s *features) refresh() tea.Cmd {
	at := s.DataVersion()
	if s.Snap.DictReady {
		at.Extra = 1
	}
	return s.load.Check(at)
}

// take shows loaded words.
func (s *features) take(got featureData) tea.Cmd {
	s.conf, s.most = got.conf, 0
	chosen := 0
	for i := range got.rows {
		f := &got.rows[i]
		if s.most = max(s.most, f.Weight); f.Feature && !f.Expert {
			chosen++
		}
	}
	s.light = s.conf.MinWeight > 0 && chosen < s.conf.M
	return tea.Batch(s.table.SetRows(got.rows), s.moved())
}

func (s *features) moved() tea.Cmd {
	r := s.table.Selected()
	if r == nil {
		return s.ctx.want("")
	}
	s.ctx.use = nil
	if r.Sites > 0 {
		s.ctx.use = []string{
			s.F("stands on about %s of a site's pages,", widget.Percent(r.Share)),
			s.F("sites that use it: about %d of %d", int(r.Users+.5), r.Sites),
		}
	}
	return s.ctx.want(r.Word)
}

// weightStep is the change of a multiplier by one press of [ or ].
const weightStep = .1

func (s *features) keys() []screen.Binding {
	r, off := s.table.Selected(), ""
	if r == nil {
		r, off = &topic.Feature{}, "no word is chosen"
	}
	word, on := r.Word, r.On
	weight := func(by float64) func() tea.Cmd {
		return func() tea.Cmd {
			return configure(s.UI, s.topic, s.F("weight of %s", word),
				func(c *topic.Config) message.Text { return changeWeight(c, word, by) })
		}
	}
	noPages := screen.If(s.Snap.Counts.Pages == 0, "there are no pages yet")
	noGamma := screen.If(noNegative(s.Shared),
		"there are no negative samples yet: {screen_samples}, then {negative} on a page")
	return []screen.Binding{
		screen.Bind(keymap.Switch, off, func() tea.Cmd {
			s.table.Update(func(f *topic.Feature) { f.On = !f.On }, wordKey(r))
			return configure(s.UI, s.topic, s.Message(switchWord(&topic.Config{}, word, !on)),
				func(c *topic.Config) message.Text { return switchWord(c, word, !on) })
		}),
		screen.Bind(keymap.AddWord, "", screen.Do(s.askWord)),
		screen.Bind(keymap.Lighter, off, weight(-weightStep)),
		screen.Bind(keymap.Heavier, off, weight(weightStep)),
		screen.Bind(keymap.OwnWeight, off, func() tea.Cmd {
			return configure(s.UI, s.topic, s.F("weight of %s", word), func(c *topic.Config) message.Text {
				c.Weights = with(c.Weights, word, 1)
				return message.Of("weight of %s ×1", word)
			})
		}),
		screen.Bind(keymap.TypeWeight, off, screen.Do(func() { s.askWeight(word, r.Multiplier) })),
		screen.Bind(keymap.Scheme, "", screen.Do(s.chooseScheme)),
		screen.Bind(keymap.Norm, "", screen.Do(s.chooseNorm)),
		s.rate.key(keymap.EvaluateWords),
		screen.Bind(keymap.TermsView, noPages, s.terms.show),
		screen.Bind(keymap.StopWord, off, func() tea.Cmd {
			return s.Act(s.Undoable(s.F("stop word %s", word)),
				func() error { return s.topic.StopWord(word) })
		}),
		screen.Bind(keymap.UserWord, "", screen.Do(s.askUserWord)),
		screen.Bind(keymap.Words, "", screen.Do(s.askM)),
		screen.Bind(keymap.LeastWord, "", screen.Do(s.askMinWeight)),
		screen.Bind(keymap.Gamma, noGamma, screen.Do(s.askGamma)),
	}
}
