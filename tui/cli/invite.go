package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/workers"
	"angler/store/config"
	"angler/store/secrets"
)

// maxInvitation bounds the file with an invitation, in bytes.
const maxInvitation = 4 << 10

func joinCommand() *cobra.Command {
	var token, creds, name, proxy string
	var slots int
	var tags []string
	c := &cobra.Command{
		Use:     "join nats://HOST:PORT",
		Short:   "Run as a worker of a crawl that is served elsewhere",
		Example: "  angler workers join nats://crawl.example.edu.cn:4222 --token-file invitation",
		Long: "join takes jobs of the crawl that angler serve DIR --workers-listen ADDR leads, fetches and\n" +
			"reads their pages and sends them back. It needs an invitation (angler workers invite DIR) and keeps\n" +
			"nothing on disk. It waits for the server, and ends with Ctrl-C.",
		RunE: func(c *cobra.Command, args []string) error {
			if (token == "") == (creds == "") {
				return misusef("name the invitation with --token-file, or the credentials of an outside " +
					"server with --creds")
			}
			if slots < 1 || slots > 4096 {
				return misusef("--slots %d: from 1 to 4096", slots)
			}
			if name != "" && !workers.ValidName(name) {
				return misusef("--name %q: use up to 63 of a-z, 0-9, - and _", name)
			}
			options, only, err := access(token, creds)
			if err != nil {
				return err
			}
			if only != "" && name != "" && name != only {
				return misusef("--name %s: the invitation is for the worker %s alone", name, only)
			}
			if name = cmp.Or(name, only); name == "" {
				name = nameHere()
			}
			note := workers.LogTo(c.ErrOrStderr(), name)
			conn, err := connect(args[0], "worker "+name, note, options)
			if err != nil {
				return err
			}
			defer conn.Close()
			return workers.RunWorker(c.Context(),
				workers.WorkerConfig{Conn: conn, Name: name, Slots: slots, Tags: tags, Proxy: proxy, Note: note})
		},
	}
	c.Flags().StringVar(&token, "token-file", "", "file with the invitation; - is standard input")
	c.Flags().StringVar(&creds, "creds", "", "credentials for an outside NATS server")
	c.Flags().StringVar(&name, "name", "", "name of this worker (default that of the machine)")
	c.Flags().IntVar(&slots, "slots", 16, "concurrent fetches")
	c.Flags().StringSliceVar(&tags, "tags", nil,
		"tags of this worker; [host.\"x\"] worker = \"TAG\" sends a host to it")
	c.Flags().StringVar(&proxy, "proxy", "", "fetch through this proxy (http:// or socks5://)")
	return c
}

// nameHere returns a name that no other worker has.
func nameHere() string {
	host, _ := os.Hostname()
	host = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(host))
	return strings.Trim(fmt.Sprintf("%.40s-%s", host, strings.ToLower(rand.Text()[:6])), "-")
}

// access returns the options that prove a worker's invitation; only is the name it must have, "":
// any.
func access(token, creds string) (options []nats.Option, only string, err error) {
	if creds != "" {
		return []nats.Option{nats.UserCredentials(creds)}, "", nil
	}
	f, err := openFile(token)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxInvitation))
	if err != nil {
		return nil, "", err
	}
	a, err := workers.ParseWorkerAccess(string(b))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", token, err)
	}
	return a.Options(), a.Worker, nil
}

// connect connects to a server and stays connected.
func connect(url, name string, note func(string, ...any), options []nats.Option) (*nats.Conn, error) {
	conn, err := nats.Connect(url, append(options, nats.Name(name), nats.MaxReconnects(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				note("the server is away: %v", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { note("the server is there again") }))...)
	switch {
	case err == nil:
		return conn, nil
	case errors.Is(err, workers.ErrCertificate):
		return nil, fmt.Errorf("%s: %w", secrets.RedactAddress(url), workers.ErrCertificate)
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("%s refuses access; make a new invitation where the workspace is: angler workers "+
			"invite DIR > FILE", secrets.RedactAddress(url))
	}
	return nil, fmt.Errorf("cannot reach %s: %w; is it served there, with --workers-listen?",
		secrets.RedactAddress(url), err)
}

func inviteCommand() *cobra.Command {
	var withdraw bool
	c := &cobra.Command{
		Use: "invite DIR [NAME]", Short: "Print an invitation for workers",
		Example: "  angler workers invite DIR > invitation",
		Long: "invite prints one line: the token that lets workers in, and the certificate by which they know\n" +
			"the server. Its holder can send pages into the crawl, so keep it as you keep a password.\n" +
			"With NAME it lets in the worker of that name alone: once that is banned, it opens nothing.\n" +
			"--withdraw first takes back all invitations there are: workers with one of them end with the\n" +
			"reason, also while angler serve runs. The line that is printed is a new one.",
		RunE: func(c *cobra.Command, args []string) error {
			dir, only := args[0], ""
			if len(args) == 2 {
				if only = args[1]; !workers.ValidName(only) {
					return misusef("NAME %q: use up to 63 of a-z, 0-9, - and _", only)
				}
				if withdraw {
					return misusef("--withdraw takes back the invitations of all; to shut out one "+
						"worker: angler workers ban %s %s", dir, only)
				}
			}
			if _, err := config.Read(dir); err != nil {
				return err
			}
			if withdraw {
				if err := workers.WithdrawInvitation(dir); err != nil {
					return fmt.Errorf("the invitations still hold: %w", err)
				}
			}
			a, err := workers.WorkerInvitation(dir)
			if only != "" {
				a = a.For(only)
			}
			if err == nil {
				_, err = fmt.Fprintln(c.OutOrStdout(), a)
			}
			return err
		},
	}
	c.Flags().BoolVar(&withdraw, "withdraw", false, "revoke all earlier invitations first")
	return c
}

// workerServer is the server for workers in serve: its flags, then the server.
type workerServer struct {
	listen   string
	url      string
	creds    string
	replicas int

	conn   *nats.Conn
	broker *workers.Broker
}

// flags adds the flags of serve.
func (s *workerServer) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.listen, "workers-listen", "",
		"accept workers at this address, such as 127.0.0.1:4222; see angler workers invite")
	c.Flags().StringVar(&s.url, "nats", "", "accept workers through this outside NATS server with JetStream")
	c.Flags().StringVar(&s.creds, "creds", "", "credentials for the outside NATS server")
	c.Flags().IntVar(&s.replicas, "nats-replicas", 1, "number of servers in a cluster that hold each queue: 1, 3 or 5")
}

// check returns the misuse of the flags.
func (s *workerServer) check() error {
	switch {
	case s.listen != "" && s.url != "":
		return errors.New("--workers-listen starts a server, --nats uses another one: choose")
	case s.creds != "" && s.url == "":
		return errors.New("--creds goes with --nats")
	case s.replicas != 1 && s.replicas != 3 && s.replicas != 5:
		return fmt.Errorf("--nats-replicas %d: 1, 3 or 5", s.replicas)
	}
	return nil
}

// begin accepts workers for the runs of an engine, if requested.
func (s *workerServer) begin(ctx context.Context, e *crawl.Engine, dir string, log *slog.Logger) (err error) {
	note := func(format string, args ...any) { log.Warn("workers", "what", fmt.Sprintf(format, args...)) }
	switch {
	case s.listen != "":
		if s.broker, err = workers.StartBroker(dir, s.listen); err != nil {
			return err
		}
		s.broker.Bar(e.Machines.Banned)
		s.conn, err = s.broker.Connect()
		e.Machines.Invited("angler workers join nats://" + s.broker.Addr() + " --token-file FILE")
		log.Info("workers may come", "url", "nats://"+s.broker.Addr(), "invite", "angler workers invite "+dir,
			"version", config.Version)
	case s.url != "":
		var options []nats.Option
		if s.creds != "" {
			options = append(options, nats.UserCredentials(s.creds))
		}
		s.conn, err = connect(s.url, "angler owner", note, options)
		e.Machines.Invited("angler workers join " + secrets.Redact(s.url) + " --creds FILE")
	default:
		return nil
	}
	if err != nil {
		return err
	}
	replicas := s.replicas
	if s.broker != nil {
		replicas = 0
	}
	_, err = e.Machines.Employ(ctx, s.conn, replicas)
	return err
}

// Close ends the server. The engine must have been closed before.
func (s *workerServer) Close() {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.broker != nil {
		s.broker.Close()
	}
}
