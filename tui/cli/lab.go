package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/lab"
	"angler/crawl/linkorder"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// labFlags are the flags of the lab command.
type labFlags struct {
	strategies []string
	target     string
	verdict    string
	draws      int
	samples    int
	leaves     bool
	ascii      bool
}

func labCommand() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use:     "lab DIR",
		Short:   "Replay a stored crawl under other link orders",
		Example: "  angler lab DIR --strategies bfs,learned --draws 5",
		Long: "lab crawls the stored pages again under each strategy and draws how fast it finds the targets.\n" +
			"Position 0 is breadth-first, 1 an oracle that knows the links. Each draw breaks ties in its own way.\n\n" +
			"Strategies: " + strings.Join(linkorder.Names(), ", ") + "; besides: oracle, all.\n" +
			"Targets: " + lab.TargetRules + ".",
		RunE: func(c *cobra.Command, args []string) error {
			rule, err := f.check()
			if err != nil {
				return misuse(err)
			}
			return new(engineFlags).reading(c, args[0], func(e *crawl.Engine) error {
				return f.run(c, e, rule)
			})
		},
	}
	c.Flags().StringSliceVar(&f.strategies, "strategies", nil,
		"link orders to compare (default bfs,shark,linear,learned)")
	c.Flags().StringVar(&f.target, "target", "aggregations", "what to find: "+lab.TargetRules)
	c.Flags().StringVar(&f.verdict, "verdict", "",
		"what strategies learn from: judge or target (default judge for aggregations and labels, else target)")
	c.Flags().IntVar(&f.draws, "draws", 3,
		"runs of each strategy, each with its own order of equal links and its own samples")
	c.Flags().IntVar(&f.samples, "samples", 0,
		"number of random targets that are the samples of a draw; 0 uses the topic of the workspace")
	c.Flags().BoolVar(&f.leaves, "leaves", false,
		"include links to addresses that were never fetched")
	c.Flags().BoolVar(&f.ascii, "ascii", false, "draw the chart in ASCII")
	return jsonFlag(c)
}

// check completes the flags and reports misuse.
func (f *labFlags) check() (*lab.TargetRule, error) {
	if len(f.strategies) == 0 {
		f.strategies = []string{"bfs", "shark", "linear", "learned"}
	}
	if slices.Contains(f.strategies, "all") {
		f.strategies = linkorder.Names()
	}
	for i, name := range f.strategies {
		if name != lab.OracleName && !slices.Contains(linkorder.Names(), name) {
			return nil, fmt.Errorf("--strategies: %q is unknown; choose from: %s, %s", name,
				strings.Join(linkorder.Names(), ", "), lab.OracleName)
		}
		if slices.Contains(f.strategies[:i], name) {
			return nil, fmt.Errorf("--strategies: %s is named twice", name)
		}
	}
	switch {
	case f.draws < 1 || f.draws > lab.MostDraws:
		return nil, fmt.Errorf("--draws %d: choose 1 to %d", f.draws, lab.MostDraws)
	case f.samples < 0:
		return nil, fmt.Errorf("--samples %d: choose 0 or more", f.samples)
	case f.verdict != "" && f.verdict != lab.VerdictJudge && f.verdict != lab.VerdictTarget:
		return nil, fmt.Errorf("--verdict %q is unknown; choose judge or target", f.verdict)
	}
	rule, err := lab.ParseTargetRule(f.target)
	if err != nil {
		return nil, fmt.Errorf("--target: %w", err)
	}
	return rule, nil
}

func (f *labFlags) run(c *cobra.Command, e *crawl.Engine, rule *lab.TargetRule) error {
	ctx := c.Context()
	say := newProgress(c)
	defer say.end()
	if err := e.Words(ctx); err != nil {
		return err
	}
	replay, err := e.Lab.Replay(ctx,
		lab.ReplayOptions{Targets: rule, Verdict: f.verdict, Samples: f.samples, Leaves: f.leaves,
			Progress: func(done, total int) { say.now("reading pages again: %d of %d", done, total) }})
	if err != nil {
		return err
	}
	say.line("%d pages, %d targets within reach of the seeds", replay.Pages, replay.Targets)
	if replay.Unreached > 0 {
		say.line("%d more targets are left out: no stored link leads to them from the seeds", replay.Unreached)
	}
	if replay.Unknown > 0 {
		say.line("%d target addresses are no stored pages", replay.Unknown)
	}
	rows, err := lab.Compare(ctx,
		lab.Plan{Strategies: f.strategies, Draws: f.draws, Graph: replay.Graph, Make: e.Lab.Strategy,
			Report: func(p lab.Progress) { say.now("draw %d of %d: %s", p.Draw, p.Draws, p.Strategy) }})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return errors.New("stopped; nothing was printed")
		}
		return err
	}
	say.end()
	return f.print(c, rows)
}

func (f *labFlags) print(c *cobra.Command, rows []*lab.Summary) error {
	return printed(c, widget.Map(rows, (*lab.Summary).Row), nil, func(w io.Writer) {
		writeLab(w, rows)
		fmt.Fprint(w, "\n"+labChart(rows, f.ascii || !i18n.UTF8(os.Getenv)))
	})
}
