package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"angler/store/secrets"
)

// HostOptions says how one host is asked differently from the others. The zero value is like
// all others.
type HostOptions struct {
	UserAgent string      // "" = Config.UserAgent; its product token selects the robots.txt group
	Header    http.Header // sent with every request, in canonical form

	User, Password string // of basic authentication; "" = none

	Proxy       string // "" = Config.Proxy, Direct = none, else an address as there
	Certificate []byte // SHA-256 of a leaf that is trusted whatever its authority; nil = none

	// Enter is called before each request for a page of the host, but not for those that
	// it makes itself with the context of Entering. Its error ends the fetch. nil = the
	// door is open.
	Enter func(ctx context.Context) error
}

// direct is the HostOptions.Proxy of a host that is asked without Config.Proxy.
const direct = "direct"

// hostOptions is a HostOptions in force.
type hostOptions struct {
	HostOptions
	product string
	header  http.Header // all that goes with a request, user agent included
	way     *way        // nil = that of the others
	byProxy bool        // with way: a proxy dials
}

// SetHostOptions replaces the doors, by host: HOST or HOST:PORT as in URLs. Connections of
// those that go another way now are made anew, and a robots.txt that was read under
// another name is read again. An error changes nothing. Safe for concurrent use, also
// while fetches are under way.
func (f *Fetcher) SetHostOptions(doors map[string]HostOptions) error {
	t := f.transport
	t.changing.Lock()
	defer t.changing.Unlock()
	old := t.doors.Load()
	next := make(map[string]*hostOptions, len(doors))
	for host, d := range doors {
		x := &hostOptions{HostOptions: d, product: f.product}
		if d.UserAgent != "" {
			x.product = productToken(d.UserAgent)
		}
		x.header = x.headers()
		if err := x.open(f, old, host); err != nil {
			return err
		}
		next[strings.ToLower(host)] = x
	}
	if len(next) == 0 {
		t.doors.Store(nil)
	} else {
		t.doors.Store(&next)
	}
	var was map[string]*hostOptions
	if old != nil {
		was = *old
	}
	for host, d := range was {
		if d.way != nil && (next[host] == nil || next[host].way != d.way) {
			d.way.CloseIdleConnections()
		}
	}
	f.robots.forget(func(host string) bool {
		a, b := was[host], next[host]
		return a != b && differs(a, b)
	})
	return nil
}

// differs reports whether the robots.txt of a host is read another way, or under another
// name, by one door than by the other; nil is none.
func differs(a, b *hostOptions) bool {
	a, b = cmp.Or(a, &hostOptions{}), cmp.Or(b, &hostOptions{})
	return a.way != b.way || a.product != b.product || !reflect.DeepEqual(a.header, b.header)
}

// headers are what goes with every request.
func (d *hostOptions) headers() http.Header {
	h := d.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	if d.UserAgent != "" {
		h.Set("User-Agent", d.UserAgent)
	}
	if d.User != "" {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(d.User+":"+d.Password)))
	}
	return h
}

// open gives a door that leads another way its own connections: those of before, where
// that way is the same.
func (d *hostOptions) open(f *Fetcher, old *map[string]*hostOptions, host string) error {
	if d.Proxy == "" && d.Certificate == nil || d.Proxy == direct && f.proxy == nil && d.Certificate == nil {
		return nil
	}
	proxy := f.proxy
	switch d.Proxy {
	case "":
	case direct:
		proxy = nil
	default:
		var err error
		if proxy, err = parseProxy(d.Proxy); err != nil {
			return fmt.Errorf("host %s: %w", host, err)
		}
	}
	d.byProxy = proxy != nil
	if old != nil {
		if was := (*old)[strings.ToLower(host)]; was != nil && was.way != nil && was.Proxy == d.Proxy && bytes.Equal(was.Certificate, d.Certificate) {
			d.way = was.way
			return nil
		}
	}
	d.way = f.transport.wayBy(f.cfg, proxy)
	if d.Certificate != nil {
		d.way.http.TLSClientConfig = trusting(d.Certificate, host)
	}
	return nil
}

// at returns the door of a host; nil = it is like all others.
func (t *transport) at(host string) *hostOptions {
	doors := t.doors.Load()
	if doors == nil {
		return nil
	}
	return (*doors)[strings.ToLower(host)]
}

// trusting accepts the certificate with the fingerprint, and any other that a known
// authority issued for host (HOST or HOST:PORT).
func trusting(fingerprint []byte, host string) *tls.Config {
	host = (&url.URL{Host: host}).Hostname()
	return &tls.Config{
		InsecureSkipVerify: true, // VerifyConnection does it
		VerifyConnection: func(c tls.ConnectionState) error {
			if len(c.PeerCertificates) == 0 {
				return &certificateError{}
			}
			leaf := c.PeerCertificates[0]
			sum := sha256.Sum256(leaf.Raw)
			if bytes.Equal(sum[:], fingerprint) {
				return nil
			}
			// The server name is empty where the address is an IP; a proxy has its own.
			opt := x509.VerifyOptions{DNSName: cmp.Or(c.ServerName, host), Intermediates: x509.NewCertPool()}
			for _, x := range c.PeerCertificates[1:] {
				opt.Intermediates.AddCert(x)
			}
			if _, err := leaf.Verify(opt); err != nil {
				return &certificateError{hex.EncodeToString(sum[:]), err}
			}
			return nil
		},
	}
}

// certificateError refuses a certificate that is neither the one that is trusted nor
// vouched for.
type certificateError struct {
	sum string
	err error
}

func (e *certificateError) Error() string {
	return fmt.Sprintf("the certificate is not the one that [host] trusts: its SHA-256 is %s (%v)", e.sum, e.err)
}
func (e *certificateError) Unwrap() error { return e.err }

// Fingerprint returns the SHA-256 of the certificate that a fetch failed for, in
// hexadecimal; "" when it failed for anything else.
func Fingerprint(err error) string {
	var own *certificateError
	if errors.As(err, &own) {
		return own.sum
	}
	var verify *tls.CertificateVerificationError
	if errors.As(err, &verify) && len(verify.UnverifiedCertificates) > 0 {
		sum := sha256.Sum256(verify.UnverifiedCertificates[0].Raw)
		return hex.EncodeToString(sum[:])
	}
	return ""
}

type enteringKey struct{}

type askingKey struct{}

// Asking is the fetcher whose request has called HostOptions.Enter, by the context that it was
// called with: it is allowed what that request is. nil = none has.
func Asking(ctx context.Context) *Fetcher {
	f, _ := ctx.Value(askingKey{}).(*Fetcher)
	return f
}

// Entering marks the requests that open a door: robots.txt, which speaks to crawlers, is
// not asked for them, and HostOptions.Enter is not called again.
func Entering(ctx context.Context) context.Context {
	return context.WithValue(ctx, enteringKey{}, true)
}

// admitted asks robots.txt and opens the door of a host.
func (f *Fetcher) admitted(ctx context.Context, u *url.URL) error {
	if f.transport.doors.Load() == nil {
		return f.permitted(ctx, u)
	}
	if ctx.Value(enteringKey{}) != nil {
		return nil
	}
	d := f.transport.at(u.Host)
	if err := f.permitted(ctx, u); err != nil {
		return err
	}
	if d == nil || d.Enter == nil {
		return nil
	}
	err := d.Enter(context.WithValue(ctx, askingKey{}, f))
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if ctx.Err() != nil {
		return &Error{Kind: Canceled, URL: u.String(), Err: context.Cause(ctx)}
	}
	return &Error{Kind: Login, URL: u.String(), Err: errors.New(secrets.Redact(err.Error()))}
}
