package report

import (
	"fmt"
	"io"
	"time"

	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
)

// Unanswered draws the queries without results.
func Unanswered(w io.Writer, list []inbox.FailedQuery) {
	if len(list) == 0 {
		fmt.Fprintln(w, "no question has stayed without an answer")
		return
	}
	t := Columns(w, "question\tasked\tlast\tby\tanswers now", 0, 2, 3)
	for _, q := range list {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%d\n", htmldoc.CleanLine(q.Query, 60), q.Times,
			q.Last.Local().Format(time.DateOnly), htmldoc.CleanLine(q.By, 20), q.Now)
	}
	t.Flush()
}
