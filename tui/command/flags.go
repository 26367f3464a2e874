package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"angler/crawl"
	"angler/crawl/query"
	"angler/store"
	"angler/store/config"
)

// engineFlags are the settings that many commands share.
type engineFlags struct {
	proxy    string
	JSON     bool
	strategy string
	Delay    time.Duration
	Workers  int
	depth    int
	MaxPages int
	For      time.Duration
	private  bool
	Tell     bool                   // people are told of what comes home, see crawl.Options
	set      func(name string) bool // whether a flag was given
}

// Fetching adds the flags of every command that fetches.
func (f *engineFlags) Fetching(c *cobra.Command) {
	c.Flags().StringVar(&f.proxy, "proxy", "", "fetch through this proxy (http:// or socks5://)")
	c.Flags().BoolVar(&f.private, "allow-private", false, "allow private and loopback addresses")
	f.set = func(name string) bool { fl := c.Flags().Lookup(name); return fl != nil && fl.Changed }
}

// Running adds the flags of commands that start a run.
func (f *engineFlags) Running(c *cobra.Command) {
	f.Fetching(c)
	c.Flags().BoolVar(&f.JSON, "json", false, "print JSON lines on standard output")
	c.Flags().StringVar(&f.strategy, "strategy", "", "link order")
	c.Flags().DurationVar(&f.Delay, "delay", 0, "pause between two fetches of one host")
	c.Flags().IntVar(&f.Workers, "workers", 0, "fetches at once")
	c.Flags().IntVar(&f.depth, "depth", 0, "links from a seed")
	c.Flags().IntVar(&f.MaxPages, "max-pages", 0, "stop after so many fetches")
	c.Flags().DurationVar(&f.For, "for", 0, "stop after so long")
}

// Override puts the given flags over the workspace's settings.
func (f *engineFlags) Override(s *config.Settings) {
	given := func(name string) bool { return f.set != nil && f.set(name) }
	if given("proxy") {
		s.Crawl.Proxy = f.proxy
	}
	if given("allow-private") {
		s.Crawl.AllowPrivate = f.private
	}
	if given("strategy") {
		s.Crawl.Strategy = f.strategy
	}
	if given("delay") {
		s.Crawl.Delay = config.Duration(f.Delay)
	}
	if given("workers") {
		s.Crawl.Workers = f.Workers
	}
	if given("depth") {
		s.Crawl.Depth = f.depth
	}
}

// flagError is the misuse of a flag that gave a setting which cannot work.
func flagError(bad *config.SettingError) error {
	name := strings.ReplaceAll(bad.Key[strings.LastIndexByte(bad.Key, '.')+1:], "_", "-")
	if bad.Key == "suggest.delay" {
		name = "pause"
	}
	return misuse(fmt.Errorf("--%s: %s", name, bad.Why))
}

// wrongValue says in our words what pflag says of a value in those of Go, and names a
// flag that lacks one.
func wrongValue(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	wants := map[string]string{"int": "a whole number", "uint64": "a whole number above 0", "intSlice": "whole numbers between commas", "float64": "a number",
		"bool": "true or false", "duration": "a time with its unit, such as 30s, 5m or 2h"}[wrong.GetFlag().Value.Type()]
	if wants == "" {
		return err
	}
	return fmt.Errorf("--%s %.60q: write %s", wrong.GetFlag().Name, wrong.GetValue(), wants)
}

// noneNegative refuses a number or a time below 0: no flag takes one.
func noneNegative(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if kind := f.Value.Type(); (kind == "int" || kind == "duration") && strings.HasPrefix(f.Value.String(), "-") {
			err = misuse(fmt.Errorf("--%s %s is less than 0", f.Name, f.Value))
		}
	})
	return err
}

// Open opens the engine for f.
func (f *engineFlags) Open(ctx context.Context, dir string, r query.Reporter) (*crawl.Engine, error) {
	return crawl.Open(ctx, dir, crawl.Options{Override: f.Override, Report: r, Tell: f.Tell})
}

// With opens the engine for f and closes it again.
func (f *engineFlags) With(ctx context.Context, dir string, do func(*crawl.Engine) error) error {
	e, err := f.Open(ctx, dir, nil)
	if err != nil {
		return err
	}
	return closeEngine(ctx, e, do(e))
}

// closeEngine closes the engine of a command and adds to its error what was left out. A command
// that has done its work waits until it is known.
func closeEngine(ctx context.Context, e *crawl.Engine, err error) error {
	if err == nil {
		crawl.Verified(ctx, e)
	}
	return errors.Join(err, leftOut(e.Workspace()), e.Close())
}

// leftOut is the error of a command that has done its work on all rows but
// damaged ones; nil when it met none.
func leftOut(ws *store.Workspace) error {
	damage := ws.Damage.String()
	if damage == "" {
		return nil
	}
	return fmt.Errorf("%s; run: angler check %s --repair", damage, ws.Dir())
}

// Reading is With for a command that writes nothing: the workspace may be one that
// cannot be written, or that another process has open.
func (f *engineFlags) Reading(ctx context.Context, dir string, do func(*crawl.Engine) error) error {
	e, err := crawl.Open(ctx, dir, crawl.Options{Override: f.Override, Reading: true})
	if err != nil {
		return err
	}
	noteBeside(e)
	return closeEngine(ctx, e, do(e))
}

// openToSearch is Reading for a command that needs the search index. The caller closes
// the engine, see closeEngine.
func openToSearch(ctx context.Context, dir string) (*crawl.Engine, error) {
	e, err := crawl.Open(ctx, dir, crawl.Options{Reading: true, Search: true})
	if err == nil {
		noteBeside(e)
	}
	return e, err
}

// noteBeside says that a workspace is read as it was.
func noteBeside(e *crawl.Engine) {
	if at := store.Beside(e.Workspace()); !at.IsZero() {
		fmt.Fprintf(os.Stderr, "angler: %s is open elsewhere; it is read as it was at %s\n", e.Workspace().Dir(), at.Format(time.TimeOnly))
	}
}
