package sshd

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"angler/tui"
	"angler/tui/screen"
	"angler/tui/terminal"
	"angler/tui/widget"
)

// workbench runs the session's workbench over the shared engine and returns the exit status.
func (x *session) workbench() int {
	if !x.pty {
		fmt.Fprintln(&x.errs, "angler: the workbench needs a terminal: ssh -t; for scripts: status, export KIND, tail")
		return 2
	}
	e := x.s.c.Engine.As(x.who)
	ctx, cancel := context.WithCancelCause(x.ctx)
	defer cancel(nil)
	pace := terminal.FarPace
	pace.Bytes = x.s.c.Limits.Bytes
	frames := terminal.NewScreen(&x.out, pace)
	var typed atomic.Pointer[time.Time]
	typing := func() {
		now := x.s.c.Now() // with its monotonic reading: setting the clock ends no session
		typed.Store(&now)
	}
	typing()
	input := terminal.NewInput(x.ch, terminal.Far, ctx.Done(), func(int) {
		typing()
		frames.Touched()
	})
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		cancel(frames.Run(ctx)) // a disconnected client ends the rest
	}()
	go x.idle(ctx, cancel, &typed)

	leave := e.Attend()
	err := tui.Run(ctx, func(context.Context, func(string)) (screen.Parts, error) {
		return screen.PartsOf(e), nil
	}, tui.Options{
		Name: e.Snapshot().Workspace, Theme: x.s.c.Theme, Role: x.who.Role, Who: x.who.Name, Shared: true,
		Display: frames, Sizes: x.sizes, Input: input, Getenv: func(k string) string { return x.env[k] },
	})
	leave()
	cancel(nil)
	var crash *tui.Crash
	if errors.As(err, &crash) {
		x.s.c.Log.Error("a workbench crashed", "name", x.who.Name, "panic", fmt.Sprint(crash.Value), "stack",
			string(crash.Stack))
	}
	text, status := "", 0
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errIdle):
		text = "angler: no key for " + x.s.c.Limits.Idle.String() + "; attach again at any time\r\n"
	case errors.Is(cause, errRevoked):
		text, status = "angler: "+errRevoked.Error()+"\r\n", 1
	case x.s.ctx.Err() != nil:
		text = "angler: the server is ending\r\n"
	case err != nil:
		text, status = "angler: "+widget.Clean(err.Error())+"\r\n", 1
	}
	if err := frames.Last(sent, x.s.c.Limits.Leave/2, text); err != nil {
		// Pending work for this client ends with its connection.
		x.conn.Close()
		status = 1
	}
	return status
}

// idle ends an unused workbench.
func (x *session) idle(ctx context.Context, end context.CancelCauseFunc, typed *atomic.Pointer[time.Time]) {
	limit := x.s.c.Limits.Idle
	for {
		left := limit - x.s.c.Now().Sub(*typed.Load())
		if left <= 0 {
			end(errIdle)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-x.s.c.After(left):
		}
	}
}
