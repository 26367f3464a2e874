package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl/frontier"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/config"
	"angler/tui/command/cli"
	"angler/tui/lang"
	"angler/tui/report"
)

// simulateFlags are what frontier --balance --simulate was asked for (P2 3.1).
type simulateFlags struct {
	length, latency, delay time.Duration
	workers                int
	delayGiven             bool
}

func (f *simulateFlags) add(c *cobra.Command) {
	c.Flags().DurationVar(&f.length, "simulate", 0, "with --balance: play so much time, as 60m, in which the known URLs come into their queues and are fetched")
	c.Flags().DurationVar(&f.latency, "latency", 200*time.Millisecond, "with --simulate: of every fetch")
	c.Flags().DurationVar(&f.delay, "delay", 0, "with --simulate: between two fetches; that of the settings unless given")
	c.Flags().IntVar(&f.workers, "workers", 0, "with --simulate: fetches at once; those of the settings unless given")
}

func (f *simulateFlags) asked() bool { return f.length != 0 }

// check reports what was called wrongly.
func (f *simulateFlags) check(c *cobra.Command, balance bool) error {
	if !c.Flags().Changed("simulate") {
		for _, name := range []string{"latency", "delay", "workers"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s goes with --simulate", name)
			}
		}
		return nil
	}
	if !balance {
		return errors.New("--simulate goes with --balance")
	}
	f.delayGiven = c.Flags().Changed("delay")
	return f.plan(&config.Settings{Crawl: config.Crawl{Workers: max(1, f.workers)}}).Check()
}

// plan is what is played in a workspace.
func (f *simulateFlags) plan(set *config.Settings) frontier.Simulation {
	o := frontier.Simulation{For: f.length, Latency: f.latency, Delay: f.delay, Workers: f.workers}
	if !f.delayGiven {
		o.Delay = time.Duration(set.Crawl.Delay)
	}
	if o.Workers == 0 {
		o.Workers = set.Crawl.Workers
	}
	return o
}

func (f *simulateFlags) run(ctx context.Context, w io.Writer, dir string, queues int, asJSON bool) error {
	ws, err := store.OpenToRead(dir)
	if err != nil {
		return err
	}
	set := ws.Settings()
	if queues == 0 {
		queues = set.Crawl.QueueCount
	}
	o := f.plan(&set)
	rows, n, err := simulate(ctx, ws, queues, o)
	if err := errors.Join(err, ws.Close()); err != nil {
		return err
	}
	if asJSON {
		return errors.Join(cli.JSONLines(w, rows), cli.LeftOut(ws))
	}
	fmt.Fprintf(w, "%d URLs, %v simulated: latency %v, delay %v, %d workers, %d queues a host\n", n, o.For, o.Latency, o.Delay, o.Workers, queues)
	fmt.Fprintf(w, "delay of a host: between two starts on it, as crawl.per_host = %d keeps it; of a queue: each waits for itself, as in P2\n\n", queues)
	if err := report.Simulation(w, rows); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n"+report.SimulationChart(rows, o.For, !lang.UTF8(os.Getenv)))
	return errors.Join(err, cli.LeftOut(ws))
}

// simulate plays the URLs that a workspace knows; n is their number.
func simulate(ctx context.Context, ws *store.Workspace, queues int, o frontier.Simulation) (rows []frontier.Simulated, n int, err error) {
	s, err := frontier.NewSimulator(queues)
	if err != nil {
		return nil, 0, err
	}
	for u, err := range ws.URLs() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, 0, err
		}
		s.Add(u.ID, u.Source, urls.HostOf(u.URL), u.URL)
		n++
	}
	if n == 0 {
		return nil, 0, errors.New("no URL is known yet; crawl first: angler crawl DIR")
	}
	rows, err = s.Run(ctx, o)
	return rows, n, err
}
