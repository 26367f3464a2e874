package topic

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"angler/message"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file changes the feature words: switches, weights, expert words, the scheme and its norm.

// configure changes the topic's settings as they are when the Cmd runs, so that earlier changes by
// other viewers or keys are kept. change returns the line for the log.
func configure(u *screen.UI, t screen.Topic, label string, change func(*topic.Config) message.Text) tea.Cmd {
	return u.Act(label, func() error { return t.ChangeConfig(change) })
}

// switchWord switches word on or off. A switched-off expert word leaves the list of expert words
// only if the samples lack it too, so that it can be switched on again.
func switchWord(c *topic.Config, word string, on bool) message.Text {
	c.Off = without(c.Off, word)
	if on {
		return message.Of("word %s on", word)
	}
	c.Off = append(c.Off, word)
	slices.Sort(c.Off)
	return message.Of("word %s off", word)
}

// changeWeight changes the multiplier by a step within 0 … 10.
func changeWeight(c *topic.Config, word string, by float64) message.Text {
	was, ok := c.Weights[word]
	if !ok {
		was = 1
	}
	now := math.Round(math.Max(0, math.Min(10, was+by))*10) / 10
	c.Weights = with(c.Weights, word, now)
	return message.Of("weight of %s ×%.1f", word, now)
}

// with returns a copy of weights with one set; weight 1 is stored as no weight.
func with(weights map[string]float64, word string, v float64) map[string]float64 {
	out := make(map[string]float64, len(weights)+1)
	for k, w := range weights {
		out[k] = w
	}
	if v == 1 {
		delete(out, word)
	} else {
		out[word] = v
	}
	return out
}

func without(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return w == word })
}

func (s *features) askWord() {
	s.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: "expert word:", Hint: "enter adds, esc leaves"},
		Check: func(w string) (string, error) {
			switch {
			case w == "":
				return "", widget.Refusal("type a word")
			case widget.Width(w) > 40:
				return "", widget.Refusal("that is longer than a word")
			}
			return w, nil
		},
		Do: func(w string) tea.Cmd {
			return configure(s.UI, s.topic, s.F("expert word %s", w), func(c *topic.Config) message.Text {
				c.Expert = append(without(c.Expert, w), w)
				slices.Sort(c.Expert)
				c.Off = without(c.Off, w)
				return message.Of("expert word %s", w)
			})
		},
	})
}

// askUserWord asks for a word to add to the dictionary; stored pages are counted again.
func (s *features) askUserWord() {
	s.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: "word for the dictionary:", Hint: "2 to 32 characters · pages are counted again"},
		Check: func(w string) (string, error) {
			if n := utf8.RuneCountInString(w); n < 2 || n > 32 || strings.ContainsRune(w, ' ') {
				return "", widget.Refusal("a word of 2 to 32 characters")
			}
			return w, nil
		},
		Do: func(w string) tea.Cmd {
			return s.Act(s.F("accepted %s", w),
				func() error { return s.terms.vocab.AcceptTerms([]string{w}) })
		},
	})
}

// askShare asks for a number of 0 … most; change makes it a change of the topic.
func (s *features) askShare(label, hint string, was, most float64, does func(x float64) string,
	change func(c *topic.Config, x float64) message.Text) {
	s.AskPreset(number(was), &widget.Prompt[float64]{
		Editor: widget.Editor{Label: label, Hint: hint},
		Check: func(text string) (float64, error) {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x >= 0 && x <= most) { // NaN is neither
				return 0, widget.Refusal(s.F("a number from %d to %d", 0, int(most)))
			}
			return x, nil
		},
		Do: func(x float64) tea.Cmd {
			return configure(s.UI, s.topic, does(x), func(c *topic.Config) message.Text { return change(c, x) })
		},
	})
}

// askWeight asks for the multiplier of a word's weight.
func (s *features) askWeight(word string, was float64) {
	s.askShare(s.F("weight of %s ×", widget.Clean(word)), "0 to 10; 1 is its own weight", was, 10,
		func(float64) string { return s.F("weight of %s", word) },
		func(c *topic.Config, x float64) message.Text {
			c.Weights = with(c.Weights, word, x)
			return message.Of("weight of %s ×%g", word, x)
		})
}

// judgedBy returns the norm, and the similarity unless it is the centroid.
func judgedBy(sh *screen.Shared) string {
	norm := sh.Value("", sh.Snap.Norm)
	if sh.Snap.Similarity == "" {
		return norm
	}
	return norm + " · " + sh.T(sh.Snap.Similarity)
}

// measuredAs returns the last evaluation of a scheme, norm and similarity, "" if there is none.
func (s *features) measuredAs(scheme topic.Scheme, norm topic.Norm, similarity topic.Similarity) string {
	as := topic.Config{Scheme: scheme, Norm: norm, Similarity: similarity}
	for _, e := range s.eval.rows {
		if e.Name != as.Name() || e.F1 == nil {
			continue
		}
		out := "F1 " + widget.Score(e.F1.Value, 2)
		if e.AUC != nil {
			out += "  AUC " + widget.Score(e.AUC.Value, 2)
		}
		return out + "  "
	}
	return ""
}

func (s *features) askM() {
	s.AskPreset(strconv.Itoa(s.conf.M), &widget.Prompt[int]{
		Editor: widget.Editor{Label: "feature words m:", Hint: "the m heaviest words score"},
		Check:  s.Number(1, topic.MaxFeatures),
		Do: func(m int) tea.Cmd {
			what := message.Of("m %d", m)
			return configure(s.UI, s.topic, s.Message(what),
				func(c *topic.Config) message.Text { c.M = m; return what })
		},
	})
}

// askMinWeight asks for the least weight of a feature word.
func (s *features) askMinWeight() {
	what := func(x float64) message.Text { return message.Of("minimal weight %g", x) }
	s.askShare("minimal weight:",
		"0 to 1: the share of the heaviest word's weight below which a word does not score; 0 is no bound",
		s.conf.MinWeight, 1, func(x float64) string { return s.Message(what(x)) },
		func(c *topic.Config, x float64) message.Text { c.MinWeight = x; return what(x) })
}

// askGamma asks for the weight of the negative samples relative to the samples' 1.
func (s *features) askGamma() {
	what := func(x float64) message.Text { return message.Of("γ %g", x) }
	s.askShare("γ:", "0 to 4: weight of the negative samples against the samples' 1; .2 is the default",
		s.conf.Gamma, topic.MaxGamma, func(x float64) string { return s.Message(what(x)) },
		func(c *topic.Config, x float64) message.Text { c.Gamma = x; return what(x) })
}

func (s *features) chooseScheme() {
	notes := map[topic.Scheme]string{
		topic.SchemeRecords: "titles of records × rarity in the crawl (default)",
		topic.SchemeTFdivID: "TF ÷ ln(1 + n/df) over the samples (P0)",
		topic.SchemeTFIDF:   "centroid of TF·IDF (P1)",
		topic.SchemeTF:      "frequency × the analyst's weight (P3)",
	}
	var items []widget.Item
	for _, sc := range topic.Schemes {
		norm := topic.NormFull
		if string(sc) == s.Snap.Scheme {
			norm = topic.Norm(s.Snap.Norm)
		} else if sc == topic.SchemeTF {
			norm = topic.NormInner
		}
		items = append(items,
			widget.Item{Name: string(sc), Of: "scheme",
				Note: s.measuredAs(sc, norm, s.conf.Similarity) + s.T(notes[sc]),
				Mark: string(sc) == s.Snap.Scheme, Do: func() tea.Cmd {
					return configure(s.UI, s.topic, s.F("scheme %s", s.Value("", string(sc))),
						func(c *topic.Config) message.Text { c.Scheme = sc; return message.Of("scheme %s", sc) })
				}})
	}
	s.Offer("scheme", items)
}

func (s *features) chooseNorm() {
	var items []widget.Item
	for _, n := range []struct {
		norm topic.Norm
		note string
	}{
		{topic.NormFull, "cosine over all words of the page (default)"},
		{topic.NormProjected, "cosine over the feature words only"},
		{topic.NormInner, "inner product, no normalisation (P3)"},
	} {
		items = append(items,
			widget.Item{Name: string(n.norm), Of: "norm",
				Note: s.measuredAs(topic.Scheme(s.Snap.Scheme), n.norm, s.conf.Similarity) + s.T(n.note),
				Mark: string(n.norm) == s.Snap.Norm, Do: func() tea.Cmd {
					return configure(s.UI, s.topic, s.F("norm %s", s.Value("", string(n.norm))),
						func(c *topic.Config) message.Text { c.Norm = n.norm; return message.Of("norm %s", n.norm) })
				}})
	}
	for _, n := range []struct {
		similarity topic.Similarity
		note       string
	}{
		{topic.SimilarityCentroid, "with the centroid of the samples (default)"},
		{topic.SimilarityMean, "with each sample, the mean of the cosines (P1)"},
	} {
		items = append(items,
			widget.Item{Name: string(n.similarity),
				Note: s.measuredAs(topic.Scheme(s.Snap.Scheme), topic.Norm(s.Snap.Norm), n.similarity) +
					s.T(n.note),
				Mark: n.similarity == cmp.Or(s.conf.Similarity, topic.SimilarityCentroid), Do: func() tea.Cmd {
					return configure(s.UI, s.topic, s.F("similarity %s", s.T(string(n.similarity))),
						func(c *topic.Config) message.Text {
							c.Similarity = n.similarity
							return message.Of("similarity %s", n.similarity)
						})
				}})
	}
	s.Offer("similarity", items)
}
