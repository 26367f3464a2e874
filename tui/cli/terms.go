package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/settings"
	"angler/dict"
	"angler/store/config"
	"angler/tui/report"
)

// termFlags are the flags of the verbs that look for terms.
type termFlags struct {
	most  int
	fresh bool
	now   config.Terms // settings of terms for this process
}

func termsNoun() *cobra.Command {
	return noun("terms", "Find domain terms, accept or reject them",
		termListCommand(), termVerdictCommand("accept", "accepted", "Make terms words of this workspace",
			(*decisions.VocabularyEditor).AcceptTerms),
		termVerdictCommand("reject", "rejected", "Never propose terms again",
			(*decisions.VocabularyEditor).RejectTerms), termEvalCommand())
}

func (f *termFlags) flags(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.now.Method, "method", "", "candidates for terms, for this call: ruled or loose")
	s.Float64Var(&f.now.Threshold, "threshold", 0, "C-value that a term must exceed, for this call")
	s.StringVar(&f.now.Corpus, "corpus", "", "pages searched for terms, for this call: all, lists or notices")
	jsonFlag(c)
}

func termListCommand() *cobra.Command {
	var f termFlags
	c := &cobra.Command{
		Use: "list DIR", Short: "Find domain terms in the stored pages (C-value)",
		Long: "list finds runs of words that occur together so often that they may be one word, by the\n" +
			"settings of [terms] in angler.toml.",
		Example: "  angler terms list DIR --top 20",
		RunE:    func(c *cobra.Command, args []string) error { return f.open(c, args[0], f.print) },
	}
	f.flags(c)
	c.Flags().IntVar(&f.most, "top", 100, "number of terms")
	c.Flags().BoolVar(&f.fresh, "new", false, "only terms that were new in the last proposal")
	return c
}

func termEvalCommand() *cobra.Command {
	f := termFlags{most: 1}
	c := &cobra.Command{
		Use: "eval DIR FILE", Short: "Measure the terms found by a list of right ones",
		Long: "eval prints precision, recall and F1 of the loose and the ruled patterns. FILE has one right\n" +
			"term a line; - is standard input.",
		Example: "  angler terms eval DIR words.txt",
		RunE: func(c *cobra.Command, args []string) error {
			return f.open(c, args[0], func(c *cobra.Command, e *crawl.Engine) error {
				list, err := wordList(c, args[1])
				if err != nil {
					return err
				}
				m, err := e.Terms.Measure(c.Context(), list)
				return printed(c, []*decisions.MeasuredTerms{m}, err, func(w io.Writer) { writeMeasured(w, m) })
			})
		},
	}
	f.flags(c)
	return c
}

// termVerdictCommand accepts or rejects terms.
func termVerdictCommand(verb, done, short string,
	judge func(*decisions.VocabularyEditor, []string) error) *cobra.Command {
	return &cobra.Command{
		Use:     verb + " DIR WORD…",
		Short:   short,
		Example: "  angler terms " + verb + " DIR 竞争性磋商",
		RunE: runs(new(engineFlags).with, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if err := judge(e.Terms, args[1:]); err != nil {
				return misuse(err)
			}
			for _, w := range args[1:] {
				fmt.Fprintf(c.OutOrStdout(), "%s %s\n", done, htmldoc.CleanLine(w, 60))
			}
			return e.Words(c.Context())
		}),
	}
}

// open opens a workspace with the settings of the flags.
func (f *termFlags) open(c *cobra.Command, dir string, do func(*cobra.Command, *crawl.Engine) error) error {
	given := c.Flags().Changed
	if f.most < 1 {
		return misusef("--top %d is less than 1", f.most)
	}
	set := config.Default()
	f.tune(&set.Terms, given)
	var bad *config.SettingError
	if errors.As(settings.Check(&set), &bad) {
		return flagError(bad)
	}
	e := engineFlags{tune: func(s *config.Settings) { f.tune(&s.Terms, given) }}
	return e.reading(c, dir, func(e *crawl.Engine) error { return do(c, e) })
}

// tune applies the given flags to the settings.
func (f *termFlags) tune(s *config.Terms, given func(string) bool) {
	put(given("method"), &s.Method, f.now.Method)
	put(given("threshold"), &s.Threshold, f.now.Threshold)
	put(given("corpus"), &s.Corpus, f.now.Corpus)
}

// print lists the terms found.
func (f *termFlags) print(c *cobra.Command, e *crawl.Engine) error {
	ctx, out := c.Context(), c.OutOrStdout()
	found, err := f.find(ctx, e)
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return report.JSON(out, found.Terms...)
	}
	for _, r := range found.Terms {
		fmt.Fprintf(out, "%8.2f %6d× on %5d pages  %s  (%s: %s)\n", r.CValue, r.Count, r.Pages, r.Word,
			strings.Join(r.Segments, " "), r.POS)
	}
	if len(found.Terms) == 0 {
		c.PrintErrf("no term: a run of words must occur twice and exceed C-value %g "+
			"(terms.threshold) in %s\n", found.By.Threshold, found.By.Corpus)
	}
	return nil
}

// find returns all terms, or the new ones of the last proposal, which it updates if there are newer
// notices.
func (f *termFlags) find(ctx context.Context, e *crawl.Engine) (*decisions.FoundTerms, error) {
	if !f.fresh {
		return e.Terms.FindTerms(ctx, f.most)
	}
	found := e.Terms.ProposedTerms()
	if found.Overdue {
		if err := e.Terms.Propose(ctx); err != nil {
			return nil, err
		}
		found = e.Terms.ProposedTerms()
	}
	found.Terms = slices.DeleteFunc(found.Terms, func(t decisions.FoundTerm) bool { return !t.New })
	found.Terms = found.Terms[:min(f.most, len(found.Terms))]
	return found, nil
}

// wordList reads a word list. Lines without a word are reported and skipped.
func wordList(c *cobra.Command, path string) ([]string, error) {
	r, err := openList(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	list, skipped, err := dict.ReadList(r)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	for _, s := range skipped {
		c.PrintErrf("%s line %d is left out: %s\n", path, s.Line, s.Reason)
	}
	if len(list) == 0 {
		return nil, misusef("%s holds no words; write one a line", path)
	}
	return list, nil
}

// writeMeasured draws P2's table 3.
func writeMeasured(w io.Writer, m *decisions.MeasuredTerms) {
	fmt.Fprintf(w, "corpus %s, %d read · C-value over %g, at least 2 occurrences\n", m.Corpus, m.Pages, m.Threshold)
	fmt.Fprintf(w, "listed words: %d, in the dictionary already %d, of the others in the corpus %d, of which "+
		"recall is the share found\n\n", m.Words, m.Whole, m.Stand)
	t := report.Columns(w, "method\tpatterns\tfound\tright\tP\tR\tF1", 0)
	for _, r := range m.Methods {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3f\t%.3f\t%.3f\n", r.Method, r.Patterns, r.Found, r.Right, r.Precision,
			r.Recall, r.F1)
	}
	t.Flush()
}
