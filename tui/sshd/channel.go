package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/tui/terminal"
	"angler/tui/widget"
)

// Bounds of a client's requests before its session begins.
const (
	maxCols, maxRows = 500, 250
	maxEnv           = 16  // variables
	maxValue         = 128 // bytes of a variable, and of its name
)

// session is one channel of type "session": a workbench or one command.
type session struct {
	s      *Server
	who    auth.Actor
	key    string // its wire form
	print  string // its fingerprint
	from   string
	ch     gossh.Channel
	conn   *conn
	ctx    context.Context
	cancel context.CancelCauseFunc
	out    outlet
	errs   outlet // a command's messages besides its output
	env    map[string]string
	pty    bool
	begun  bool               // its purpose is known: no further requests are accepted
	sizes  chan terminal.Size // capacity 1: the newest size
	done   sync.WaitGroup

	unclosed timer // ends the connection; nil before the end of the session
}

// session handles a client that opens a session channel.
func (s *Server) session(_ *ssh.Server, sc *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
	p, key, err := who(sc)
	c, ok := ctx.Value(connKey{}).(*conn)
	if err != nil || !ok {
		_ = offer.Reject(gossh.Prohibited, "who are you?")
		return
	}
	x := &session{s: s, who: p, key: key, print: fingerprint(key), from: hostOf(sc.RemoteAddr()), conn: c,
		env: map[string]string{}, sizes: make(chan terminal.Size, 1)}
	x.out.made, x.errs.made = time.Now(), time.Now()
	// Ends with the channel (requests is closed), the connection, the server.
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	defer x.cancel(nil)
	if why := s.enter(x); why != "" {
		s.warn(key, "no session", "name", p.Name, "role", string(p.Role), "from", x.from, "key", x.print, "why", why)
		_ = offer.Reject(gossh.ResourceShortage, why)
		return
	}
	defer s.leave(x)
	var requests <-chan *gossh.Request
	if x.ch, requests, err = offer.Accept(); err != nil {
		return
	}
	x.out.w, x.errs.w = x.ch, x.ch.Stderr()
	c.count(1)
	defer c.count(-1)
	defer context.AfterFunc(s.ctx, func() { x.cancel(nil) })()
	// A client that opens a channel and requests nothing is closed, too.
	lazy := s.c.AfterFunc(s.c.Limits.Login, func() { x.ch.Close() })
	defer lazy.Stop()
	for r := range requests {
		ok := x.request(r)
		if ok && (r.Type == "shell" || r.Type == "exec") {
			lazy.Stop()
		}
	}
	x.cancel(nil)
	x.done.Wait()
	if x.unclosed != nil {
		x.unclosed.Stop()
	}
}

// request answers one request of the channel, and returns the answer.
func (x *session) request(r *gossh.Request) bool {
	ok := false
	var start func() int
	what := ""
	switch r.Type {
	case "pty-req":
		var q struct {
			Term                 string
			Cols, Rows, PxW, PxH uint32
			Modes                string
		}
		if ok = gossh.Unmarshal(r.Payload, &q) == nil && !x.pty && !x.begun; ok {
			x.pty = true
			x.env["TERM"] = value(q.Term)
			x.resize(q.Cols, q.Rows)
		}
	case "window-change":
		var q struct{ Cols, Rows, PxW, PxH uint32 }
		if ok = gossh.Unmarshal(r.Payload, &q) == nil && x.pty; ok {
			x.resize(q.Cols, q.Rows)
		}
	case "env":
		var q struct{ Name, Value string }
		if ok = gossh.Unmarshal(r.Payload, &q) == nil && wanted(q.Name) && len(x.env) < maxEnv && !x.begun; ok {
			x.env[q.Name] = value(q.Value)
		}
	case "shell":
		if ok = x.begin(); ok {
			what, start = "workbench", x.workbench
		}
	case "exec":
		var q struct{ Command string }
		if ok = gossh.Unmarshal(r.Payload, &q) == nil && x.begin(); ok {
			what, start = loggable(q.Command), func() int { return x.command(q.Command) }
		}
	case "subsystem":
		var q struct{ Name string }
		_ = gossh.Unmarshal(r.Payload, &q)
		x.refuse("subsystem " + q.Name)
	case "x11-req", "auth-agent-req@openssh.com":
		x.refuse(r.Type)
	}
	if r.WantReply {
		_ = r.Reply(ok, nil)
	}
	if start != nil {
		x.done.Go(func() { x.run(what, start) })
	}
	return ok
}

// begin reports whether the session may start its purpose: only once.
func (x *session) begin() bool {
	if x.begun {
		return false
	}
	x.begun = true
	return true
}

// refuse logs a request that is never allowed.
func (x *session) refuse(what string) {
	x.s.warn(x.key, "refused", "name", x.who.Name, "role", string(x.who.Role), "from", x.from, "key", x.print, "what",
		loggable(what))
}

// run runs the session and closes the channel with its exit status. It logs a line at the begin and
// one at the end.
func (x *session) run(what string, do func() int) {
	log := x.s.c.Log.With("name", x.who.Name, "role", string(x.who.Role), "from", x.from, "key", x.print, "run", what)
	x.s.wait(x.s.pace.Wait(x.key, x.s.c.Now()), x.ctx.Done())
	begun := x.s.c.Now()
	log.Info("session begins", "terminal", x.pty)
	status := x.safely(do)
	why := ""
	if err := context.Cause(x.ctx); err != nil && !errors.Is(err, context.Canceled) {
		why = err.Error()
	}
	x.cancel(nil)
	_, _ = x.ch.SendRequest("exit-status", false, gossh.Marshal(struct{ Status uint32 }{uint32(status)}))
	_ = x.ch.Close()
	log.Info("session ends", "status", status, "why", why, "seconds",
		math.Round(1000*x.s.c.Now().Sub(begun).Seconds())/1000, "bytes", x.out.sent.Load())
	// The channel exists until the client closes it, too; a client that does not would keep its place.
	x.unclosed = x.s.c.AfterFunc(x.s.c.Limits.Login, func() { x.conn.Close() })
}

// safely runs do; a panic ends only this session.
func (x *session) safely(do func() int) (status int) {
	defer func() {
		if r := recover(); r != nil {
			x.s.c.Log.Error("a session crashed", "name", x.who.Name, "panic", fmt.Sprint(r), "stack",
				string(debug.Stack()))
			status = 1
		}
	}()
	return do()
}

// resize passes on the newest size.
func (x *session) resize(cols, rows uint32) {
	size := terminal.Size{Width: int(min(max(cols, 1), maxCols)), Height: int(min(max(rows, 1), maxRows))}
	select {
	case <-x.sizes:
	default:
	}
	x.sizes <- size // only this goroutine sends
}

// wanted reports whether a variable affects drawing.
func wanted(name string) bool {
	switch name {
	case "COLORTERM", "COLORFGBG", "NO_COLOR", "LANG", "TERM_PROGRAM":
		return true
	}
	return strings.HasPrefix(name, "LC_") && len(name) <= maxValue
}

func value(s string) string {
	if len(s) > maxValue {
		return ""
	}
	return widget.Clean(s)
}

// lines writes text for people: on a terminal in raw mode a line ends with \r\n.
type lines struct {
	w   io.Writer
	raw bool
}

func (l lines) Write(p []byte) (int, error) {
	if !l.raw {
		return l.w.Write(p)
	}
	if _, err := io.WriteString(l.w, strings.ReplaceAll(string(p), "\n", "\r\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}
