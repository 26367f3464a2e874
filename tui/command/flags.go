package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/view"
	"angler/store"
	"angler/tui"
)

// flags are the settings that many commands share.
type flags struct {
	proxy    string
	json     bool
	strategy string
	delay    time.Duration
	workers  int
	depth    int
	maxPages int
	lasting  time.Duration
	private  bool
	set      func(name string) bool // whether a flag was given
}

// look are the flags of commands that open the workbench.
type look struct {
	theme   string
	lang    string
	ascii   bool
	noMouse bool
}

func (l *look) flags(c *cobra.Command) {
	c.Flags().StringVar(&l.theme, "theme", "", "colours: "+strings.Join(tui.Themes(), ", "))
	c.Flags().StringVar(&l.lang, "lang", "", "language: "+strings.Join(tui.Langs(), ", ")+"; without it that of the locale")
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw borders and bars in ASCII")
	c.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}

// fetching adds the flags of every command that fetches.
func (f *flags) fetching(c *cobra.Command) {
	c.Flags().StringVar(&f.proxy, "proxy", "", "fetch through this proxy (http:// or socks5://)")
	c.Flags().BoolVar(&f.private, "allow-private", false, "allow private and loopback addresses")
	f.set = func(name string) bool { fl := c.Flags().Lookup(name); return fl != nil && fl.Changed }
}

// running adds the flags of commands that start a run.
func (f *flags) running(c *cobra.Command) {
	f.fetching(c)
	c.Flags().BoolVar(&f.json, "json", false, "print JSON lines on standard output")
	c.Flags().StringVar(&f.strategy, "strategy", "", "link order")
	c.Flags().DurationVar(&f.delay, "delay", 0, "pause between two fetches of one host")
	c.Flags().IntVar(&f.workers, "workers", 0, "fetches at once")
	c.Flags().IntVar(&f.depth, "depth", 0, "links from a seed")
	c.Flags().IntVar(&f.maxPages, "max-pages", 0, "stop after so many fetches")
	c.Flags().DurationVar(&f.lasting, "for", 0, "stop after so long")
}

// override puts the given flags over the workspace's settings.
func (f *flags) override(s *store.Settings) {
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
		s.Crawl.Delay = store.Duration(f.delay)
	}
	if given("workers") {
		s.Crawl.Workers = f.workers
	}
	if given("depth") {
		s.Crawl.Depth = f.depth
	}
}

func (f *flags) open(ctx context.Context, dir string, r view.Reporter) (*crawl.Engine, error) {
	return crawl.Open(ctx, dir, crawl.Options{Override: f.override, Report: r})
}

// with opens the engine for f and closes it again.
func (f *flags) with(ctx context.Context, dir string, do func(*crawl.Engine) error) error {
	e, err := f.open(ctx, dir, nil)
	if err != nil {
		return err
	}
	return ending(e, do(e))
}

// ending closes the engine of a command and adds to its error what was left out.
func ending(e *crawl.Engine, err error) error {
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

// reading is with for a command that writes nothing: the workspace may be one that
// cannot be written.
func (f *flags) reading(ctx context.Context, dir string, do func(*crawl.Engine) error) error {
	e, err := crawl.Open(ctx, dir, crawl.Options{Override: f.override, Reading: true})
	if err != nil {
		return err
	}
	return ending(e, do(e))
}
