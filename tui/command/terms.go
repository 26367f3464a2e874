package command

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

// termFlags are the flags of angler terms.
type termFlags struct {
	engineFlags
	most           int
	accept, reject []string
	fresh          bool
	gold           string
	now            config.Terms // over the workspace's, for this process
}

func termsCommand(open opener) *cobra.Command {
	var f termFlags
	c := &cobra.Command{
		Use: "terms DIR", Short: "Find domain terms in the stored pages (C-value); accept, reject, measure them", Args: arguments(1, 1),
		Long: "terms looks for runs of words that stand together so often that they may be one, by the\n" +
			"settings of [terms] in angler.toml. --gold measures what is found by a list of right terms,\n" +
			"one word a line.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c.Flags().Changed); err != nil {
				return misuse(err)
			}
			given := c.Flags().Changed
			override := func(s *config.Settings) {
				f.Override(s)
				f.tune(&s.Terms, given)
			}
			writes := len(f.accept)+len(f.reject) > 0 || f.fresh
			e, err := crawl.Open(c.Context(), args[0], crawl.Options{Override: override, Reading: !writes || f.fresh})
			if err != nil {
				return err
			}
			return closeEngine(c.Context(), e, printTerms(open, c, e, &f))
		},
	}
	s := c.Flags()
	s.BoolVar(&f.JSON, "json", false, "print JSON lines")
	s.IntVar(&f.most, "top", 100, "number of terms")
	s.StringArrayVar(&f.accept, "accept", nil, "make a term a word of this workspace (repeat it)")
	s.StringArrayVar(&f.reject, "reject", nil, "do not propose a term again (repeat it)")
	s.BoolVar(&f.fresh, "new", false, "only the terms that are new since the proposal before the last harvest")
	s.StringVar(&f.gold, "gold", "", "precision, recall and F1 of loose and ruled patterns on a list of right terms; - for standard input")
	s.StringVar(&f.now.Method, "method", "", "what may be a term, for this time: ruled or loose")
	s.Float64Var(&f.now.Threshold, "threshold", 0, "C-value that a term must exceed, for this time")
	s.StringVar(&f.now.Corpus, "corpus", "", "where terms are looked for, for this time: all, lists or notices")
	return c
}

// check refuses flags that do not go together.
func (f *termFlags) check(given func(string) bool) error {
	ways := 0
	for _, name := range []string{"accept", "new", "gold"} {
		if given(name) || name == "accept" && given("reject") {
			ways++
		}
	}
	switch {
	case ways > 1:
		return errors.New("--accept and --reject, --new and --gold are three different things: give one of them")
	case f.most < 1:
		return fmt.Errorf("--top %d is less than 1", f.most)
	}
	set := config.Default()
	f.tune(&set.Terms, given)
	var bad *config.SettingError
	if errors.As(settings.Check(&set), &bad) {
		return flagError(bad)
	}
	return nil
}

// tune puts the given flags over the settings.
func (f *termFlags) tune(s *config.Terms, given func(string) bool) {
	if given("method") {
		s.Method = f.now.Method
	}
	if given("threshold") {
		s.Threshold = f.now.Threshold
	}
	if given("corpus") {
		s.Corpus = f.now.Corpus
	}
}

// terms does what the flags ask for.
func printTerms(open opener, c *cobra.Command, e *crawl.Engine, f *termFlags) error {
	ctx, out := c.Context(), c.OutOrStdout()
	switch {
	case f.gold != "":
		list, err := wordList(open, c, f.gold)
		if err != nil {
			return err
		}
		m, err := e.Terms.Measure(ctx, list)
		if err != nil {
			return err
		}
		if f.JSON {
			return jsonLines(out, []*decisions.MeasuredTerms{m})
		}
		return writeMeasured(out, m)
	case len(f.accept)+len(f.reject) > 0:
		return f.judge(c, e)
	}
	found, err := f.find(ctx, e)
	if err != nil {
		return err
	}
	if f.JSON {
		return jsonLines(out, found.Terms)
	}
	for _, r := range found.Terms {
		fmt.Fprintf(out, "%8.2f %6d× on %5d pages  %s  (%s: %s)\n", r.CValue, r.Count, r.Pages, r.Word, strings.Join(r.Segments, " "), r.POS)
	}
	if len(found.Terms) == 0 {
		fmt.Fprintf(c.ErrOrStderr(), "no term: a run of words must occur twice and exceed C-value %g (terms.threshold) in %s\n", found.By.Threshold, found.By.Corpus)
	}
	return nil
}

// find returns all terms, or the new ones of the last proposal, which is made up
// for where notices came since.
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

// judge accepts and rejects.
func (f *termFlags) judge(c *cobra.Command, e *crawl.Engine) error {
	if len(f.reject) > 0 {
		if err := e.Terms.RejectTerms(f.reject); err != nil {
			return misuse(err)
		}
	}
	if len(f.accept) > 0 {
		if err := e.Terms.AcceptTerms(f.accept); err != nil {
			return misuse(err)
		}
	}
	for _, w := range f.reject {
		fmt.Fprintf(c.OutOrStdout(), "rejected %s\n", htmldoc.CleanLine(w, 60))
	}
	for _, w := range f.accept {
		fmt.Fprintf(c.OutOrStdout(), "accepted %s\n", htmldoc.CleanLine(w, 60))
	}
	return e.Words(c.Context())
}

// wordList reads a word list; lines that are no words are said and left out.
func wordList(open opener, c *cobra.Command, path string) ([]string, error) {
	r, err := open.list(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	list, skipped, err := dict.ReadList(r)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	for _, s := range skipped {
		fmt.Fprintf(c.ErrOrStderr(), "%s line %d is left out: %s\n", path, s.Line, s.Reason)
	}
	if len(list) == 0 {
		return nil, misuse(fmt.Errorf("%s holds no words; write one a line", path))
	}
	return list, nil
}

// writeMeasured draws P2's table 3.
func writeMeasured(w io.Writer, m *decisions.MeasuredTerms) error {
	fmt.Fprintf(w, "corpus %s, %d read · C-value over %g, at least 2 occurrences\n", m.Corpus, m.Pages, m.Threshold)
	fmt.Fprintf(w, "listed words: %d, in the dictionary already %d, of the others in the corpus %d, of which recall is the share found\n\n", m.Words, m.Whole, m.Stand)
	t := report.Columns(w, 0)
	fmt.Fprintln(t, "method\tpatterns\tfound\tright\tP\tR\tF1")
	for _, r := range m.Methods {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3f\t%.3f\t%.3f\n", r.Method, r.Patterns, r.Found, r.Right, r.Precision, r.Recall, r.F1)
	}
	return t.Flush()
}
