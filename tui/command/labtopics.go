package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/lab"
	"angler/tui/ui"
)

// readTopics reads the label files of --topics.
func (f *labFlags) readTopics(c *cobra.Command, open func(string) (io.ReadCloser, error)) ([]*lab.Topic, error) {
	var out []*lab.Topic
	for i, path := range f.topics {
		if strings.TrimSpace(path) == "" {
			return nil, misuse(errors.New("--topics: name label files, as in --topics a.csv,b.csv"))
		}
		in, err := open(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read the topic: %w", err)
		}
		t, problems, err := lab.ReadTopic(path, in)
		in.Close()
		for _, p := range problems {
			fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", path, p)
		}
		if err != nil {
			return nil, err
		}
		for _, other := range out[:i] {
			if other.Name == t.Name {
				return nil, misuse(fmt.Errorf("two topics are called %s; rename a file", t.Name))
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// compareTopics prints the drift over several topics (P4 5.2, figure 3).
func (f *labFlags) compareTopics(c *cobra.Command, e *crawl.Engine, topics []*lab.Topic) error {
	ctx := c.Context()
	say := newTeller(c.ErrOrStderr())
	defer say.end()
	if err := e.Words(ctx); err != nil {
		return err
	}
	results, err := e.Lab.Topics(ctx, lab.Topics{Topics: topics, Strategies: f.strategies, Draws: f.draws,
		Replay: lab.ReplayOptions{Verdict: f.verdict, Samples: f.samples, Leaves: f.leaves,
			Progress: func(done, total int) { say.now("reading pages again: %d of %d", done, total) }},
		Report: func(topic string, p lab.Progress) {
			say.now("%s, draw %d of %d: %s", topic, p.Draw, p.Draws, p.Strategy)
		}})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return errors.New("stopped; nothing was printed")
		}
		return err
	}
	say.end()
	for _, r := range results {
		say.line("%s: %d pages, %d of the topic within reach of the seeds, %d unreached, %d not stored", r.Topic, r.Replay.Pages, r.Replay.Targets, r.Replay.Unreached, r.Replay.Unknown)
	}
	if f.json {
		var out []lab.TopicRow
		for _, r := range results {
			out = append(out, r.TopicRows()...)
		}
		return jsonLines(c.OutOrStdout(), out)
	}
	if err := topicTable(c.OutOrStdout(), results); err != nil {
		return err
	}
	_, err = io.WriteString(c.OutOrStdout(), "\n"+topicBars(results, f.ascii || !utf8Terminal(os.Getenv)))
	return err
}

// topicTable shows the topic drift rate of every strategy, a line for each topic and share of
// the pages.
func topicTable(w io.Writer, results []*lab.TopicResult) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
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

// topicBars draws P4's figure 3: a bar for each topic and strategy, as long as the drift rate.
func topicBars(results []*lab.TopicResult, ascii bool) string {
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
