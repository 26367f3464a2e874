package tui

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/terminal"
	"angler/tui/tuitest"
)

// watcher is a display that counts drawn frames and the bytes for a terminal.
type watcher struct {
	*terminal.Screen
	drawn atomic.Int64
}

func (w *watcher) Show(frame string) {
	w.drawn.Add(1)
	w.Screen.Show(frame)
}

// sent counts bytes.
type sent struct{ n atomic.Int64 }

func (s *sent) Write(p []byte) (int, error) { s.n.Add(int64(len(p))); return len(p), nil }

// While nothing happens the workbench draws nothing, writes nothing and does not read the clock. A
// key is answered, and then it is idle again. Unchanged snapshots are drawn without output.
func TestAnIdleWorkbenchSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := can(between())
		p := c.parts()
		out := &sent{}
		on := &watcher{Screen: terminal.NewScreen(out, terminal.HerePace)}
		sizes := make(chan terminal.Size, 1)
		sizes <- terminal.Size{Width: 120, Height: 40}
		keys, typing := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		input := terminal.NewInput(keys, terminal.Here, ctx.Done(), nil)
		ended := make(chan error, 2)
		go func() { ended <- on.Run(ctx) }()
		go func() {
			ended <- Run(ctx, func(context.Context, func(string)) (screen.Parts, error) { return p, nil },
				Options{Display: on, Sizes: sizes, Input: input, Getenv: env(nil), Now: func() time.Time { return tuitest.Start }})
		}()
		pass := func(d time.Duration, happens ...func()) (frames, bytes int64) {
			was, had := on.drawn.Load(), out.n.Load()
			for _, do := range happens {
				do()
			}
			time.Sleep(d)
			synctest.Wait()
			return on.drawn.Load() - was, out.n.Load() - had
		}
		if frames, bytes := pass(time.Minute); frames == 0 || bytes == 0 {
			t.Errorf("%d frames and %d bytes at the beginning", frames, bytes)
		}
		if frames, bytes := pass(time.Hour); frames != 0 || bytes != 0 {
			t.Errorf("%d frames were drawn and %d bytes written in an hour in which nothing happened", frames, bytes)
		}
		if _, bytes := pass(100*time.Millisecond, func() { _, _ = io.WriteString(typing, "4") }); bytes == 0 {
			t.Error("a key is not answered at once")
		}
		pass(time.Minute)
		if frames, bytes := pass(time.Hour); frames != 0 || bytes != 0 {
			t.Errorf("%d frames were drawn and %d bytes written in the hour after a key", frames, bytes)
		}
		for range 100 {
			if frames, bytes := pass(10*time.Second, func() { c.publish(func(s *view.Snapshot) { s.Still = true }) }); frames != 1 || bytes != 0 {
				t.Fatalf("%d frames and %d bytes for a still snapshot", frames, bytes)
			}
		}
		c.publish(func(s *view.Snapshot) { s.Still, s.Counts.Notices = false, s.Counts.Notices+1 })
		if frames, bytes := pass(30 * time.Second); frames < restAfter || bytes == 0 {
			t.Errorf("%d frames and %d bytes for a notice that came", frames, bytes)
		}
		cancel()
		typing.Close()
		<-ended
		<-ended
	})
}
