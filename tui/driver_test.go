package tui

import (
	"context"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/seeds"
	"angler/tui/i18n"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// driver runs the model like Bubble Tea: Cmds in goroutines, their messages one at a time. It waits
// for conditions, never for time.
type driver struct {
	t    testing.TB
	a    *app
	p    screen.Parts
	msgs chan tea.Msg
	due  int // running Cmds that do not depend on outside events
	quit bool
}

// answered is the message of such a Cmd; nil: none.
type answered struct{ msg tea.Msg }

// atOnce is a clock whose waits end at once.
func atOnce(time.Duration) <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}

func env(kv map[string]string) func(string) string { return func(k string) string { return kv[k] } }

func drive(t testing.TB, p screen.Parts, w, h int) *driver {
	t.Helper()
	return driveIn(t, "en", p, w, h)
}

// driveIn drives the workbench in a language.
func driveIn(t testing.TB, code string, p screen.Parts, w, h int) *driver {
	t.Helper()
	d := begin(t, code, p, w, h)
	d.press("1") // from Home to the samples, where most tests begin
	return d
}

// driveAs drives the workbench of a person from their last state.
func driveAs(t testing.TB, e *crawl.Engine, w, h int) *driver {
	t.Helper()
	d := begin(t, "en", screen.PartsOf(e), w, h)
	d.settle()
	return d
}

// begin opens the workbench without pressing a key.
func begin(t testing.TB, code string, p screen.Parts, w, h int) *driver {
	t.Helper()
	theme, err := widget.Pick("auto", false, env(map[string]string{"NO_COLOR": "1"}))
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	open := func(context.Context, func(string)) (screen.Parts, error) { return p, nil }
	d := &driver{t: t, p: p, msgs: make(chan tea.Msg, 64)}
	d.a = newApp(ctx, open, theme.In(lang(t, code)), Options{Name: "tenders", Places: places, Browse: func(string) error { return nil }, Now: func() time.Time { return tuitest.Start.Add(200 * time.Millisecond) }})
	d.a.shared.After = atOnce
	d.start(d.a.Init())
	t.Cleanup(func() { cancel(); d.a.close() })
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.until("the workspace opens", func() bool { return d.a.ready })
	return d
}

func (d *driver) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if idles(cmd) {
		go func() {
			if msg := cmd(); msg != nil {
				d.msgs <- msg
			}
		}()
		return
	}
	d.due++
	go func() { d.msgs <- answered{cmd()} }()
}

// idles reports whether a Cmd waits for an outside event: a snapshot, a line of the opening, or
// time.
func idles(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	return slices.ContainsFunc([]string{"(*app).waitSnapshot-fm", "(*opening).wait-fm", "tui.tick", "bubbletea.Tick.func1"},
		func(end string) bool { return strings.HasSuffix(name, end) })
}

func (d *driver) send(msg tea.Msg) {
	switch msg := msg.(type) {
	case answered:
		if d.due--; msg.msg != nil {
			d.send(msg.msg)
		}
		return
	case tea.BatchMsg:
		for _, c := range msg {
			d.start(c)
		}
		return
	case tea.QuitMsg:
		d.quit = true
		return
	}
	_, cmd := d.a.Update(msg)
	d.start(cmd)
}

func (d *driver) until(what string, cond func() bool) {
	d.t.Helper()
	deadline := time.After(2 * time.Minute)
	for !cond() {
		select {
		case m := <-d.msgs:
			d.send(m)
		case <-deadline:
			d.t.Fatalf("waited in vain until %s; the screen:\n%s", what, d.screen())
		}
	}
}

// await handles messages until ch is closed. Work begins only after one of them if no spinner was turning.
func (d *driver) await(what string, ch <-chan struct{}) {
	d.t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		select {
		case <-ch:
			return
		case m := <-d.msgs:
			d.send(m)
		case <-deadline:
			d.t.Fatalf("waited in vain until %s; the screen:\n%s", what, d.screen())
		}
	}
}

// settle waits until no work is running, every independent Cmd has answered, and the results are
// shown: a snapshot as new as the end of the work.
func (d *driver) settle() {
	d.t.Helper()
	newest, known := uint64(0), false
	d.until("all work ends", func() bool {
		if len(d.a.work.list) > 0 || len(d.msgs) > 0 {
			known = false
			return false
		}
		if !d.a.ready || d.p.Live == nil {
			return true
		}
		if d.due > 0 {
			return false
		}
		if !known {
			newest, known = d.p.Live.Snapshot().Seq, true
		}
		return d.a.latest.Seq >= newest
	})
}

// keyMsgs returns the messages of keys: names, or runs of text typed rune by rune.
func keyMsgs(keys ...string) (out []tea.KeyMsg) {
	for _, k := range keys {
		if k == "space" {
			k = " "
		}
		if m, ok := keymap.Message(k); ok {
			out = append(out, m)
			continue
		}
		for _, r := range k {
			out = append(out, runes(string(r)))
		}
	}
	return out
}

// pressKey sends keys and waits for nothing.
func (d *driver) pressKey(keys ...string) {
	for _, k := range keyMsgs(keys...) {
		d.send(k)
	}
}

// press sends keys, and waits until the screen has settled.
func (d *driver) press(keys ...string) {
	d.t.Helper()
	d.pressKey(keys...)
	d.settle()
}

func (d *driver) mouse(x, y int, b tea.MouseButton, a tea.MouseAction) {
	d.t.Helper()
	d.send(tea.MouseMsg{X: x, Y: y, Button: b, Action: a})
	d.settle()
}

// click presses the left button on a cell.
func (d *driver) click(x, y int) {
	d.t.Helper()
	d.mouse(x, y, tea.MouseButtonLeft, tea.MouseActionPress)
}

func (d *driver) screen() string { return ansi.Strip(d.a.View()) }

// sees reports whether the screen shows text.
func (d *driver) sees(text string) bool { return strings.Contains(d.screen(), text) }

func (d *driver) shows(want ...string) {
	d.t.Helper()
	s := d.screen()
	for _, w := range want {
		if !strings.Contains(s, w) {
			d.t.Errorf("the screen does not show %q:\n%s", w, s)
		}
	}
}

// lacks fails a test whose screen shows text; why says what is wrong then.
func (d *driver) lacks(text, why string) {
	d.t.Helper()
	if s := d.screen(); strings.Contains(s, text) {
		d.t.Errorf("%s: the screen shows %q:\n%s", why, text, s)
	}
}

// comes waits until the screen shows every text: counts arrive with the next snapshot, after the
// answer to the key.
func (d *driver) comes(want ...string) {
	d.t.Helper()
	for _, w := range want {
		d.until("the screen shows "+w, func() bool { return d.sees(w) })
	}
}

// gone waits until the screen does not show text.
func (d *driver) gone(text string) {
	d.t.Helper()
	d.until("the screen does not show "+text, func() bool { return !d.sees(text) })
}

// find returns the position of text on the screen.
func (d *driver) find(text string) (x, y int) {
	d.t.Helper()
	for y, l := range strings.Split(d.screen(), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			return ansi.StringWidth(l[:i]), y
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.screen())
	return 0, 0
}

func places() []seeds.WorkspacePlace {
	return []seeds.WorkspacePlace{
		{Dir: "/data/jobs", Name: "jobs", Seeds: 12, Used: tuitest.Start.AddDate(0, 0, -16), Counted: true, Pages: 52, Notices: 581},
		{Dir: "/data/招标", Name: "招标", Seeds: 3, Used: tuitest.Start.Add(-time.Hour), Open: true},
	}
}

// written is an output that passes on its writes.
type written chan string

func (w written) Write(p []byte) (int, error) { w <- string(p); return len(p), nil }

// workbench drives the workbench over an engine.
func workbench(t testing.TB, e *demo.Engine, w, h int) *driver {
	t.Helper()
	return drive(t, screen.PartsOf(e.Engine), w, h)
}

// opened opens a workspace at a stage, and drives the workbench over it.
func opened(t testing.TB, s tuitest.Stage, w, h int) (*demo.Engine, *driver) {
	t.Helper()
	e := tuitest.Open(t, s)
	return e, workbench(t, e, w, h)
}

// watched drives the workbench over an engine and counts what it calls.
func watched(t testing.TB, e *demo.Engine, w, h int) (*driver, *Calls) {
	t.Helper()
	calls, p := Count(screen.PartsOf(e.Engine))
	return drive(t, p, w, h), calls
}

// is fails the test unless got is want.
func is[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// lang returns a language.
func lang(t testing.TB, code string) *i18n.Lang {
	t.Helper()
	l, err := i18n.Pick(code, env(nil))
	must(t, err)
	return l
}

// current is the page under the cursor of the samples screen.
func (d *driver) current() uint64 { return d.a.screens[1].(interface{ Current() uint64 }).Current() }

func TestMain(m *testing.M) { os.Exit(tuitest.Main(m)) }
