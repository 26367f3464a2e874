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

// HostOptions configures requests to one host. The zero value changes nothing.
type HostOptions struct {
	UserAgent string      // "" = Config.UserAgent; its product token selects the robots.txt group
	Header    http.Header // sent with every request, in canonical form

	User, Password string // basic authentication; "" = none

	Proxy       string // "" = Config.Proxy, direct = none, else an address as there
	Certificate []byte // SHA-256 of a leaf certificate to trust whatever its issuer; nil = none

	// Enter is called before each request for a page of the host, for example to log in. It is not
	// called for requests with a context of Entering. Its error ends the fetch; nil = no call.
	Enter func(ctx context.Context) error
}

// direct is the HostOptions.Proxy that disables Config.Proxy.
const direct = "direct"

// hostOptions is a HostOptions in force.
type hostOptions struct {
	HostOptions
	product string
	header  http.Header // header fields of every request, user agent included
	way     *way        // own connections; nil = those of other hosts
	byProxy bool        // with way: a proxy dials
}

// SetHostOptions replaces the options of all hosts, by HOST or HOST:PORT as in URLs. Changed
// proxies and certificates get new connections, and a changed user agent or header reloads
// robots.txt. An error changes nothing. It is safe for concurrent use, also during fetches.
func (f *Fetcher) SetHostOptions(options map[string]HostOptions) error {
	t := f.transport
	t.changing.Lock()
	defer t.changing.Unlock()
	old := t.hosts.Load()
	next := make(map[string]*hostOptions, len(options))
	for host, d := range options {
		x := &hostOptions{HostOptions: d, product: f.product}
		if d.UserAgent != "" {
			x.product = productToken(d.UserAgent)
		}
		x.header = x.headers()
		if err := x.setWay(f, old, host); err != nil {
			return err
		}
		next[strings.ToLower(host)] = x
	}
	if len(next) == 0 {
		t.hosts.Store(nil)
	} else {
		t.hosts.Store(&next)
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

// differs reports whether two options read the robots.txt of a host with different connections,
// names or headers; nil means no options.
func differs(a, b *hostOptions) bool {
	a, b = cmp.Or(a, &hostOptions{}), cmp.Or(b, &hostOptions{})
	return a.way != b.way || a.product != b.product || !reflect.DeepEqual(a.header, b.header)
}

// headers returns the header fields of every request.
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

// setWay sets the connections of a host with its own proxy or certificate. It reuses the old ones if
// these did not change.
func (d *hostOptions) setWay(f *Fetcher, old *map[string]*hostOptions, host string) error {
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
		if was := (*old)[strings.ToLower(host)]; was != nil && was.way != nil && was.Proxy == d.Proxy &&
			bytes.Equal(was.Certificate, d.Certificate) {
			d.way = was.way
			return nil
		}
	}
	d.way = f.transport.newWay(f.cfg, proxy)
	if d.Certificate != nil {
		d.way.http.TLSClientConfig = trusting(d.Certificate, host)
	}
	return nil
}

// optionsOf returns the options of a host; nil = none.
func (t *transport) optionsOf(host string) *hostOptions {
	hosts := t.hosts.Load()
	if hosts == nil {
		return nil
	}
	return (*hosts)[strings.ToLower(host)]
}

// trusting returns a TLS configuration that accepts the certificate with this fingerprint. It also
// accepts any certificate that a known authority issued for host (HOST or HOST:PORT).
func trusting(fingerprint []byte, host string) *tls.Config {
	host = (&url.URL{Host: host}).Hostname()
	return &tls.Config{
		InsecureSkipVerify: true, // VerifyConnection verifies
		VerifyConnection: func(c tls.ConnectionState) error {
			if len(c.PeerCertificates) == 0 {
				return &certificateError{}
			}
			leaf := c.PeerCertificates[0]
			sum := sha256.Sum256(leaf.Raw)
			if bytes.Equal(sum[:], fingerprint) {
				return nil
			}
			// The server name is empty for an IP address; a proxy has its own.
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

// certificateError refuses a certificate that is neither the trusted one nor issued by a known
// authority.
type certificateError struct {
	sum string
	err error
}

func (e *certificateError) Error() string {
	return fmt.Sprintf("the certificate is not the one that [host] trusts: its SHA-256 is %s (%v)", e.sum, e.err)
}
func (e *certificateError) Unwrap() error { return e.err }

// Fingerprint returns the SHA-256, in hexadecimal, of a certificate that made a fetch fail; "" for
// other errors.
func Fingerprint(err error) string {
	if own, ok := errors.AsType[*certificateError](err); ok {
		return own.sum
	}
	verify, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if ok && len(verify.UnverifiedCertificates) > 0 {
		sum := sha256.Sum256(verify.UnverifiedCertificates[0].Raw)
		return hex.EncodeToString(sum[:])
	}
	return ""
}

type enteringKey struct{}

type askingKey struct{}

// Asking returns the Fetcher that called HostOptions.Enter with this context; nil = none. Requests
// of Enter have the same permissions.
func Asking(ctx context.Context) *Fetcher {
	f, _ := ctx.Value(askingKey{}).(*Fetcher)
	return f
}

// Entering marks the requests of a login. robots.txt addresses crawlers, so it is not checked for
// them, and HostOptions.Enter is not called again.
func Entering(ctx context.Context) context.Context {
	return context.WithValue(ctx, enteringKey{}, true)
}

// admitted checks robots.txt and calls Enter of the host.
func (f *Fetcher) admitted(ctx context.Context, u *url.URL) error {
	if f.transport.hosts.Load() == nil {
		return f.permitted(ctx, u)
	}
	if ctx.Value(enteringKey{}) != nil {
		return nil
	}
	d := f.transport.optionsOf(u.Host)
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
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	if ctx.Err() != nil {
		return &Error{Kind: Canceled, URL: u.String(), Err: context.Cause(ctx)}
	}
	return &Error{Kind: Login, URL: u.String(), Err: errors.New(secrets.Redact(err.Error()))}
}
