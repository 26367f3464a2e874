package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/topic"
	"angler/topic/labelfile"
	"angler/tui/report"
)

func labelCommand(open opener) *cobra.Command {
	var f engineFlags
	var importFile, export, judge string
	var queue int
	c := &cobra.Command{
		Use:   "label DIR [URL=yes|no|unsure|none…] [--import FILE] [--export csv|jsonl] [--queue N] [--judge rule|learner]",
		Short: "Label pages, import and export labels, ask which page is worth one", Args: arguments(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := decisions.ParseLabels(args[1:])
			if err != nil {
				return misuse(err)
			}
			opened := f.Reading
			if len(rows) > 0 || importFile != "" || judge != "" {
				opened = f.With
			}
			return opened(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				if len(rows) > 0 {
					_, unknown, err := e.Labels.LabelURLs(rows, "labels given on the command line")
					if err != nil {
						return err
					}
					if len(unknown) > 0 {
						return fmt.Errorf("not a stored page: %s; crawl it first", strings.Join(unknown, " "))
					}
				}
				if importFile != "" {
					if err := importLabels(open, c, e, importFile); err != nil {
						return err
					}
				}
				if judge != "" {
					if err := e.Labels.SetJudge(judge); err != nil {
						return err
					}
				}
				if err := contradictions(c, e); err != nil {
					return err
				}
				if queue > 0 {
					rows, err := e.Labels.LabelQueue(c.Context(), queue)
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
				out, err := e.Labels.LabelRows()
				if err != nil {
					return err
				}
				if export == "csv" {
					return labelfile.WriteCSV(c.OutOrStdout(), out)
				}
				return labelfile.WriteJSONL(c.OutOrStdout(), out)
			})
		},
	}
	c.Flags().StringVar(&importFile, "import", "", "labels as CSV (url,label,by,at) or JSON lines; - for standard input")
	c.Flags().StringVar(&export, "export", "", "write all labels: csv or jsonl")
	c.Flags().IntVar(&queue, "queue", 0, "list the next N pages worth a label")
	c.Flags().StringVar(&judge, "judge", "", "who decides what an aggregation page is: rule or learner")
	return c
}

func importLabels(open opener, c *cobra.Command, e *crawl.Engine, path string) error {
	in, err := open.list(path)
	if err != nil {
		return err
	}
	defer in.Close()
	n, problems, err := e.Labels.ImportLabels(in)
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
	var f engineFlags
	c := &cobra.Command{
		Use: "eval DIR", Short: "Measure every scheme on the labels", Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.Reading(c.Context(), args[0], func(e *crawl.Engine) error {
				if err := e.Words(c.Context()); err != nil {
					return err
				}
				rows, err := e.Labels.Evaluate()
				if err != nil {
					return err
				}
				if f.JSON {
					return jsonLines(c.OutOrStdout(), rows)
				}
				t := report.Columns(c.OutOrStdout(), 0, 8)
				fmt.Fprintln(t, "\tθ\tP\tR\tF1\tAUC\tbest θ\tbest F1\tlabels")
				for _, r := range rows {
					name := r.Name
					if r.InUse {
						name += " *"
					}
					fmt.Fprintf(t, "%s\t%.3f\t%s\t%s\t%s\t%s\t%.3f\t%.2f\t%d yes %d no\n", name, r.Theta, measure(r.Precision), measure(r.Recall), measure(r.F1), measure(r.AUC), r.BestTheta, r.BestF1, r.Yes, r.No)
				}
				if err := t.Flush(); err != nil {
					return err
				}
				for _, r := range rows {
					if r.Rule != "" {
						fmt.Fprintf(c.OutOrStdout(), "%s: θ %.3f %s\n", r.Name, r.Theta, r.Rule)
					}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&f.JSON, "json", false, "print JSON lines")
	return c
}

// contradictions tells of pages that show the same and are labelled yes and no.
func contradictions(c *cobra.Command, e *crawl.Engine) error {
	groups, err := e.Labels.Contradictions()
	for _, rows := range groups {
		fmt.Fprintln(c.ErrOrStderr(), "labels contradict each other, since these addresses show the same page:")
		for _, r := range rows {
			fmt.Fprintf(c.ErrOrStderr(), "  %-3s %s\n", r.Label, r.URL)
		}
	}
	return err
}

// measure prints a figure with its bootstrap interval; – where it has no meaning.
func measure(m *topic.Measure) string {
	if m == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f [%.2f %.2f]", m.Value, m.Low, m.High)
}
