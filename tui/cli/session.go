package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/demo"
	"angler/crawl/seeds"
	"angler/store"
	"angler/store/config"
	"angler/tui"
	"angler/tui/screen"
)

// place is the workspace of a workbench.
type place struct {
	demo bool
	web  string // web of the demo: one of webtest.Plans, "": its own
	dir  string // folder of the workspace; for the demo "": a temporary one
}

// session shows workbenches one after another until the reader quits.
func (p *program) session(ctx context.Context, f *engineFlags, l *look, at place) error {
	if err := terminal(); err != nil {
		return err
	}
	stop := watch()
	defer stop()
	made := seeds.NewSetup()
	choose := func(fresh bool) (place, error) {
		c, err := tui.Setup(ctx, made, seeds.WorkspacePlan{}, fresh, p.options(l, ""))
		return place{demo: c.Demo, dir: c.Dir}, err
	}
	for none := (place{}); ; {
		var err error
		if at == none {
			if at, err = choose(false); err != nil || at == none {
				return err
			}
		}
		err = p.show(ctx, f, l, made, at)
		to, wanted := errors.AsType[*tui.Switch](err)
		if !wanted {
			return err
		}
		next := place{dir: to.Dir}
		if to.New {
			if next, err = choose(true); err != nil {
				return err
			}
		}
		at = cmp.Or(next, at) // without a choice the previous workspace
	}
}

// show opens one workspace and closes it.
func (p *program) show(ctx context.Context, f *engineFlags, l *look, setup seeds.Setup, at place) error {
	if at.demo {
		return p.workbench(ctx, p.options(l, "demo"), setup,
			func(ctx context.Context, report func(string)) (*crawl.Engine, func() error, error) {
				d, err := demo.OpenPlan(ctx, p.web, at.web, at.dir,
					crawl.Options{Override: f.override, Progress: report, Tell: true})
				if err != nil {
					return nil, nil, err
				}
				return d.Engine, d.Close, nil
			})
	}
	if _, err := config.Read(at.dir); err != nil {
		return err
	}
	setup.Remember(at.dir)
	o := p.options(l, at.dir)
	reading := store.Unwritable(at.dir)
	if reading {
		o.Role = auth.Reading
	}
	return p.workbench(ctx, o, setup, func(ctx context.Context, report func(string)) (*crawl.Engine, func() error, error) {
		e, err := crawl.Open(ctx, at.dir,
			crawl.Options{Override: f.override, Progress: report, Tell: !reading, Reading: reading, Search: reading,
				Lists: true})
		if err != nil {
			return nil, nil, err
		}
		if reading {
			return e.As(auth.Actor{Name: e.Name, Role: auth.Reading}), e.Close, nil
		}
		e.Files.Start()
		return e, e.Close, nil
	})
}

// workbench shows the engine that open returns, with the function that closes it.
func (p *program) workbench(ctx context.Context, o tui.Options, setup seeds.Setup,
	open func(context.Context, func(string)) (*crawl.Engine, func() error, error)) error {
	shut := func() error { return nil }
	o.Places = setup.Places
	err := tui.Run(ctx, func(ctx context.Context, report func(string)) (screen.Parts, error) {
		e, closer, err := open(ctx, report)
		if err != nil {
			return screen.Parts{}, err
		}
		shut = closer
		return screen.PartsOf(e), nil
	}, o)
	return errors.Join(err, shut())
}

func (p *program) options(l *look, name string) tui.Options {
	return tui.Options{Name: name, Theme: l.theme, Lang: l.lang, ASCII: l.ascii, NoMouse: l.noMouse, Browse: browse,
		Report: func(c *tui.Crash) string {
			report := fmt.Appendf(nil, "%v\n\n%s", c.Value, c.Stack)
			return crawl.WriteReport(report) + "; " + crawl.AfterCrash(report)
		}}
}

// headless names the commands for use without a terminal.
const headless = "headless: angler crawl DIR, angler harvest DIR, angler export DIR notices, angler demo " +
	"--headless; see angler --help"

// terminal reports why the workbench cannot be shown here.
func terminal() error {
	if _, ok := terminalWidth(os.Stdout.Fd()); !ok {
		return errors.New("the workbench needs a terminal; " + headless)
	}
	if _, ok := terminalWidth(os.Stdin.Fd()); !ok {
		return errors.New("the workbench needs a keyboard, standard input is none; " + headless)
	}
	if term := os.Getenv("TERM"); term == "dumb" {
		return fmt.Errorf("TERM=%s: the workbench needs a terminal that can move its cursor; %s", term, headless)
	}
	return nil
}

// browse opens an address in the desktop's browser. It passes it as one argument, never through a
// shell.
func browse(url string) error {
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return errors.New("this is no http address")
	}
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return fmt.Errorf("no browser could be started (%s is missing); c copies the URL", name)
	}
	go func() { _ = c.Wait() }() // the exit of the browser does not matter
	return nil
}
