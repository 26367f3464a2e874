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
	stored "angler/store/secrets"
)

// Message is what is sent.
type Message struct {
	Ref    string // unique; the same at every attempt
	Digest *Digest
}

// way sends messages to one place. It is safe for concurrent use.
type way interface {
	// Send returns nil once the message has arrived; a *retryLater says when the place
	// wants to be asked again.
	Send(ctx context.Context, m *Message) error
	// Most splits what is too long for one message.
	Split(d *Digest) []*Digest
}

// retryLater is a failure of a place that said when to come again.
type retryLater struct {
	After time.Duration
	Err   error
}

func (l *retryLater) Error() string { return l.Err.Error() }

// Unwrap returns the failure.
func (l *retryLater) Unwrap() error { return l.Err }

// WayEnv is what ways take from their surroundings.
type WayEnv struct {
	Dir    string // the workspace's
	Getenv func(string) string
	Now    func() time.Time
	Roots  *x509.CertPool // who vouches for servers; nil = this machine's
}

// mostRows are told in one message of a way without a bound of its own.
const mostRows = 200

// newWay returns the way of a setting, which was checked.
func newWay(n *config.Notify, env WayEnv) way {
	base := base{*n, env}
	if n.Way == config.WaySMTP {
		return mailer{base}
	}
	return hook{base, robots[n.Way]}
}

// base is what all ways have.
type base struct {
	set config.Notify
	env WayEnv
}

// Split implements Way.
func (b base) Split(d *Digest) []*Digest { return d.Split(mostRows) }

// wayPlace tells one place from another: two settings with the same place tell the
// same people.
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

// wayShown says for people where a setting sends, without secrets.
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

// secretsOf are the parts of an address that may be secrets: it as a whole, the
// values of its query, and long parts of its path.
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

// longestSecret bounds a secret and an address from a file.
const longestSecret = 4096

// secret reads a secret from its file or its variable; "" when neither is set.
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
		v := make([]byte, longestSecret+1)
		n, err := f.Read(v)
		if n == 0 && err != nil || n > longestSecret || len(strings.TrimSpace(string(v[:n]))) == 0 {
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

// waysPayload is a message as programs read it.
type waysPayload struct {
	Ref   string `json:"ref"` // the same at every attempt
	Title string `json:"title"`
	Text  string `json:"text"`
	*Digest
}

func payloadOf(m *Message) ([]byte, error) {
	return json.Marshal(waysPayload{m.Ref, m.Digest.Title(), m.Digest.Text(), m.Digest})
}

// mostSaid bounds what is repeated of an answer, in bytes.
const mostSaid = 200

// said is an answer in one line, without secrets and control characters.
func said(s string, secrets ...string) string {
	for _, x := range secrets {
		if len(x) >= 4 {
			s = strings.ReplaceAll(s, x, stored.Masked)
		}
	}
	return cutBytes(digestLine(stored.Redact(s), 2*mostSaid), mostSaid)
}

// bounded tells an attempt that ran out of time, which failed with err, from others,
// which are shown as they say.
func bounded(ctx context.Context, wait time.Duration, err, shown error) error {
	var slow net.Error
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.As(err, &slow) && slow.Timeout() {
		return fmt.Errorf("no end within %v", wait)
	}
	return shown
}
