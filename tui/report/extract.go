package report

import (
	"fmt"
	"io"

	"angler/crawl/article"
	"angler/crawl/extract"
)

// MainTexts draws P2's table 2.
func MainTexts(w io.Writer, r *extract.Comparison, s article.SecondPass) {
	fmt.Fprintf(w, "main text of %d pages, means over them of precision, recall and F1 of %s\n", r.WithText, r.Unit)
	fmt.Fprintf(w,
		"second pass where a result has at most α = %d punctuation marks or at least β = %d link characters\n\n",
		s.Marks, s.LinkChars)
	t := Columns(w, 0)
	fmt.Fprintln(t, "method\tP\tR\tF1\tsecond pass: P\tR\tF1\tchanged")
	for _, m := range r.Methods {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%d\n", m.Method, m.First.P, m.First.R, m.First.F1,
			m.Second.P, m.Second.R, m.Second.F1, m.Changed)
	}
	t.Flush()
	if r.LeftOut > 0 {
		fmt.Fprintf(w, "\n%d lines without a text are left out.\n", r.LeftOut)
	}
	for i, f := range r.Failed {
		if i == 0 {
			fmt.Fprintf(w, "\n%d documents could not be read and count 0:\n", len(r.Failed))
		}
		fmt.Fprintln(w, " ", f)
	}
}
