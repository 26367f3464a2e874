// Command angler is a terminal workbench for focused crawling: point it at
// sample list pages, tune the similarity threshold live, and let it bring home
// every notice such pages announce.
//
// This file only wires commands to the packages that do the work. Results go to
// standard output, progress and errors to standard error. The exit status is 0
// when the work was done, 1 when it failed, 2 when the command was misused.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/page"
	"angler/dict"
	"angler/store"
	"angler/topic"
	"angler/tui"
	"angler/tui/progress"
)

//go:embed testdata/web
var demoWeb embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := rootCommand().ExecuteContext(ctx)
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "angler:", oneLine(err))
	var misuse *misuseError
	if errors.As(err, &misuse) {
		os.Exit(2)
	}
	os.Exit(1)
}

// misuseError marks a command that was called wrongly: exit status 2.
type misuseError struct{ error }

func (e *misuseError) Unwrap() error { return e.error }

func misuse(err error) error {
	if err == nil {
		return nil
	}
	return &misuseError{err}
}

// oneLine joins the lines of an error: one error, one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// flags are the settings that many commands share.
type flags struct {
	proxy    string
	json     bool
	strategy string
	delay    time.Duration
	workers  int
	depth    int
	maxPages int
	lasting  time.Duration
	private  bool
	set      func(name string) bool // whether a flag was given
}

// look are the flags of commands that open the workbench.
type look struct {
	theme   string
	ascii   bool
	noMouse bool
}

func (l *look) flags(c *cobra.Command) {
	c.Flags().StringVar(&l.theme, "theme", "", "colours: "+strings.Join(tui.Themes(), ", "))
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw borders and bars in ASCII")
	c.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}

// fetching adds the flags of every command that fetches.
func (f *flags) fetching(c *cobra.Command) {
	c.Flags().StringVar(&f.proxy, "proxy", "", "fetch through this proxy (http:// or socks5://)")
	c.Flags().BoolVar(&f.private, "allow-private", false, "allow private and loopback addresses")
	f.set = func(name string) bool { fl := c.Flags().Lookup(name); return fl != nil && fl.Changed }
}

// running adds the flags of commands that start a run.
func (f *flags) running(c *cobra.Command) {
	f.fetching(c)
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines on standard output")
	c.Flags().StringVar(&f.strategy, "strategy", "", "link order")
	c.Flags().DurationVar(&f.delay, "delay", 0, "pause between two fetches of one host")
	c.Flags().IntVar(&f.workers, "workers", 0, "fetches at once")
	c.Flags().IntVar(&f.depth, "depth", 0, "links from a seed")
	c.Flags().IntVar(&f.maxPages, "max-pages", 0, "stop after so many fetches")
	c.Flags().DurationVar(&f.lasting, "for", 0, "stop after so long")
}

// override puts the given flags over the workspace's settings.
func (f *flags) override(s *store.Settings) {
	given := func(name string) bool { return f.set != nil && f.set(name) }
	if given("proxy") {
		s.Crawl.Proxy = f.proxy
	}
	if given("allow-private") {
		s.Crawl.AllowPrivate = f.private
	}
	if given("strategy") {
		s.Crawl.Strategy = f.strategy
	}
	if given("delay") {
		s.Crawl.Delay = store.Duration(f.delay)
	}
	if given("workers") {
		s.Crawl.Workers = f.workers
	}
	if given("depth") {
		s.Crawl.Depth = f.depth
	}
}

func (f *flags) open(ctx context.Context, dir string, r crawl.Reporter) (*crawl.Engine, error) {
	return crawl.Open(ctx, dir, crawl.Options{Override: f.override, Report: r})
}

// with opens the engine for f and closes it again.
func (f *flags) with(ctx context.Context, dir string, do func(*crawl.Engine) error) error {
	e, err := f.open(ctx, dir, nil)
	if err != nil {
		return err
	}
	return errors.Join(do(e), e.Close())
}

func rootCommand() *cobra.Command {
	var f flags
	var l look
	root := &cobra.Command{
		Use:           "angler [DIR]",
		Short:         "A terminal workbench for focused crawling",
		Long:          "angler finds the list pages of many sites that are like the samples you show it,\nand brings home the notices they announce.\n\nWith DIR it opens the workbench on that workspace. Start with: angler demo",
		Args:          exactly(cobra.MaximumNArgs(1)),
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse(errors.New("name a workspace folder, or try: angler demo; see: angler --help"))
			}
			if _, err := store.ReadSettings(args[0]); err != nil {
				return err
			}
			return workbench(c.Context(), args[0], &l, func(ctx context.Context, report func(string)) (closingBench, error) {
				return crawl.Open(ctx, args[0], crawl.Options{Override: f.override, Progress: report})
			})
		},
	}
	f.fetching(root)
	l.flags(root)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misuse(err) })
	root.AddCommand(demoCommand(), newCommand(), sampleCommand(), crawlCommand(), harvestCommand(), featuresCommand(),
		scoreCommand(), labelCommand(), evalCommand(), explainCommand(), termsCommand(), segmentCommand(), extractCommand(),
		exportCommand(), versionCommand())
	return root
}

// closingBench is an engine that a workbench shows and this file closes.
type closingBench interface {
	tui.Bench
	Close() error
}

// workbench shows the workbench and closes what it opened.
func workbench(ctx context.Context, name string, l *look, open func(context.Context, func(string)) (closingBench, error)) error {
	if _, terminal := progress.Terminal(os.Stdout.Fd()); !terminal {
		return errors.New("the workbench needs a terminal; for scripts see: angler --help")
	}
	var opened closingBench
	err := tui.Run(ctx, func(ctx context.Context, report func(string)) (tui.Bench, error) {
		b, err := open(ctx, report)
		if err != nil {
			return nil, err
		}
		opened = b
		return b, nil
	}, tui.Options{Name: name, Theme: l.theme, ASCII: l.ascii, NoMouse: l.noMouse})
	if opened != nil {
		err = errors.Join(err, opened.Close())
	}
	return err
}

// exactly makes a wrong number of arguments a misuse.
func exactly(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return misuse(fmt.Errorf("%w; usage: %s", err, c.UseLine()))
		}
		return nil
	}
}

func newCommand() *cobra.Command {
	set := store.DefaultSettings()
	var seedFile string
	c := &cobra.Command{
		Use:   "new DIR --seed URL…",
		Short: "Make a workspace",
		Args:  exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if seedFile != "" {
				more, err := readSeeds(seedFile)
				if err != nil {
					return misuse(err)
				}
				set.Seeds = append(set.Seeds, more...)
			}
			if c.Flags().Changed("topic") {
				set.Harvest.Patterns = []string{} // the default ones are about tenders
			}
			if err := crawl.CheckSeeds(&set); err != nil {
				return misuse(err)
			}
			if err := store.Create(args[0], set); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "made %s with %d seeds; next: angler %s, or angler sample %s add URL…\n", args[0], len(set.Seeds), args[0], args[0])
			return nil
		},
	}
	c.Flags().StringArrayVar(&set.Seeds, "seed", nil, "address where a discovery starts (repeat it)")
	c.Flags().StringVar(&seedFile, "seeds", "", "file with one seed a line")
	c.Flags().StringVar(&set.Name, "topic", set.Name, "what the workspace looks for; any but the default starts without notice patterns")
	c.Flags().StringVar(&set.Scope.Kind, "scope", set.Scope.Kind, "site, host, prefix or pattern")
	c.Flags().StringArrayVar(&set.Scope.Include, "include", nil, "regular expression of addresses in scope")
	c.Flags().StringArrayVar(&set.Scope.Exclude, "exclude", nil, "regular expression of addresses out of scope")
	return c
}

func readSeeds(path string) ([]string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the seed file: %w", err)
	}
	var seeds []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			seeds = append(seeds, line)
		}
	}
	return seeds, nil
}

func sampleCommand() *cobra.Command {
	var f flags
	var fileURL string
	add := &cobra.Command{
		Use: "add DIR URL|FILE…", Short: "Add sample pages", Args: exactly(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				for _, s := range args[1:] {
					row, err := e.AddSample(c.Context(), s, fileURL)
					if err != nil {
						return err
					}
					fmt.Fprintf(c.OutOrStdout(), "sample %s · %s\n", row.URL, row.Title)
				}
				return nil
			})
		},
	}
	add.Flags().StringVar(&fileURL, "url", "", "address that a file came from")
	f.fetching(add)
	remove := &cobra.Command{
		Use: "rm DIR URL…", Short: "Take samples out", Args: exactly(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return new(flags).with(c.Context(), args[0], func(e *crawl.Engine) error {
				for _, s := range args[1:] {
					if err := e.RemoveSample(s); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	list := &cobra.Command{
		Use: "list DIR", Short: "List the samples", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return new(flags).with(c.Context(), args[0], func(e *crawl.Engine) error {
				return jsonLines(c.OutOrStdout(), e.Samples())
			})
		},
	}
	group := &cobra.Command{
		Use: "sample DIR add|rm|list …", Short: "Add, remove or list sample pages",
		Args: exactly(cobra.MinimumNArgs(2)),
		// The folder comes before the verb, as in every other command.
		RunE: func(c *cobra.Command, args []string) error {
			for _, sub := range []*cobra.Command{add, remove, list} {
				if sub.Name() == args[1] {
					rest := append([]string{args[0]}, args[2:]...)
					if err := sub.Args(sub, rest); err != nil {
						return err
					}
					sub.SetContext(c.Context())
					sub.SetOut(c.OutOrStdout())
					return sub.RunE(sub, rest)
				}
			}
			return misuse(fmt.Errorf("%q is none of add, rm, list", args[1]))
		},
	}
	group.Flags().AddFlagSet(add.Flags())
	return group
}

func crawlCommand() *cobra.Command {
	return runCommand("crawl DIR", "Run a discovery: from the seeds to depth n, every page judged",
		true, (*crawl.Engine).Discover)
}

func harvestCommand() *cobra.Command {
	return runCommand("harvest DIR", "Visit the aggregation pages and fetch the notices that are new",
		false, (*crawl.Engine).Harvest)
}

func runCommand(use, short string, pages bool, run func(*crawl.Engine, context.Context, crawl.RunOptions) (crawl.Summary, error)) *cobra.Command {
	var f flags
	c := &cobra.Command{Use: use, Short: short, Args: exactly(cobra.ExactArgs(1))}
	c.RunE = func(c *cobra.Command, args []string) error {
		var r crawl.Reporter
		if f.json {
			r = crawl.NewJSONLines(c.OutOrStdout(), pages, !pages)
		}
		e, err := f.open(c.Context(), args[0], r)
		if err != nil {
			return err
		}
		s, err := followed(c, e, func() (crawl.Summary, error) {
			return run(e, c.Context(), crawl.RunOptions{MaxPages: f.maxPages, For: f.lasting})
		})
		if err := errors.Join(err, e.Close()); err != nil {
			return err
		}
		say(c.ErrOrStderr(), s)
		return nil
	}
	f.running(c)
	return c
}

// followed shows the progress of a run on standard error while it lasts.
func followed(c *cobra.Command, e *crawl.Engine, run func() (crawl.Summary, error)) (crawl.Summary, error) {
	snapshots, end := e.Subscribe()
	shown := make(chan struct{})
	width, terminal := progress.Terminal(os.Stderr.Fd())
	go func() {
		defer close(shown)
		progress.Follow(c.ErrOrStderr(), snapshots, terminal, width)
	}()
	s, err := run()
	end()
	<-shown
	return s, err
}

func say(w io.Writer, s crawl.Summary) {
	fmt.Fprintf(w, "%s: %d fetched (%d failed) in %.1f s, %.0f pages/s; %d aggregation pages, %d new notices", s.Task, s.Fetched, s.Failed,
		s.Seconds, float64(s.Fetched)/max(s.Seconds, 1e-9), s.Aggregations, s.Notices)
	if s.Later > 0 {
		fmt.Fprintf(w, "; %d to be tried again later", s.Later)
	}
	if s.Skipped > 0 {
		fmt.Fprintf(w, "; %d records skipped (documents or out of scope)", s.Skipped)
	}
	fmt.Fprintln(w)
}

func featuresCommand() *cobra.Command {
	var f flags
	var n int
	c := &cobra.Command{
		Use: "features DIR", Short: "Show the samples' feature words", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				rows := e.Features()
				if rows == nil {
					return crawl.ErrNoModel
				}
				if n > 0 && len(rows) > n {
					rows = rows[:n]
				}
				if f.json {
					return jsonLines(c.OutOrStdout(), crawl.FeatureRows(rows))
				}
				t := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', tabwriter.AlignRight)
				fmt.Fprintln(t, "TF\tdf\tIDF\tTF/IDF\tTF·IDF\tbackground\tweight\t  word\t")
				for _, r := range rows {
					fmt.Fprintf(t, "%.4f\t%d/%d\t%.2f\t%.4f\t%.4f\t%.1f %%\t%.3f\t  %s\t\n", r.TF, r.DF, r.Samples, r.IDF, r.TFdivIDF, r.TFIDF, 100*r.Background, r.Weight, r.Word)
				}
				return t.Flush()
			})
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	c.Flags().IntVar(&n, "top", 50, "number of words; 0 for all")
	return c
}

func scoreCommand() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: "score DIR URL|FILE…", Short: "Judge pages under the current model", Args: exactly(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				for _, s := range args[1:] {
					row, err := e.Score(c.Context(), s)
					if err != nil {
						return err
					}
					if f.json {
						err = jsonLines(c.OutOrStdout(), []crawl.ScoreRow{row})
					} else {
						verdict := map[bool]string{true: "above", false: "below"}[row.Above]
						_, err = fmt.Fprintf(c.OutOrStdout(), "%.4f  %s θ %.3f  %d of %d records dated  %s  %s\n", row.Score, verdict, row.Theta, row.Dated, row.Records, row.URL, row.Title)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	f.fetching(c)
	return c
}

func labelCommand() *cobra.Command {
	var f flags
	var importFile, export, judge string
	var queue int
	c := &cobra.Command{
		Use:   "label DIR [URL=yes|no|unsure|none…] [--import FILE] [--export csv|jsonl] [--queue N] [--judge rule|learner]",
		Short: "Label pages, import and export labels, ask which page is worth one", Args: exactly(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := crawl.ParseLabels(args[1:])
			if err != nil {
				return misuse(err)
			}
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				if len(rows) > 0 {
					_, unknown, err := e.LabelURLs(rows, "labels given on the command line")
					if err != nil {
						return err
					}
					if len(unknown) > 0 {
						return fmt.Errorf("not a stored page: %s; crawl it first", strings.Join(unknown, " "))
					}
				}
				if importFile != "" {
					if err := importLabels(c, e, importFile); err != nil {
						return err
					}
				}
				if judge != "" {
					if err := e.SetJudge(judge); err != nil {
						return err
					}
				}
				if queue > 0 {
					rows, err := e.LabelQueue(c.Context(), queue)
					if err != nil {
						return err
					}
					for _, r := range rows {
						fmt.Fprintf(c.OutOrStdout(), "%.4f %-9s %s %s\n", r.Value, map[bool]string{true: "uncertain", false: "probable"}[r.Uncertain], r.URL, r.Title)
					}
				}
				if export == "" {
					return nil
				}
				out, err := e.LabelRows()
				if err != nil {
					return err
				}
				if export == "csv" {
					return topic.WriteLabelsCSV(c.OutOrStdout(), out)
				}
				return topic.WriteLabelsJSONL(c.OutOrStdout(), out)
			})
		},
	}
	c.Flags().StringVar(&importFile, "import", "", "labels as CSV (url,label,by,at) or JSON lines; - for standard input")
	c.Flags().StringVar(&export, "export", "", "write all labels: csv or jsonl")
	c.Flags().IntVar(&queue, "queue", 0, "list the next N pages worth a label")
	c.Flags().StringVar(&judge, "judge", "", "who decides what an aggregation page is: rule or learner")
	return c
}

func importLabels(c *cobra.Command, e *crawl.Engine, path string) error {
	in, err := openInput(path)
	if err != nil {
		return err
	}
	defer in.Close()
	n, problems, err := e.ImportLabels(in)
	for _, p := range problems {
		fmt.Fprintln(c.ErrOrStderr(), p)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d labels imported, %d lines skipped\n", n, len(problems))
	return nil
}

func evalCommand() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: "eval DIR", Short: "Measure every scheme on the labels", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				rows, err := e.Evaluate()
				if err != nil {
					return err
				}
				if f.json {
					return jsonLines(c.OutOrStdout(), rows)
				}
				t := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', 0)
				fmt.Fprintln(t, "\tθ\tP\tR\tF1\tAUC\tbest θ\tbest F1\tlabels")
				for _, r := range rows {
					name := r.Name
					if r.InUse {
						name += " *"
					}
					fmt.Fprintf(t, "%s\t%.3f\t%s\t%s\t%s\t%s\t%.3f\t%.2f\t%d yes %d no\n", name, r.Theta, measure(r.Precision), measure(r.Recall), measure(r.F1), measure(r.AUC), r.BestTheta, r.BestF1, r.Yes, r.No)
				}
				return t.Flush()
			})
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	return c
}

// measure prints a figure with its bootstrap interval; – where it has no meaning.
func measure(m *topic.Measure) string {
	if m == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f [%.2f %.2f]", m.Value, m.Low, m.High)
}

func termsCommand() *cobra.Command {
	var f flags
	var most int
	var accept []string
	c := &cobra.Command{
		Use: "terms DIR", Short: "Find domain terms in the stored pages (C-value), accept them as words", Args: exactly(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				if len(accept) > 0 {
					if err := e.AcceptTerms(accept); err != nil {
						return misuse(err)
					}
					return e.Words(c.Context())
				}
				rows, err := e.Terms(c.Context(), most)
				if err != nil {
					return err
				}
				if f.json {
					return jsonLines(c.OutOrStdout(), rows)
				}
				for _, r := range rows {
					fmt.Fprintf(c.OutOrStdout(), "%8.2f %6d× on %5d pages  %s  (%s: %s)\n", r.CValue, r.Count, r.Pages, r.Word, strings.Join(r.Segments, " "), r.POS)
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	c.Flags().IntVar(&most, "top", 100, "number of terms")
	c.Flags().StringArrayVar(&accept, "accept", nil, "make a term a word of this workspace (repeat it)")
	return c
}

func segmentCommand() *cobra.Command {
	var f flags
	var dir, engine string
	c := &cobra.Command{
		Use: "segment [TEXT…]", Short: "Cut text (or standard input) into words with parts of speech", Args: exactly(cobra.ArbitraryArgs),
		RunE: func(c *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if text == "" {
				b, err := readDocument("-")
				if err != nil {
					return err
				}
				text = string(b)
			}
			if dir == "" {
				d := dict.Open(dict.Options{Engine: engine})
				if err := d.Wait(c.Context()); err != nil {
					return misuse(err)
				}
				return writeTokens(c.OutOrStdout(), d.Segment, text, f.json)
			}
			return f.with(c.Context(), dir, func(e *crawl.Engine) error {
				return writeTokens(c.OutOrStdout(), e.Segment, text, f.json)
			})
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "cut with the words of this workspace")
	c.Flags().StringVar(&engine, "segmenter", dict.EngineFlat, dict.EngineFlat+" or "+dict.EngineGse)
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines, one a word")
	return c
}

// writeTokens prints a line of words for each line of text.
func writeTokens(w io.Writer, cut func(string) []dict.Token, text string, asJSON bool) error {
	for line := range strings.Lines(text) {
		tokens := cut(strings.TrimRight(line, "\r\n"))
		if asJSON {
			if err := jsonLines(w, tokens); err != nil {
				return err
			}
			continue
		}
		var words []string
		for _, t := range tokens {
			words = append(words, t.Text+"/"+t.POS)
		}
		if _, err := fmt.Fprintln(w, strings.Join(words, " ")); err != nil {
			return err
		}
	}
	return nil
}

func explainCommand() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: "explain DIR URL", Short: "Say what angler makes of an address, and why", Args: exactly(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return f.with(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				x, err := e.Explain(c.Context(), args[1])
				if err != nil {
					return err
				}
				if f.json {
					return jsonLines(c.OutOrStdout(), []*crawl.URLExplanation{x})
				}
				return x.Write(c.OutOrStdout())
			})
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	f.fetching(c)
	return c
}

func extractCommand() *cobra.Command {
	var job crawl.ExtractJob
	var batch, method string
	var blocks, asJSON bool
	c := &cobra.Command{
		Use: "extract FILE|- [--url U] | --batch LIST.jsonl", Short: "Extract title, date, text and records of pages",
		Args: exactly(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			x, err := crawl.NewExtractor(method, time.Now(), readDocument)
			if err != nil {
				return misuse(err)
			}
			x.Blocks = blocks
			switch {
			case batch != "" && len(args) == 0:
				list, err := openInput(batch)
				if err != nil {
					return err
				}
				defer list.Close()
				return x.Batch(c.Context(), list, c.OutOrStdout())
			case batch == "" && len(args) == 1:
				job.File = args[0]
				out := x.Extract(job)
				if out.Error != "" {
					return fmt.Errorf("%s: %s", job.File, out.Error)
				}
				if blocks && !asJSON {
					return out.Blocks.Write(c.OutOrStdout())
				}
				return jsonLines(c.OutOrStdout(), []crawl.Extracted{out})
			}
			return misuse(errors.New("name one file, - for standard input, or --batch LIST.jsonl"))
		},
	}
	c.Flags().StringVar(&job.URL, "url", "", "address the file came from")
	c.Flags().StringVar(&batch, "batch", "", `list of documents, {"file":…,"url":…} a line; - for standard input`)
	c.Flags().StringVar(&method, "method", "", "main text: "+strings.Join(page.Methods(), ", "))
	c.Flags().BoolVar(&blocks, "blocks", false, "show the block tree with scores, the record groups and the reasons")
	c.Flags().BoolVar(&asJSON, "json", false, "with --blocks: JSON instead of a drawing")
	return c
}

func openInput(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the list: %w", err)
	}
	return f, nil
}

// maxDocument bounds a document read from a file.
const maxDocument = 64 << 20

func readDocument(path string) ([]byte, error) {
	f, err := openInput(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err == nil && len(b) > maxDocument {
		err = fmt.Errorf("longer than %d MB", maxDocument>>20)
	}
	return b, err
}

func exportCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "export DIR " + strings.Join(crawl.Exports, "|"), Short: "Write what was found as JSON lines", Args: exactly(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "jsonl" {
				return misuse(fmt.Errorf("format %q is unknown; only jsonl is written", format))
			}
			return new(flags).with(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				_, err := e.Export(args[1], c.OutOrStdout())
				return err
			})
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "jsonl")
	return c
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: exactly(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			revision := "unknown"
			if b, ok := debug.ReadBuildInfo(); ok {
				for _, s := range b.Settings {
					if s.Key == "vcs.revision" {
						revision = s.Value
					}
				}
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "angler %s, revision %s, workspace schema %d\n", crawl.Version, revision, store.Schema)
			return err
		},
	}
}

func demoCommand() *cobra.Command {
	var f flags
	var l look
	var dir string
	var headless bool
	c := &cobra.Command{
		Use: "demo", Short: "Open the workbench on a miniature web, without internet", Args: exactly(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			web, err := fs.Sub(demoWeb, "testdata/web")
			if err != nil {
				return err
			}
			open := func(ctx context.Context, report func(string), r crawl.Reporter) (*demo.Bench, error) {
				return demo.Open(ctx, web, dir, crawl.Options{Override: f.override, Progress: report, Report: r})
			}
			if _, terminal := progress.Terminal(os.Stdout.Fd()); headless || !terminal {
				return demoHeadless(c, &f, open)
			}
			return workbench(c.Context(), "demo", &l, func(ctx context.Context, report func(string)) (closingBench, error) {
				return open(ctx, report, nil)
			})
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "keep the demo workspace in this folder")
	c.Flags().BoolVar(&headless, "headless", false, "crawl and harvest without the workbench, print figures")
	f.running(c)
	l.flags(c)
	return c
}

// demoHeadless does what an analyst would do in the workbench: three samples, a
// discovery, a harvest.
func demoHeadless(c *cobra.Command, f *flags, open func(context.Context, func(string), crawl.Reporter) (*demo.Bench, error)) error {
	var r crawl.Reporter
	if f.json {
		r = crawl.NewJSONLines(c.OutOrStdout(), true, true)
	}
	b, err := open(c.Context(), func(string) {}, r)
	if err != nil {
		return err
	}
	run := func() error {
		for _, u := range b.TenderLists(3) {
			row, err := b.AddSample(c.Context(), u, "")
			if err != nil {
				return err
			}
			fmt.Fprintf(c.ErrOrStderr(), "sample %s · %s\n", row.URL, row.Title)
		}
		opt := crawl.RunOptions{MaxPages: f.maxPages, For: f.lasting}
		for _, task := range []func(context.Context, crawl.RunOptions) (crawl.Summary, error){b.Discover, b.Harvest} {
			s, err := followed(c, b.Engine, func() (crawl.Summary, error) { return task(c.Context(), opt) })
			if err != nil {
				return err
			}
			say(c.ErrOrStderr(), s)
		}
		return nil
	}
	return errors.Join(run(), b.Close())
}

func jsonLines[T any](w io.Writer, rows []T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, row := range rows {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
