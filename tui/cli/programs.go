package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/auth"
	"angler/crawl/httpapi"
	"angler/crawl/web"
	"angler/store/config"
	"angler/store/secrets"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// httpFlags are the flags of the HTTP server.
type httpFlags struct {
	address   string
	cert, key string
	insecure  bool
	hosts     []string
	propose   bool
}

func (f *httpFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.address, "http", "", "address of the HTTP API and metrics, such as 127.0.0.1:9464")
	c.Flags().StringVar(&f.cert, "http-cert", "", "certificate of --http, a PEM file; then it speaks TLS")
	c.Flags().StringVar(&f.key, "http-key", "", "private key of --http-cert, a PEM file")
	c.Flags().BoolVar(&f.insecure, "http-insecure", false, "let --http serve other machines without TLS")
	c.Flags().BoolVar(&f.propose, "allow-label", false,
		"let assistants with an analyst's token propose labels, samples and seeds")
	c.Flags().StringSliceVar(&f.hosts, "http-host", nil, "name by which clients reach --http; IP addresses need none")
}

// check reads the certificate; nil means plain HTTP.
func (f *httpFlags) check() (*tls.Certificate, error) {
	switch {
	case f.address == "" && (f.cert != "" || f.key != "" || f.insecure || f.hosts != nil || f.propose):
		return nil, errors.New("--http-cert, --http-key, --http-insecure, --http-host and --allow-label go with --http ADDR")
	case (f.cert == "") != (f.key == ""):
		return nil, errors.New("--http-cert and --http-key go together")
	case f.cert != "":
		cert, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, fmt.Errorf("--http-cert: %w", err)
		}
		return &cert, nil
	case f.address != "" && httpapi.Public(f.address) && !f.insecure:
		return nil, fmt.Errorf("--http %s can be reached by other machines, and tokens would cross the network in "+
			"plain text; give --http-cert and --http-key, listen on 127.0.0.1, or add --http-insecure behind a proxy "+
			"with TLS", f.address)
	}
	return nil, nil
}

// open listens and returns what serves until its context ends; nil without --http.
func (f *httpFlags) open(ctx context.Context, listen func(network, address string) (net.Listener, error),
	e *crawl.Engine, cert *tls.Certificate, log *slog.Logger) (func(context.Context) error, error) {
	if f.address == "" {
		return nil, nil
	}
	service := api.Live(e)
	hosts := widget.Map(f.hosts, strings.ToLower)
	chinese, err := i18n.Pick("zh", nil)
	if err != nil {
		return nil, err
	}
	server, err := httpapi.New(ctx, httpapi.Config{Engine: e, Service: service, Propose: f.propose, TLS: cert != nil, Hosts: hosts, Log: log,
		Pages: web.New(service, web.Options{Chinese: chinese.Line})})
	if err != nil {
		return nil, err
	}
	l, err := listen("tcp", f.address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w; choose another address with --http", err)
	}
	scheme := widget.Either(cert != nil, "https://", "http://")
	log.Info("http", "url", scheme+l.Addr().String()+"/")
	return func(ctx context.Context) error {
		return errors.Join(server.Serve(ctx, l, cert), service.Close())
	}, nil
}

func tokenNoun() *cobra.Command {
	c := noun("token", "Let programs ask a served workspace over HTTP", tokenAddCommand(), tokenListCommand(),
		tokenRemoveCommand())
	c.Long += "\n\nA token is the password of one program, which angler serve DIR --http ADDR asks for."
	return c
}

func tokenAddCommand() *cobra.Command {
	var role string
	c := &cobra.Command{
		Use: "add DIR NAME", Short: "Make a token and print it once",
		Example: "  angler token add DIR calendar --role viewer",
		Long: "add prints a new token. It is stored as a hash and cannot be shown again. NAME says whose it is; notices\n" +
			"that this name has read count as read for the program.",
		RunE: func(c *cobra.Command, args []string) error {
			r, err := auth.Parse(role)
			if err != nil || r == auth.Admin {
				return misusef("--role %.40q: write viewer or analyst", role)
			}
			if _, err := config.Read(args[0]); err != nil {
				return err
			}
			token, err := secrets.AddToken(args[0], args[1], string(r), time.Now())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), token)
			return err
		},
	}
	c.Flags().StringVar(&role, "role", string(auth.Viewer), "viewer or analyst")
	return c
}

// tokenRow is a token in a list.
type tokenRow struct {
	Name    string    `json:"name"`
	Role    string    `json:"role"`
	Created time.Time `json:"created"`
	Used    time.Time `json:"used,omitzero"`
}

var tokenTable = listing[tokenRow]{None: "no tokens; make one with: angler token add DIR NAME",
	Heads: "token\trole\tmade\tlast used", Left: []int{0, 1, 2, 3}, Cells: func(t *tokenRow) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", t.Name, t.Role, moment(t.Created), moment(t.Used))
	}}

func tokenListCommand() *cobra.Command {
	return jsonFlag(&cobra.Command{
		Use: "list DIR", Short: "List the tokens with their last use",
		Example: "  angler token list DIR",
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := config.Read(args[0]); err != nil {
				return err
			}
			list, err := secrets.Tokens(args[0])
			rows := widget.Map(list,
				func(t secrets.Token) tokenRow { return tokenRow{t.Name, t.Role, t.Created, t.Used} })
			return tokenTable.print(c, rows, err)
		},
	})
}

func tokenRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove DIR NAME", Short: "Remove a token; it opens nothing any more",
		Example: "  angler token remove DIR calendar",
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := config.Read(args[0]); err != nil {
				return err
			}
			return secrets.RemoveToken(args[0], args[1])
		},
	}
}
