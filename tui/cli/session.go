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
			func(ctx context.Context, report func(string)) (opened, error) {
				d, err := demo.OpenPlan(ctx, p.web, at.web, at.dir,
					crawl.Options{Override: f.override, Progress: report, Tell: true})
				if err != nil {
					return opened{}, err
				}
				return opened{d.Engine, d.Close}, nil
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
	return p.workbench(ctx, o, setup, func(ctx context.Context, report func(string)) (opened, error) {
		e, err := crawl.Open(ctx, at.dir,
			crawl.Options{Override: f.override, Progress: report, Tell: !reading, Reading: reading, Search: reading,
				Lists: true})
		if err != nil {
			return opened{}, err
		}
		if reading {
			return opened{e.As(auth.Actor{Name: e.Name, Role: auth.Reading}), e.Close}, nil
		}
		e.Files.Start()
		return opened{e, e.Close}, nil
	})
}

// opened is the engine of a workbench, and its closer.
type opened struct {
	engine *crawl.Engine
	close  func() error
}

func (p *program) workbench(ctx context.Context, o tui.Options, setup seeds.Setup,
	open func(context.Context, func(string)) (opened, error)) error {
	var shown opened
	o.Places = setup.Places
	err := tui.Run(ctx, func(ctx context.Context, report func(string)) (screen.Parts, error) {
		at, err := open(ctx, report)
		if err != nil {
			return screen.Parts{}, err
		}
		shown = at
		return screen.PartsOf(at.engine), nil
	}, o)
	if shown.close != nil {
		if cerr := shown.close(); cerr != nil {
			err = errors.Join(err, cerr)
		}
	}
	return err
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
