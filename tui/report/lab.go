package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"angler/crawl/lab"
	"angler/tui/ui"
)

// Lab writes how far the strategies come, a line each.
func Lab(w io.Writer, rows []*lab.Summary) error {
	t := Columns(w, 14)
	fmt.Fprintln(t, "position\tmin\tmax\tarea\tpages for 50 %\t90 %\t95 %\trecall at 10 %\t25 %\t50 %\tharvest at 10 %\t25 %\t50 %\tfetches/s\tstrategy")
	for _, s := range rows {
		r := s.Row()
		fmt.Fprintf(t, "%.3f\t%.3f\t%.3f\t%.3f\t", r.Position.Mean, r.Position.Min, r.Position.Max, r.Area.Mean)
		for _, m := range []string{"0.5", "0.9", "0.95"} {
			fmt.Fprintf(t, "%.0f (%.0f %%)\t", r.PagesFor[m], 100*r.FractionFor[m])
		}
		for _, at := range []map[string]float64{r.RecallAt, r.HarvestAt} {
			for _, m := range []string{"0.1", "0.25", "0.5"} {
				fmt.Fprintf(t, "%.2f\t", at[m])
			}
		}
		fmt.Fprintf(t, "%.0f\t%s\n", r.Rate, r.Strategy)
	}
	return t.Flush()
}

// P4 shows harvest rate and topic drift rate side by side, a line a step.
func P4(w io.Writer, rows []*lab.Summary) error {
	t := Columns(w)
	fmt.Fprint(t, "\t")
	for _, what := range []string{"harvest", "drift"} {
		for _, s := range rows {
			fmt.Fprintf(t, "%s %s\t", what, s.Strategy)
		}
	}
	fmt.Fprintln(t)
	steps := make([][]lab.Step, len(rows))
	for i, s := range rows {
		steps[i] = s.Steps()
	}
	for k := range steps[0] {
		fmt.Fprintf(t, "%d pages\t", steps[0][k].Fetched)
		for i := range rows {
			fmt.Fprintf(t, "%.3f\t", steps[i][k].Harvest)
		}
		for i := range rows {
			fmt.Fprintf(t, "%.3f\t", steps[i][k].Drift)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// Topics shows the topic drift rate of every strategy, a line for each topic and share of
// the pages.
func Topics(w io.Writer, results []*lab.TopicResult) error {
	t := Columns(w, 0)
	fmt.Fprint(t, "drift rate\tafter pages\t")
	for _, s := range results[0].Rows {
		fmt.Fprintf(t, "%s\t", s.Strategy)
	}
	fmt.Fprintln(t)
	for _, r := range results {
		for i, m := range lab.RecallMarks {
			name := ""
			if i == 0 {
				name = r.Topic
			}
			fmt.Fprintf(t, "%s\t%d (%.0f %%)\t", name, int(m*float64(r.Replay.Pages)), 100*m)
			for _, s := range r.Rows {
				fmt.Fprintf(t, "%.3f\t", s.DriftAt(m).Mean)
			}
			fmt.Fprintln(t)
		}
	}
	return t.Flush()
}

// barMark is the share of the pages after which the bars show the drift.
const barMark = .25

// TopicBars draws P4's figure 3: a bar for each topic and strategy, as long as the drift rate.
func TopicBars(results []*lab.TopicResult, ascii bool) string {
	full, wide := "█", 0
	if ascii {
		full = "#"
	}
	for _, s := range results[0].Rows {
		wide = max(wide, ui.Width(s.Strategy))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "topic drift rate after %.0f %% of the pages, lowest and highest draw\n", 100*barMark)
	for _, r := range results {
		fmt.Fprintf(&b, "%s\n", ui.Clean(r.Topic))
		for _, s := range r.Rows {
			d := s.DriftAt(barMark)
			n := int(math.Round(d.Mean * chartWidth / 2))
			fmt.Fprintf(&b, "  %-*s %s %.3f (%.3f, %.3f)\n", wide, s.Strategy, strings.Repeat(full, n)+strings.Repeat(" ", chartWidth/2-n), d.Mean, d.Min, d.Max)
		}
	}
	return b.String()
}
