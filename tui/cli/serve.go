package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/run"
	"angler/store/secrets"
	"angler/tui/sshd"
)

// serving are the flags of the server.
type serving struct {
	engineFlags
	look    look
	listen  string
	http    httpFlags
	every   time.Duration
	log     string
	format  string
	limits  sshd.Limits
	workers workerServer
}

func (p *program) serveCommand() *cobra.Command {
	var f serving
	c := &cobra.Command{
		Use: "serve DIR", Short: "Crawl on schedule and serve the workbench over SSH",
		Example: "  angler serve DIR --every 24h --listen :2222",
		Long: "serve runs discovery and harvest every 24 hours and serves the workbench over SSH.\n" +
			"With --http programs ask it, too, with tokens (angler token); see docs/agents.md.\n" +
			"Who may attach, and as what, stands in DIR/ssh/authorized_keys; see docs/serve.md.",
		RunE: func(c *cobra.Command, args []string) error {
			return p.serve(c, args[0], &f)
		},
	}
	f.Tell = true
	f.workers.flags(c)
	f.fetching(c)
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:2222", "address of the SSH server")
	f.http.flags(c)
	c.Flags().DurationVar(&f.every, "every", 24*time.Hour,
		"from one round of discovery and harvest to the next; 0 runs none")
	c.Flags().StringVar(&f.log, "log", "-", "file for the log; - is standard error, which systemd hands to the journal")
	c.Flags().StringVar(&f.format, "log-format", "text", "text or json, a line each")
	c.Flags().IntVar(&f.limits.Sessions, "sessions", 0, "people and scripts attached at once (32)")
	c.Flags().DurationVar(&f.limits.Idle, "idle", 0, "end a workbench without a key for so long (24h)")
	c.Flags().StringVar(&f.look.theme, "theme", "", "colours of all sessions; by default each terminal's own")
	return c
}

func (p *program) serve(c *cobra.Command, dir string, f *serving) (err error) {
	if f.every < 0 || f.every > 0 && f.every < time.Minute {
		return misusef("--every takes 1m or more, or 0 for no schedule")
	}
	if err := f.workers.check(); err != nil {
		return misuse(err)
	}
	cert, err := f.http.check()
	if err != nil {
		return misuse(err)
	}
	reloads := p.reloads() // from now on: a hangup must not end the opening
	log, file, err := logger(c.ErrOrStderr(), f.log, f.format)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	defer f.workers.Close() // after the engine
	e, err := f.open(c.Context(), dir, nil)
	if err != nil {
		return err
	}
	e.Files.Start()
	defer func() { err = errors.Join(err, e.Close()) }()
	host, err := secrets.HostKey(dir)
	if err != nil {
		return err
	}
	server, err := sshd.New(sshd.Config{Engine: e, HostKey: host, KeysPath: secrets.AuthorizedKeysPath(dir), Theme: f.look.theme, Limits: f.limits, Log: log,
		Keys: func() ([]byte, error) { return secrets.AuthorizedKeys(dir) }})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("cannot listen: %w; choose another address with --listen", err)
	}
	programs, err := f.http.open(c.Context(), net.Listen, e, cert, log)
	if err != nil {
		listener.Close()
		return err
	}
	if err := f.workers.begin(c.Context(), e, dir, log); err != nil {
		return err
	}
	e.Workspace().Announce(listener.Addr().String())
	manager := serviceManagerOf()
	manager.ready("serving on " + listener.Addr().String())
	return serveAll(c.Context(), f.every, served{e, server, listener, programs, log, file, manager, reloads})
}

// served is what a server consists of.
type served struct {
	engine   *crawl.Engine
	ssh      *sshd.Server
	listener net.Listener
	programs func(ctx context.Context) error // serves HTTP; nil = not asked for
	log      *slog.Logger
	file     *logFile
	manager  *serviceManager
	reloads  <-chan struct{}
}

// serveAll serves until ctx ends or the server fails.
func serveAll(ctx context.Context, every time.Duration, x served) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e, log := x.engine, x.log
	done := make(chan error, 6)
	n := 0
	begin := func(do func() error) {
		n++
		go func() { done <- do(); cancel() }()
	}
	begin(func() error { return x.ssh.Serve(ctx, x.listener) })
	begin(func() error { logEvents(ctx, e, log); return nil })
	begin(func() error { x.reload(ctx); return nil })
	if x.programs != nil {
		begin(func() error { return x.programs(ctx) })
	}
	if x.manager.socket != "" {
		begin(func() error { x.report(ctx); return nil })
	}
	if every > 0 {
		begin(func() error {
			e.Schedule.Rounds(ctx, every, func(s run.Summary, err error) {
				if err != nil {
					log.Warn("round", "err", err)
					return
				}
				log.Info("round", "task", s.Task, "fetched", s.Fetched, "failed", s.Failed, "aggregations",
					s.Aggregations, "notices", s.Notices, "changed", s.Changed, "seconds", s.Seconds)
			}, nil)
			return nil
		})
	}
	var err error
	for range n {
		err = errors.Join(err, <-done)
	}
	log.Info("ending")
	x.manager.stopping()
	return err
}
