package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"angler/crawl/htmldoc"
	"angler/crawl/search"
	"angler/crawl/view"
)

// Searches draws P2's comparison of searches without and with domain terms (figures 6 and
// 7): two lines a query.
func Searches(w io.Writer, r *search.Comparison) error {
	fmt.Fprintf(w, "%d notices; right is what holds the query as it stands. Without: any word of the base dictionary's cut.\nWith: the workspace's dictionary, which knows domain terms as one word.\n\n", r.Notices)
	t := Columns(w, 0, 1, 2)
	fmt.Fprintln(t, "query\tdictionary\tcut\tright\tfound\tP\tR\tP@10\tAP\tfirst")
	ways := [2]string{"without", "with"}
	line := func(query, way, cut, right string, f *search.Figures) {
		first := "–"
		if f.First > 0 {
			first = fmt.Sprint(f.First)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%s\n", query, way, cut, right, f.Found, f.Precision, f.Recall, f.Top, f.Average, first)
	}
	for i := range r.Rows {
		q := &r.Rows[i]
		name := q.Query
		if !q.Term {
			name += " (no term)"
		}
		for k := range ways {
			line(name, ways[k], strings.Join(q.Cut[k], "·"), fmt.Sprint(q.Right), &q.Figures[k])
			name = ""
		}
	}
	if len(r.Rows) > 1 {
		for k := range ways {
			line([2]string{"mean", ""}[k], ways[k], "", "", &r.Means[k])
		}
	}
	return t.Flush()
}

// Unanswered draws the questions that no notice has answered.
func Unanswered(w io.Writer, list []view.Unanswered) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no question has stayed without an answer")
		return err
	}
	t := Columns(w, 0, 2, 3)
	fmt.Fprintln(t, "question\tasked\tlast\tby\tanswers now")
	for _, q := range list {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%d\n", htmldoc.CleanLine(q.Query, 60), q.Times, q.Last.Local().Format(time.DateOnly), htmldoc.CleanLine(q.By, 20), q.Now)
	}
	return t.Flush()
}
