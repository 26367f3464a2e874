package cli

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
	strategy string
	Delay    time.Duration
	Workers  int
	depth    int
	MaxPages int
	For      time.Duration
	private  bool
	Tell     bool                   // alerts are sent, see crawl.Options
	search   bool                   // reading opens the search index, too
	set      func(name string) bool // whether a flag was given
	tune     func(*config.Settings) // more changes to the settings; nil means none
}

// fetching adds the flags of every command that fetches.
func (f *engineFlags) fetching(c *cobra.Command) {
	c.Flags().StringVar(&f.proxy, "proxy", "", "fetch through this proxy (http:// or socks5://)")
	c.Flags().BoolVar(&f.private, "allow-private", false, "allow private and loopback addresses")
	f.set = func(name string) bool { fl := c.Flags().Lookup(name); return fl != nil && fl.Changed }
}

// jsonFlag adds --json to c and returns it; see wantsJSON.
func jsonFlag(c *cobra.Command) *cobra.Command {
	c.Flags().Bool("json", false, "print JSON lines")
	return c
}

// wantsJSON reports whether --json was given; false for a command without that flag.
func wantsJSON(c *cobra.Command) bool {
	asked, err := c.Flags().GetBool("json")
	return err == nil && asked
}

// running adds the flags of commands that start a run.
func (f *engineFlags) running(c *cobra.Command) {
	f.fetching(c)
	jsonFlag(c)
	c.Flags().StringVar(&f.strategy, "strategy", "", "link order")
	c.Flags().DurationVar(&f.Delay, "delay", 0, "pause between two fetches of one host")
	c.Flags().IntVar(&f.Workers, "workers", 0, "concurrent fetches")
	c.Flags().IntVar(&f.depth, "depth", 0, "most links between a seed and a page")
	c.Flags().IntVar(&f.MaxPages, "max-pages", 0, "stop after this number of fetches")
	c.Flags().DurationVar(&f.For, "for", 0, "stop after this time")
}

// override puts the given flags over the workspace's settings.
func (f *engineFlags) override(s *config.Settings) {
	given := func(name string) bool { return f.set != nil && f.set(name) }
	put(given("proxy"), &s.Crawl.Proxy, f.proxy)
	put(given("allow-private"), &s.Crawl.AllowPrivate, f.private)
	put(given("strategy"), &s.Crawl.Strategy, f.strategy)
	put(given("delay"), &s.Crawl.Delay, config.Duration(f.Delay))
	put(given("workers"), &s.Crawl.Workers, f.Workers)
	put(given("depth"), &s.Crawl.Depth, f.depth)
	if f.tune != nil {
		f.tune(s)
	}
}

// put sets a setting if its flag is given.
func put[T any](given bool, setting *T, value T) {
	if given {
		*setting = value
	}
}

// flagError is the misuse of a flag with an invalid setting.
func flagError(bad *config.SettingError) error {
	name := strings.ReplaceAll(bad.Key[strings.LastIndexByte(bad.Key, '.')+1:], "_", "-")
	if bad.Key == "suggest.delay" {
		name = "pause"
	}
	return misusef("--%s: %s", name, bad.Why)
}

// flagProblem replaces the errors of pflag by plain ones.
func flagProblem(c *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var lacks *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &wrong):
		if wants := wantedValues[wrong.GetFlag().Value.Type()]; wants != "" {
			err = fmt.Errorf("--%s %.60q: write %s", wrong.GetFlag().Name, wrong.GetValue(), wants)
		}
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedShortnames()) > 0:
		err = fmt.Errorf("%s has no flag -%s", c.CommandPath(), unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		err = fmt.Errorf("%s has no flag --%.60s", c.CommandPath(), unknown.GetSpecifiedName())
		if near := nearFlag(c, unknown.GetSpecifiedName()); near != "" {
			return misusef("%w; did you mean --%s? %s --help lists the flags", err, near, c.CommandPath())
		}
	case errors.As(err, &lacks):
		err = fmt.Errorf("--%s lacks its value", lacks.GetFlag().Name)
	case errors.As(err, &syntax):
		err = fmt.Errorf("%.60q is no flag", syntax.GetSpecifiedFlag())
	}
	return misusef("%w; %s --help lists the flags", err, c.CommandPath())
}

// wantedValues describes the value of each type of flag.
var wantedValues = map[string]string{"int": "a whole number", "uint64": "a whole number above 0",
	"intSlice": "whole numbers between commas", "float64": "a number",
	"bool": "true or false", "percent": wantedShare, "duration": "a time with its unit, such as 30s, 5m or 2h"}

// nearFlag returns the flag most similar to a name; "": none.
func nearFlag(c *cobra.Command, name string) string {
	names := &cobra.Command{SuggestionsMinimumDistance: maxTypos} // cobra compares names of commands
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if near := names.SuggestionsFor(name); len(near) > 0 {
		return near[0]
	}
	return ""
}

// noneNegative refuses a negative number or time: no flag accepts one.
func noneNegative(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if kind := f.Value.Type(); (kind == "int" || kind == "duration") && strings.HasPrefix(f.Value.String(), "-") {
			err = misusef("--%s %s is less than 0", f.Name, f.Value)
		}
	})
	return err
}

// open opens the engine for f.
func (f *engineFlags) open(ctx context.Context, dir string, r query.Reporter) (*crawl.Engine, error) {
	return crawl.Open(ctx, dir, crawl.Options{Override: f.override, Report: r, Tell: f.Tell, Lists: f.Tell})
}

// with opens the engine for f and closes it again.
func (f *engineFlags) with(c *cobra.Command, dir string, do func(*crawl.Engine) error) error {
	e, err := f.open(c.Context(), dir, nil)
	if err != nil {
		return err
	}
	return closeEngine(c.Context(), e, do(e))
}

// runs returns the RunE of a command that only works on an engine: open opens the workspace
// that the first argument names, then do runs, with all arguments.
func runs(open func(c *cobra.Command, dir string, do func(*crawl.Engine) error) error,
	do func(c *cobra.Command, e *crawl.Engine, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		return open(c, args[0], func(e *crawl.Engine) error { return do(c, e, args) })
	}
}

// closeEngine closes the engine of a command and adds the skipped rows to its error. After its work
// a command waits until they are known.
func closeEngine(ctx context.Context, e *crawl.Engine, err error) error {
	if err == nil {
		crawl.Verified(ctx, e)
	}
	return errors.Join(err, leftOut(e.Workspace()), e.Close())
}

// leftOut is the error of a command that skipped damaged rows; nil if there were none.
func leftOut(ws *store.Workspace) error {
	damage := ws.Damage.String()
	if damage == "" {
		return nil
	}
	return fmt.Errorf("%s; run: angler workspace check %s --repair", damage, ws.Dir())
}

// reading is with for a command that writes nothing: the workspace may be read-only or open in
// another process.
func (f *engineFlags) reading(c *cobra.Command, dir string, do func(*crawl.Engine) error) error {
	e, err := crawl.Open(c.Context(), dir, crawl.Options{Override: f.override, Reading: true, Search: f.search})
	if err != nil {
		return err
	}
	noteBeside(e)
	return closeEngine(c.Context(), e, do(e))
}

// readingWords is reading after the words of all pages are counted, as scores need them.
func (f *engineFlags) readingWords(c *cobra.Command, dir string, do func(*crawl.Engine) error) error {
	return f.reading(c, dir, worded(c, do))
}

// withWords is with after the words of all pages are counted.
func (f *engineFlags) withWords(c *cobra.Command, dir string, do func(*crawl.Engine) error) error {
	return f.with(c, dir, worded(c, do))
}

func worded(c *cobra.Command, do func(*crawl.Engine) error) func(*crawl.Engine) error {
	return func(e *crawl.Engine) error {
		if err := e.Words(c.Context()); err != nil {
			return err
		}
		return do(e)
	}
}

// noteBeside reports that a workspace is read from a copy, and the time of the copy.
func noteBeside(e *crawl.Engine) {
	if at := store.Beside(e.Workspace()); !at.IsZero() {
		fmt.Fprintf(os.Stderr, "angler: %s is open elsewhere; it is read as it was at %s\n", e.Workspace().Dir(),
			at.Format(time.TimeOnly))
	}
}

// readBeside reads a workspace, even while it is served, and reports skipped rows.
func readBeside(ctx context.Context, dir string, read func(*store.Workspace) error) error {
	ws, err := store.OpenBeside(ctx, dir)
	if err != nil {
		return err
	}
	err = read(ws)
	return errors.Join(err, leftOut(ws), ws.Close())
}
