package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/lab"
	"angler/tui/command/cli"
	"angler/tui/lang"
	"angler/tui/report"
)

// readTopics reads the label files of --topics.
func (f *labFlags) readTopics(c *cobra.Command, open func(string) (io.ReadCloser, error)) ([]*lab.Topic, error) {
	var out []*lab.Topic
	for i, path := range f.topics {
		if strings.TrimSpace(path) == "" {
			return nil, cli.Misuse(errors.New("--topics: name label files, as in --topics a.csv,b.csv"))
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
				return nil, cli.Misuse(fmt.Errorf("two topics are called %s; rename a file", t.Name))
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// compareTopics prints the drift over several topics (P4 5.2, figure 3).
func (f *labFlags) compareTopics(c *cobra.Command, e *crawl.Engine, topics []*lab.Topic) error {
	ctx := c.Context()
	say := cli.NewTeller(c.ErrOrStderr())
	defer say.End()
	if err := e.Words(ctx); err != nil {
		return err
	}
	results, err := e.Lab.Topics(ctx, lab.Topics{Topics: topics, Strategies: f.strategies, Draws: f.draws,
		Replay: lab.ReplayOptions{Verdict: f.verdict, Samples: f.samples, Leaves: f.leaves,
			Progress: func(done, total int) { say.Now("reading pages again: %d of %d", done, total) }},
		Report: func(topic string, p lab.Progress) {
			say.Now("%s, draw %d of %d: %s", topic, p.Draw, p.Draws, p.Strategy)
		}})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return errors.New("stopped; nothing was printed")
		}
		return err
	}
	say.End()
	for _, r := range results {
		say.Line("%s: %d pages, %d of the topic within reach of the seeds, %d unreached, %d not stored", r.Topic, r.Replay.Pages, r.Replay.Targets, r.Replay.Unreached, r.Replay.Unknown)
	}
	if f.json {
		var out []lab.TopicRow
		for _, r := range results {
			out = append(out, r.TopicRows()...)
		}
		return cli.JSONLines(c.OutOrStdout(), out)
	}
	if err := report.Topics(c.OutOrStdout(), results); err != nil {
		return err
	}
	_, err = io.WriteString(c.OutOrStdout(), "\n"+report.TopicBars(results, f.ascii || !lang.UTF8(os.Getenv)))
	return err
}
