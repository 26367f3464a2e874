package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/decisions"
	"angler/message"
	"angler/store"
	"angler/store/records"
	"angler/tui/report"
	"angler/tui/widget"
)

// logFlags filter the actions of the log.
type logFlags struct {
	by, grep     string
	since, until string
	last         int
}

func (f *logFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.by, "by", "", "only decisions of this person")
	c.Flags().StringVar(&f.grep, "grep", "", "only decisions whose line contains this text")
	c.Flags().StringVar(&f.since, "since", "",
		"only since this time: 2026-11-20, 2026-11-20T14:00, or 36h ago as 36h")
	c.Flags().StringVar(&f.until, "until", "", "only before this time")
	c.Flags().IntVarP(&f.last, "last", "n", 0, "number of the newest ones; 0 means all")
}

// of returns all events of a workspace, oldest first, and the indexes of the selected ones.
func (f *logFlags) of(ws *store.Workspace, now time.Time) (all []store.Event, chosen []int, err error) {
	since, err := parseMoment(f.since, time.Time{}, now)
	if err != nil {
		return nil, nil, misusef("--since: %w", err)
	}
	until, err := parseMoment(f.until, now.AddDate(1000, 0, 0), now)
	if err != nil {
		return nil, nil, misusef("--until: %w", err)
	}
	if all, err = ws.Decisions.Events(math.MaxInt); err != nil {
		return nil, nil, err
	}
	for i, e := range all {
		if (f.by == "" || e.By == f.by) && strings.Contains(e.What.String(), f.grep) && !e.At.Before(since) &&
			e.At.Before(until) {
			chosen = append(chosen, i)
		}
	}
	if f.last > 0 && len(chosen) > f.last {
		chosen = chosen[len(chosen)-f.last:]
	}
	return all, chosen, nil
}

// parseMoment parses a time of day or a time ago; "" means other.
func parseMoment(s string, other, now time.Time) (time.Time, error) {
	if s == "" {
		return other, nil
	}
	return api.ParseTime(s, now)
}

// decisionsCommand lists the decisions of analysts.
func decisionsCommand() *cobra.Command {
	var f logFlags
	c := &cobra.Command{
		Use: "decisions DIR", Short: "List who decided what and when",
		Example: "  angler history decisions DIR --since 36h --by wang",
		Long: "decisions lists every decision about the topic, oldest first; what was taken back later is\n" +
			"marked. --json prints the values before and after each as well.",
		RunE: runs(new(engineFlags).reading, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			all, chosen, err := f.of(e.Workspace(), time.Now())
			if err != nil {
				return err
			}
			if wantsJSON(c) {
				rows := make([]store.Event, len(chosen))
				for i, k := range chosen {
					rows[i] = all[k]
					rows[i].What = message.Plain(rows[i].What.String())
				}
				return report.JSON(c.OutOrStdout(), rows...)
			}
			if len(chosen) == 0 {
				fmt.Fprintln(c.OutOrStdout(), "no such decision")
			} else {
				writeLog(c.OutOrStdout(), all, chosen)
			}
			return nil
		}),
	}
	f.flags(c)
	return jsonFlag(c)
}

func writeLog(w io.Writer, all []store.Event, chosen []int) {
	undone := map[uint64]bool{} // by number of the action
	for _, e := range all {
		switch {
		case e.Undoes != 0:
			undone[e.Undoes] = true
		case e.Redoes != 0:
			delete(undone, e.Redoes)
		}
	}
	t := report.Lines(w, 1, 2, 3)
	for _, k := range chosen {
		e, mark := all[k], ""
		if undone[e.Seq] {
			mark = "  (taken back)"
		}
		what := e.What.String()
		for _, x := range e.Changes { // a title alone does not identify the page
			if strings.HasPrefix(x.Key, "http") && !strings.Contains(what, x.Key) {
				what += "  " + x.Key
				break
			}
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s%s\n", e.Seq, e.At.Local().Format(time.DateTime), e.By, what, mark)
	}
	t.Flush()
}

func undoCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "undo DIR", Short: "Take back the last decision, of whatever kind",
		Long: "undo takes back the last decision on the workspace: samples, labels, words, thresholds,\n" +
			"accepted seeds, recipes, muted lists. Then it shows the topic. A second undo takes back the\n" +
			"decision before.",
		Example: "  angler history undo DIR",
		RunE: runs(new(engineFlags).withWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			did, err := e.Topic.UndoLate(yes)
			if q, asks := errors.AsType[*decisions.UndoQuestion](err); asks {
				return fmt.Errorf("%w; --yes takes it back", q)
			}
			if err != nil {
				return err
			}
			return printTopic(c, e, did.String())
		}),
	}
	c.Flags().BoolVar(&yes, "yes", false, "also undo another person's action, or one over an hour old")
	return jsonFlag(c)
}

func historyNoun() *cobra.Command {
	return noun("history", "List runs and decisions, take back the last decision", runsCommand(), decisionsCommand(),
		undoCommand())
}

// runsCommand lists the runs and their results.
func runsCommand() *cobra.Command {
	var most int
	c := &cobra.Command{
		Use: "runs DIR", Short: "List runs: who, when, what they found, how they ended",
		Example: "  angler history runs DIR -n 5",
		Long: "runs lists discoveries and harvests, the newest first: when and by whom they were started,\n" +
			"how they ended (finished, stopped, killed, outage, failed), what they fetched and found,\n" +
			"and what they cost. The newest " + fmt.Sprint(records.MaxRuns) +
			" are kept. --json prints the curve and the events of\n" +
			"each as well.",
		RunE: func(c *cobra.Command, args []string) error {
			if most < 1 {
				return misusef("--last %d: give a number above 0", most)
			}
			return readBeside(c.Context(), args[0], func(ws *store.Workspace) error {
				rows, err := records.Runs(ws, 0, most)
				for _, r := range rows {
					for i, ev := range r.Events { // for programs, which have no catalogue of messages
						r.Events[i].Text = message.Text(ev.Text.String())
					}
				}
				return printed(c, rows, err, func(w io.Writer) { writeRuns(w, rows) })
			})
		},
	}
	c.Flags().IntVarP(&most, "last", "n", 20, "number of the newest ones")
	return jsonFlag(c)
}

// writeRuns prints runs in the given order, one a line.
func writeRuns(w io.Writer, rows []records.Run) {
	if len(rows) == 0 {
		fmt.Fprintln(w, "no run yet; start one: angler crawl DIR")
		return
	}
	t := report.Columns(w,
		"run\tbegan\tby\ttask\tended\ttook\tfetched\tunchanged\tfailed\tnew pages\tnew lists\tnew "+
			"notices\tMB\tmemory\tCPU\tfailed by kind", 1, 2, 3, 4, 15)
	for i := range rows {
		r := &rows[i]
		task := r.Task
		if r.Under != "" {
			task += " of " + r.Under
		}
		memory := widget.Either(r.Memory > 0, widget.Bytes(r.Memory), "–")
		cpu := widget.Either(r.CPU > 0, widget.Span(time.Duration(r.CPU*float64(time.Second))), "–")
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%s\t%s\t%s\n", r.ID,
			moment(r.Start), ansi.Strip(r.By), ansi.Strip(task), r.End,
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
