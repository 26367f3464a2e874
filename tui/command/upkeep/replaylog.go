package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/store"
	"angler/store/backup"
	"angler/tui/command/cli"
)

// Replayed is one action that was repeated, and what the topic is after it.
type Replayed struct {
	At           time.Time `json:"at"`
	By           string    `json:"by"`
	What         string    `json:"what"`
	Theta        float64   `json:"threshold"`
	Aggregations int       `json:"aggregation_pages"`
	Gained       int       `json:"gained"` // aggregation pages that were none before
	Lost         int       `json:"lost"`
}

// replayLogCommand repeats a stretch of the log on a copy of the workspace.
func replayLogCommand() *cobra.Command {
	var f logFlags
	var asJSON bool
	c := &cobra.Command{
		Use: "replay-log DIR COPY", Short: "Tell how a topic was made: repeat its decisions on a copy, one by one",
		Long: "replay-log copies the workspace DIR to the new folder COPY, takes back there what was decided\n" +
			"since the first action meant, and then repeats the actions meant, one by one. After each it\n" +
			"prints the threshold, the number of aggregation pages, and how many came and went. DIR stays as it is.",
		Args: cli.Args(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := os.Lstat(args[1]); err == nil {
				return fmt.Errorf("%s is there already; name a new folder for the copy", args[1])
			}
			var all []store.Event
			var chosen []int
			err := new(cli.Flags).Reading(c.Context(), args[0], func(e *crawl.Engine) (err error) {
				all, chosen, err = f.of(e.Workspace(), time.Now())
				return err
			})
			if err != nil {
				return err
			}
			if len(chosen) == 0 {
				return errors.New("no action in the log is meant; list them with: angler log " + args[0])
			}
			if err := copyWorkspace(c.Context(), args[0], args[1]); err != nil {
				return err
			}
			return new(cli.Flags).With(c.Context(), args[1], func(e *crawl.Engine) error {
				if err := e.Topic.Rewind(all[chosen[0]:], "back to before: "+all[chosen[0]].What); err != nil {
					return err
				}
				for _, k := range chosen {
					row, err := replayOne(c.Context(), e, &all[k])
					if err != nil {
						return err
					}
					if asJSON {
						err = json.NewEncoder(c.OutOrStdout()).Encode(row)
					} else {
						_, err = fmt.Fprintf(c.OutOrStdout(), "%s  θ %.3f  %4d aggregation pages %+5d %+5d  %s: %s\n",
							row.At.Local().Format(time.DateTime), row.Theta, row.Aggregations, row.Gained, -row.Lost, row.By, row.What)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	f.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON lines")
	return c
}

// replayOne repeats one action and waits until every page is judged after it.
func replayOne(ctx context.Context, e *crawl.Engine, ev *store.Event) (*Replayed, error) {
	before := map[uint64]bool{}
	for _, id := range e.Topic.Aggregations() {
		before[id] = true
	}
	if err := e.Topic.Repeat(ev); err != nil {
		return nil, fmt.Errorf("%s: %w", ev.What, err)
	}
	if err := e.Words(ctx); err != nil {
		return nil, err
	}
	row := &Replayed{At: ev.At, By: ev.By, What: ev.What, Theta: e.Topic.Scores().Theta}
	for _, id := range e.Topic.Aggregations() {
		row.Aggregations++
		if before[id] {
			delete(before, id)
		} else {
			row.Gained++
		}
	}
	row.Lost = len(before)
	return row, nil
}

// copyWorkspace makes a workspace that is like another, by way of a backup beside it.
func copyWorkspace(ctx context.Context, dir, to string) error {
	src, err := store.OpenSource(dir)
	if err != nil {
		return err
	}
	defer src.Close()
	temp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(to)), ".angler-copy-*")
	if err != nil {
		return fmt.Errorf("cannot write beside %s: %w", to, err)
	}
	defer os.RemoveAll(temp)
	archive := filepath.Join(temp, "copy.tar")
	if _, err := backup.WriteFile(ctx, src, archive, false, backup.Plan{Now: time.Now(), NoAttachments: true}); err != nil {
		return err
	}
	_, err = backup.Restore(ctx, archive, to, false, time.Now())
	return err
}
