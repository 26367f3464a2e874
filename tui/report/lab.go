package report

import (
	"fmt"
	"io"

	"angler/crawl/lab"
)

// Lab writes the progress of the strategies, one a line.
func Lab(w io.Writer, rows []*lab.Summary) {
	t := Columns(w, 14)
	fmt.Fprintln(t,
		"position\tmin\tmax\tarea\tpages for 50 %\t90 %\t95 %\trecall at 10 %\t25 %\t50 %\tharvest at 10 %\t25 "+
			"%\t50 %\tfetches/s\tstrategy")
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
	t.Flush()
}
