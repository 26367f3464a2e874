package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/topic"
	"angler/tui/report"
)

func labelsNoun() *cobra.Command {
	return noun("labels", "Label pages, import labels, ask which page is worth one",
		labelListCommand(), labelSetCommand(), labelImportCommand(), labelQueueCommand(), judgeCommand())
}

func labelListCommand() *cobra.Command {
	var asCSV bool
	c := &cobra.Command{
		Use: "list DIR", Short: "List all labels, also in the form that import reads",
		Example: "  angler labels list DIR --csv > labels.csv",
		RunE: runs(new(engineFlags).readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			rows, err := e.Labels.LabelRows()
			if asCSV && err == nil {
				return topic.WriteLabelsCSV(c.OutOrStdout(), rows)
			}
			return listing[topic.LabelRow]{
				None:  "no labels yet; give one: angler labels set DIR URL=yes",
				Heads: "label\tby\tat\taddress",
				Left:  []int{0, 1, 2, 3},
				Cells: func(r *topic.LabelRow) string {
					return fmt.Sprintf("%s\t%s\t%s\t%s", r.Label, r.By, moment(r.At), r.URL)
				},
			}.print(c, rows, err)
		}),
	}
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV: url,label,by,at")
	return jsonFlag(c)
}

func labelSetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set DIR URL=LABEL…", Short: "Label stored pages: yes, no, unsure or none",
		Example: "  angler labels set DIR http://zbb.example.edu.cn/zbgg.htm=yes http://xw.example.edu.cn/=no",
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := decisions.ParseLabels(args[1:])
			if err != nil {
				return misuse(err)
			}
			return new(engineFlags).withWords(c, args[0], func(e *crawl.Engine) error {
				_, unknown, err := e.Labels.LabelURLs(rows, "labels given on the command line")
				if err != nil {
					return err
				}
				if len(unknown) > 0 {
					return fmt.Errorf("not a stored page: %s; crawl it first", strings.Join(unknown, " "))
				}
				return contradictions(c, e)
			})
		},
	}
}

func labelImportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "import DIR FILE", Short: "Take in labels from CSV or JSON lines",
		Long: "import reads labels as CSV (url,label,by,at) or JSON lines; - is standard input. A line that\n" +
			"cannot be read is reported and skipped.",
		Example: "  angler labels import DIR labels.csv",
		RunE: runs(new(engineFlags).withWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			if err := importLabels(c, e, args[1]); err != nil {
				return err
			}
			return contradictions(c, e)
		}),
	}
}

func labelQueueCommand() *cobra.Command {
	var most int
	c := &cobra.Command{
		Use: "queue DIR", Short: "List the pages whose labels would teach most",
		Example: "  angler labels queue DIR -n 20",
		RunE: func(c *cobra.Command, args []string) error {
			if most < 1 {
				return misusef("--top %d: give a number above 0", most)
			}
			return new(engineFlags).readingWords(c, args[0], func(e *crawl.Engine) error {
				if err := contradictions(c, e); err != nil {
					return err
				}
				rows, err := e.Labels.LabelQueue(c.Context(), most)
				for i := range rows {
					r := &rows[i]
					fmt.Fprintf(c.OutOrStdout(), "%.4f %-9s %s %s\n", r.Value, r.AskedAs(), r.URL, r.Title)
				}
				return err
			})
		},
	}
	c.Flags().IntVarP(&most, "top", "n", 10, "number of pages")
	return c
}

func judgeCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "judge DIR rule|learner",
		Short:   "Choose what decides: the threshold rule or the learner",
		Example: "  angler labels judge DIR learner",
		RunE: func(c *cobra.Command, args []string) error {
			if args[1] != "rule" && args[1] != "learner" {
				return misusef("judge %q is unknown; choose rule or learner", args[1])
			}
			return new(engineFlags).withWords(c, args[0],
				func(e *crawl.Engine) error { return e.Labels.SetJudge(args[1]) })
		},
	}
}

func importLabels(c *cobra.Command, e *crawl.Engine, path string) error {
	in, err := openList(path)
	if err != nil {
		return err
	}
	defer in.Close()
	n, problems, err := e.Labels.ImportLabels(in)
	for _, p := range problems {
		c.PrintErrln(p)
	}
	if err != nil {
		return err
	}
	c.PrintErrf("%d labels imported, %d lines skipped\n", n, len(problems))
	return nil
}

func evalCommand() *cobra.Command {
	var f engineFlags
	return jsonFlag(&cobra.Command{
		Use: "eval DIR", Short: "Measure every scheme on the labels",
		Example: "  angler topic eval DIR",
		RunE: runs(f.readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			rows, err := e.Labels.Evaluate()
			return printed(c, rows, err, func(w io.Writer) { writeEvaluations(w, rows) })
		}),
	})
}

func writeEvaluations(w io.Writer, rows []topic.Evaluation) {
	t := report.Columns(w, "\tθ\tP\tR\tF1\tAUC\tbest θ\tbest F1\tlabels", 0, 8)
	for _, r := range rows {
		name := r.Name
		if r.InUse {
			name += " *"
		}
		fmt.Fprintf(t, "%s\t%.3f\t%s\t%s\t%s\t%s\t%.3f\t%.2f\t%d yes %d no\n", name, r.Theta,
			measure(r.Precision), measure(r.Recall), measure(r.F1), measure(r.AUC), r.BestTheta, r.BestF1,
			r.Yes, r.No)
	}
	t.Flush()
	for _, r := range rows {
		if r.Rule != "" {
			fmt.Fprintf(w, "%s: θ %.3f %s\n", r.Name, r.Theta, r.Rule)
		}
	}
}

// contradictions reports equal pages that are labelled yes and no.
func contradictions(c *cobra.Command, e *crawl.Engine) error {
	groups, err := e.Labels.Contradictions()
	for _, rows := range groups {
		c.PrintErrln("labels contradict each other, since these addresses show the same page:")
		for _, r := range rows {
			c.PrintErrf("  %-3s %s\n", r.Label, r.URL)
		}
	}
	return err
}

// measure formats a figure with its bootstrap interval; – if it is undefined.
func measure(m *topic.Measure) string {
	if m == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f [%.2f %.2f]", m.Value, m.Low, m.High)
}
