package alerts

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angler/store/config"
	"angler/store/secrets"
)

// outgoing is one digest with its reference.
type outgoing struct {
	Ref    string // unique; the same at every attempt
	Digest *Digest
}

// way sends messages to one place. It is safe for concurrent use.
type way interface {
	// send returns nil once the message was accepted. A *retryLater gives the time that the server
	// asked to wait.
	send(ctx context.Context, m *outgoing) error
	// split divides a digest that is too long for one message.
	split(d *Digest) []*Digest
}

// retryLater is a failure with the wait that the server asked for.
type retryLater struct {
	After time.Duration
	Err   error
}

func (l *retryLater) Error() string { return l.Err.Error() }

// Unwrap returns the underlying error.
func (l *retryLater) Unwrap() error { return l.Err }

// WayEnv holds the environment of a way.
type WayEnv struct {
	Dir    string // folder of the workspace
	Getenv func(string) string
	Now    func() time.Time
	Roots  *x509.CertPool // trusted certificate authorities; nil = those of the machine
}

// maxRows bounds the rows of a message, for ways without a limit of their own.
const maxRows = 200

// newWay returns the way of a checked setting.
func newWay(n *config.Notify, env WayEnv) way {
	base := base{*n, env}
	if n.Way == config.WaySMTP {
		return mailer{base}
	}
	return webhook{base, robots[n.Way]}
}

// base holds the common parts of all ways.
type base struct {
	set config.Notify
	env WayEnv
}

// split implements way.
func (b base) split(d *Digest) []*Digest { return d.split(maxRows) }

// wayPlace identifies the receiver of a setting. Settings with equal places have the same
// receivers.
func wayPlace(n *config.Notify) string {
	if n.Way == config.WaySMTP {
		to := make([]string, len(n.To))
		for i, a := range n.To {
			to[i] = strings.ToLower(strings.TrimSpace(a))
		}
		slices.Sort(to)
		return "smtp " + strings.Join(slices.Compact(to), " ")
	}
	where := n.URL
	switch {
	case n.URLFile != "":
		where = "file " + n.URLFile
	case n.URLEnv != "":
		where = "env " + n.URLEnv
	}
	return n.Way + " " + where
}

// wayShown describes the receiver for the screen, without secrets.
func wayShown(n *config.Notify) string {
	if n.Way == config.WaySMTP {
		return fmt.Sprintf("mail to %s by %s", strings.Join(n.To, ", "), n.Server)
	}
	switch {
	case n.URLFile != "":
		return n.Way + ", address in " + n.URLFile
	case n.URLEnv != "":
		return n.Way + ", address in $" + n.URLEnv
	}
	return n.Way + " at " + config.HostOnly(n.URL)
}

// secretsOf returns parts of an address that may be secret: the whole, query values, and path
// segments of 16 bytes or more.
func secretsOf(address string) []string {
	out := []string{address}
	u, err := url.Parse(address)
	if err != nil {
		return out
	}
	for _, list := range u.Query() {
		out = append(out, list...)
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if len(part) >= 16 {
			out = append(out, part)
		}
	}
	return append(out, u.RawQuery)
}

// maxSecret bounds a secret or an address from a file, in bytes.
const maxSecret = 4096

// secret reads a secret from its file or environment variable; "" if neither is set.
func (b *base) secret(what, file, variable string) (string, error) {
	switch {
	case file != "":
		if !filepath.IsAbs(file) {
			file = filepath.Join(b.env.Dir, file)
		}
		f, err := os.Open(file)
		if err != nil {
			return "", fmt.Errorf("%s cannot be read: %w", what, err)
		}
		defer f.Close()
		v := make([]byte, maxSecret+1)
		n, err := f.Read(v)
		if n == 0 && err != nil || n > maxSecret || len(strings.TrimSpace(string(v[:n]))) == 0 {
			return "", fmt.Errorf("%s: %s is empty or too long", what, file)
		}
		return strings.TrimSpace(string(v[:n])), nil
	case variable != "":
		v := b.env.Getenv(variable)
		if v == "" {
			return "", fmt.Errorf("%s: the environment variable %s is not set", what, variable)
		}
		return v, nil
	}
	return "", nil
}

// waysPayload is the JSON of a plain webhook.
type waysPayload struct {
	Ref   string `json:"ref"` // equal for all attempts
	Title string `json:"title"`
	Text  string `json:"text"`
	*Digest
}

func payloadOf(m *outgoing) ([]byte, error) {
	return json.Marshal(waysPayload{m.Ref, m.Digest.title(), m.Digest.Text(), m.Digest})
}

// maxReply bounds the quoted part of a reply, in bytes.
const maxReply = 200

// cleanReply returns a reply in one line, without secrets and control characters.
func cleanReply(s string, hide ...string) string {
	for _, x := range hide {
		if len(x) >= 4 {
			s = strings.ReplaceAll(s, x, secrets.Masked)
		}
	}
	return cutBytes(digestLine(secrets.Redact(s), 2*maxReply), maxReply)
}

// bounded returns a timeout error if an attempt ran out of time, else shown.
func bounded(ctx context.Context, wait time.Duration, err, shown error) error {
	var slow net.Error
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.As(err, &slow) && slow.Timeout() {
		return fmt.Errorf("no end within %v", wait)
	}
	return shown
}
