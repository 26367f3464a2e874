package cli

import (
	"fmt"
	"io"
	"strings"

	"angler/crawl/extract"
	"angler/crawl/fields"
	"angler/tui/report"
	"angler/tui/widget"
)

// writeFieldList draws the fields of a set, without the label patterns of preset fields.
func writeFieldList(w io.Writer, set *fields.Set) {
	t := report.Columns(w, "name\ttitle\ttype\tlabels of your own", 0, 1, 2, 3)
	for _, f := range set.Fields() {
		labels := f.Labels
		if len(labels) > 4 {
			labels = append(labels[:4:4], "…")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.Name, f.Title, f.Type, strings.Join(append(labels, f.Choices...), ", "))
	}
	t.Flush()
}

// writeFieldScores draws how well fields were read on notices with known values.
func writeFieldScores(w io.Writer, r *extract.FieldReport, misses bool) {
	fmt.Fprintf(w, "fields of %d notices; precision of the answers, recall of what the notices state\n", r.Notices)
	if r.Stored > 0 || r.Absent > 0 {
		fmt.Fprintf(w, "%d as the workspace has read them; %d lines name no notice of it\n", r.Stored, r.Absent)
	}
	fmt.Fprintln(w)
	t := report.Columns(w, "field\tP\tR\tF1\tstated\tright\twrong\tmissed", 0)
	for _, s := range r.Scores {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%d\t%d\t%d\t%d\n", s.Field, s.P, s.R, s.F1, s.Stated, s.Right, s.Wrong,
			s.Missed)
	}
	t.Flush()
	if !misses || len(r.Misses) == 0 {
		return
	}
	fmt.Fprintln(w)
	t = report.Columns(w, "notice\tfield\tright\tanswer", 0, 1, 2, 3)
	for _, m := range r.Misses {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", widget.Clean(m.ID), m.Field, widget.Clean(m.Want), widget.Clean(m.Got))
	}
	t.Flush()
}

// writeFieldValues draws the values of a notice for people.
func writeFieldValues(w io.Writer, set *fields.Set, row *extract.Extracted, spans bool) {
	fmt.Fprintln(w, widget.Clean(row.Title))
	if row.Fields == nil {
		fmt.Fprintf(w, "a page of the type %s: no notice, nothing is read\n", row.Type)
		return
	}
	writeValues(w, set, row.Fields.Result(), spans)
}

// writeValues draws the values of one notice.
func writeValues(w io.Writer, set *fields.Set, r *fields.Result, spans bool) {
	t := report.Columns(w, "field\tlot\tvalue\tsure\tfrom\tas printed\tnote", 0, 1, 2, 4, 5, 6)
	for _, f := range set.Fields() {
		for _, v := range r.Of(f.Name) {
			writeValue(t, &f, &v)
		}
	}
	if spans {
		for _, v := range r.Doubtful {
			writeValue(t, &fields.Field{Name: v.Field}, &v)
		}
	}
	t.Flush()
}

func writeValue(w io.Writer, f *fields.Field, v *fields.Value) {
	cell := func(s string) string {
		return widget.Fit(widget.Clean(strings.ReplaceAll(s, "\t", " ")), 40)
	}
	from := string(v.Source)
	if v.Label != "" {
		from += " " + strings.TrimSpace(v.Label)
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%s\t%s\t%s\n", cell(f.Name), cell(v.Lot), cell(v.Norm), v.Sure, cell(from),
		cell(v.Text), v.Doubt)
}
