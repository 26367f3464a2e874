package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/topic"
	"angler/tui/report"
	"angler/tui/widget"
)

func topicNoun() *cobra.Command {
	return noun("topic", "Show, change, explain and measure the topic model",
		topicShowCommand(), topicSetCommand(), wordsCommand(), scoreCommand(), explainCommand(), evalCommand())
}

func topicShowCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "show DIR", Short: "Show scheme, threshold, words and weights",
		Example: "  angler topic show DIR",
		RunE: runs(new(engineFlags).readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			return printTopic(c, e, "")
		}),
	})
}

// topicFlags are the flags of angler topic set.
type topicFlags struct {
	scheme, norm, theta   string
	similarity            string
	m                     int
	minWeight, gamma      float64
	expert, stop, on, off []string
	weights               []string
}

// topicSetCommand changes the topic like screens 2 and 3.
func topicSetCommand() *cobra.Command {
	var f topicFlags
	c := &cobra.Command{
		Use: "set DIR", Short: "Change scheme, threshold, words or weights in one step",
		Long: "set changes all that its flags name in one step, which one undo takes back\n" +
			"(angler history undo DIR).",
		Example: "  angler topic set DIR --theta auto\n  angler topic set DIR --stop 学院 --weight 招标=1.5",
		RunE: func(c *cobra.Command, args []string) error {
			change, err := f.change(c.Flags().Changed)
			if err != nil {
				return misuse(err)
			}
			if change.Empty() {
				return misusef("name what to change, such as --theta .34; %s --help lists the flags",
					c.CommandPath())
			}
			return new(engineFlags).withWords(c, args[0], func(e *crawl.Engine) error {
				did, err := e.Topic.Change(change)
				if errors.Is(err, decisions.ErrUnknownWord) {
					return misuse(err)
				}
				if err != nil {
					return err
				}
				if did == "" {
					c.PrintErrln("nothing changed: the topic is so already")
				}
				return printTopic(c, e, did.String())
			})
		},
	}
	s := c.Flags()
	s.StringVar(&f.scheme, "scheme", "", "how words are weighted: "+names(topic.Schemes))
	s.StringVar(&f.norm, "norm", "", "how similarity is normalised: "+names(topic.Norms))
	s.StringVar(&f.similarity, "similarity", "",
		"what a page is compared with, the samples' centroid or each sample: "+names(topic.Similarities))
	s.IntVar(&f.m, "m", 0, "number of feature words")
	s.Float64Var(&f.minWeight, "min-weight", 0,
		"least weight of a feature word, as a share (0 to 1) of the heaviest word's")
	s.Float64Var(&f.gamma, "gamma", 0, "weight of the negative samples relative to the samples' 1 (0 to 4)")
	s.StringVar(&f.theta, "theta", "", "threshold: auto, .34 or 34%")
	s.StringArrayVar(&f.expert, "expert", nil, "add an expert word (repeat it)")
	s.StringArrayVar(&f.stop, "stop", nil, "exclude a word from judging as a stop word (repeat it)")
	s.StringArrayVar(&f.on, "on", nil, "switch a word on (repeat it)")
	s.StringArrayVar(&f.off, "off", nil, "switch a word off (repeat it)")
	s.StringArrayVar(&f.weights, "weight", nil,
		"multiply a word's weight: WORD=x, 0 to 10; 1 is its own weight (repeat it)")
	return jsonFlag(c)
}

// printTopic prints the topic after did, the description of the change.
func printTopic(c *cobra.Command, e *crawl.Engine, did string) error {
	if did != "" {
		if err := e.Words(c.Context()); err != nil { // a stop word, and its undo, counts pages again
			return err
		}
	}
	row := e.Topic.Row()
	row.Did = did
	return printed(c, []decisions.TopicRow{row}, nil, func(w io.Writer) { writeTopic(w, &row) })
}

// change returns the change of the flags, checked as far as possible without the topic.
func (f *topicFlags) change(given func(string) bool) (*decisions.TopicChange, error) {
	lower := func(words []string) []string { return widget.Map(words, strings.ToLower) } // as the dictionary cuts them
	c := &decisions.TopicChange{Expert: lower(f.expert), Stop: lower(f.stop), On: lower(f.on), Off: lower(f.off),
		Scheme:     widget.Either(given("scheme"), (*topic.Scheme)(&f.scheme), nil),
		Norm:       widget.Either(given("norm"), (*topic.Norm)(&f.norm), nil),
		Similarity: widget.Either(given("similarity"), (*topic.Similarity)(&f.similarity), nil),
		M:          widget.Either(given("m"), &f.m, nil),
		MinWeight:  widget.Either(given("min-weight"), &f.minWeight, nil),
		Gamma:      widget.Either(given("gamma"), &f.gamma, nil),
	}
	if given("theta") {
		x, err := parseTheta(f.theta)
		if err != nil {
			return nil, err
		}
		c.Theta = &x
	}
	for _, w := range f.weights {
		if err := addWeight(c, w); err != nil {
			return nil, err
		}
	}
	return c, c.Check()
}

// parseTheta parses a threshold: auto, ".34", "34%"; 0 is the automatic one.
func parseTheta(s string) (float64, error) {
	if s == "auto" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x > 0 && x <= 1) {
		return 0, fmt.Errorf("--theta %q: write auto, .34 or 34%%; θ is above 0 and at most 1", s)
	}
	return x, nil
}

// addWeight parses WORD=x.
func addWeight(c *decisions.TopicChange, s string) error {
	i := strings.LastIndexByte(s, '=')
	if i < 1 {
		return fmt.Errorf("--weight %q: write WORD=1.5", s)
	}
	word := strings.ToLower(s[:i])
	x, err := strconv.ParseFloat(s[i+1:], 64)
	if err != nil {
		return fmt.Errorf("--weight %q: %q is no number; write WORD=1.5", s, s[i+1:])
	}
	if was, twice := c.Weights[word]; twice && was != x {
		return fmt.Errorf("--weight: %s has two weights, %g and %g", word, was, x)
	}
	if c.Weights == nil {
		c.Weights = map[string]float64{}
	}
	c.Weights[word] = x
	return nil
}

func names[T ~string](list []T) string {
	return strings.Join(widget.Map(list, func(n T) string { return string(n) }), ", ")
}

// writeTopic prints the change, then the topic, one line a setting.
func writeTopic(w io.Writer, r *decisions.TopicRow) {
	if r.Did != "" {
		fmt.Fprintln(w, r.Did)
	}
	weights := widget.Map(slices.Sorted(maps.Keys(r.Weights)),
		func(word string) string { return fmt.Sprintf("%s ×%g", word, r.Weights[word]) })
	t := report.Lines(w, 0, 1)
	fmt.Fprintf(t,
		"scheme\t%s\nnorm\t%s\nsimilarity\t%s\nm\t%d, of which %d words score\nminimal weight\t%g of the heaviest "+
			"word's\nγ\t%g\n", r.Scheme, r.Norm, r.Similarity, r.M, r.Features, r.MinWeight, r.Gamma)
	theta := widget.Either(r.Theta > 0, strconv.FormatFloat(r.Theta, 'f', 3, 64), "–")
	fmt.Fprintf(t, "θ\t%s, %s\njudge\t%s\nsamples\t%d, negative samples %d, labels %d\n", theta, r.ThetaWhy, r.Judge,
		r.Samples, r.Negative, r.Labels)
	for _, list := range []struct {
		name  string
		words []string
	}{{"expert words", r.Expert}, {"words off", r.Off}, {"weights", weights}, {"stop words", r.Stop}} {
		fmt.Fprintf(t, "%s\t%s\n", list.name, cmp.Or(strings.Join(list.words, ", "), "–"))
	}
	if r.Problem != "" {
		fmt.Fprintf(t, "problem\t%s\n", r.Problem)
	}
	t.Flush()
}
