package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/setup"
	"angler/topic"
	"angler/tui/benchtest"
	"angler/tui/lang"
	"angler/tui/parts"
	"angler/tui/ui"
)

// driver runs the model as Bubble Tea does: Cmds in goroutines, their messages
// one at a time. It waits for conditions, never for time to pass.
type driver struct {
	t    testing.TB
	a    *app
	b    *benchtest.Bench
	msgs chan tea.Msg
	quit bool
}

func env(kv map[string]string) func(string) string { return func(k string) string { return kv[k] } }

func drive(t testing.TB, b *benchtest.Bench, w, h int) *driver {
	t.Helper()
	return driveIn(t, "en", b, w, h)
}

// driveIn drives the workbench in a language.
func driveIn(t testing.TB, code string, b *benchtest.Bench, w, h int) *driver {
	t.Helper()
	l, err := lang.Pick(code, env(nil))
	if err != nil {
		t.Fatal(err)
	}
	theme, err := ui.Pick("auto", false, env(map[string]string{"NO_COLOR": "1"}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	open := func(context.Context, func(string)) (parts.All, error) { return b.Parts(), nil }
	d := &driver{t: t, b: b, msgs: make(chan tea.Msg, 64)}
	d.a = newApp(ctx, open, theme.In(l), Options{Name: "tenders", Places: places, Browse: func(string) error { return nil }, Now: func() time.Time { return benchtest.Start.Add(200 * time.Millisecond) }})
	d.start(d.a.Init())
	t.Cleanup(func() { cancel(); d.a.close() })
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.until("the bench opens", func() bool { return d.a.ready })
	d.settle()
	return d
}

func (d *driver) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			d.msgs <- msg
		}
	}()
}

func (d *driver) send(msg tea.Msg) {
	switch msg := msg.(type) {
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
	deadline := time.After(10 * time.Second)
	for !cond() {
		select {
		case m := <-d.msgs:
			d.send(m)
		case <-deadline:
			d.t.Fatalf("waited in vain until %s; the screen:\n%s", what, d.screen())
		}
	}
}

// settle waits until no work is under way and the newest snapshot has come.
func (d *driver) settle() {
	d.t.Helper()
	d.until("all work ends", func() bool {
		return len(d.a.work.list) == 0 && len(d.msgs) == 0 && (!d.a.ready || d.b == nil || d.a.latest == d.b.Snapshot())
	})
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "space": tea.KeySpace,
	"pgdown": tea.KeyPgDown, "ctrl+r": tea.KeyCtrlR, "ctrl+o": tea.KeyCtrlO, "ctrl+p": tea.KeyCtrlP, "ctrl+u": tea.KeyCtrlU, "ctrl+x": tea.KeyCtrlX, "ctrl+d": tea.KeyCtrlD, "ctrl+c": tea.KeyCtrlC, "shift+tab": tea.KeyShiftTab,
}

// press sends keys: names, or runs of text that are typed rune by rune.
func (d *driver) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		if kt, ok := named[k]; ok {
			m := tea.KeyMsg{Type: kt}
			if kt == tea.KeySpace {
				m.Runes = []rune{' '}
			}
			d.send(m)
			continue
		}
		for _, r := range k {
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
	d.settle()
}

func (d *driver) mouse(x, y int, b tea.MouseButton, a tea.MouseAction) {
	d.t.Helper()
	d.send(tea.MouseMsg{X: x, Y: y, Button: b, Action: a})
	d.settle()
}

func (d *driver) screen() string { return ansi.Strip(d.a.View()) }

func (d *driver) shows(want ...string) {
	d.t.Helper()
	s := d.screen()
	for _, w := range want {
		if !strings.Contains(s, w) {
			d.t.Errorf("the screen does not show %q:\n%s", w, s)
		}
	}
}

// comes waits until the screen shows every text: counts come with the next
// snapshot, after the key was answered.
func (d *driver) comes(want ...string) {
	d.t.Helper()
	for _, w := range want {
		d.until("the screen shows "+w, func() bool { return strings.Contains(d.screen(), w) })
	}
}

// find returns where text stands on the screen.
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

func places() []setup.Place {
	return []setup.Place{{Dir: "/data/jobs", Name: "jobs", Seeds: 12}, {Dir: "/data/招标", Name: "招标", Seeds: 3}}
}

// sampled is a bench in the middle of a crawl with three samples.
func sampled(t testing.TB) *benchtest.Bench {
	b := benchtest.New(400)
	for _, id := range []uint64{101, 102, 109} {
		if _, err := b.ToggleSample(id); err != nil {
			t.Fatal(err)
		}
	}
	b.Crawl()
	return b
}

// labelled is sampled with n answers of an analyst who wants tender lists and is
// not sure of mixed ones.
func labelled(t testing.TB, n int) *benchtest.Bench {
	b := sampled(t)
	for range n {
		rows, err := b.LabelQueue(context.Background(), 1)
		if err != nil || len(rows) != 1 {
			t.Fatalf("queue %v, %v", rows, err)
		}
		l := topic.No
		switch r := rows[0]; {
		case strings.Contains(r.Title, "招标公告"):
			l = topic.Yes
		case strings.Contains(r.Title, "基建处"):
			l = topic.Unsure
		case r.Score > .6:
			l = topic.Yes
		}
		if err := b.SetLabel(rows[0].ID, l); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// written is an output that hands over what is written to it.
type written chan string

func (w written) Write(p []byte) (int, error) { w <- string(p); return len(p), nil }
