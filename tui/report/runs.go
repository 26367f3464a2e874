package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"angler/store/records"
	"angler/tui/widget"
)

// Runs writes the history of runs as a table: one run a line, in the given order, with its start in
// a zone.
func Runs(w io.Writer, rows []records.Run, zone *time.Location) {
	t := Columns(w, 1, 2, 3, 4, 15)
	fmt.Fprintln(t,
		"run\tbegan\tby\ttask\tended\ttook\tfetched\tunchanged\tfailed\tnew pages\tnew lists\tnew "+
			"notices\tMB\tmemory\tCPU\tfailed by kind")
	for i := range rows {
		r := &rows[i]
		task := r.Task
		if r.Under != "" {
			task += " of " + r.Under
		}
		memory := widget.Either(r.Memory > 0, widget.Bytes(r.Memory), "–")
		cpu := widget.Either(r.CPU > 0, widget.Span(time.Duration(r.CPU*float64(time.Second))), "–")
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%s\t%s\t%s\n", r.ID,
			r.Start.In(zone).Format("2006-01-02 15:04"), ansi.Strip(r.By), ansi.Strip(task), r.End,
			widget.Span(time.Duration(r.Took*float64(time.Second))), r.Fetched, r.Unchanged, r.Failures, r.Pages,
			r.Lists, r.Notices, float64(r.Bytes)/1e6, memory, cpu, ansi.Strip(failures(r.Kinds, 3)))
	}
	t.Flush()
}

// failures lists the most frequent kinds of failures: "http 404 ×12, dns ×3".
func failures(kinds map[string]int, most int) string {
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), strings.Compare(a, b))
	})
	var out []string
	for i, name := range names {
		if i == most {
			out = append(out, "…")
			break
		}
		out = append(out, name+" ×"+strconv.Itoa(kinds[name]))
	}
	return strings.Join(out, ", ")
}
