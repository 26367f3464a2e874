package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"angler/store/secrets"
)

// Kind is the step at which a fetch failed.
type Kind string

// The kinds of Error.
const (
	Robots            Kind = "robots"             // robots.txt forbids the URL
	RobotsUnavailable Kind = "robots unavailable" // robots.txt cannot be read: the host is closed for now
	Guard             Kind = "guard"              // the address is not public
	DNS               Kind = "dns"
	Connect           Kind = "connect" // refused, reset, or closed before the headers
	TLS               Kind = "tls"
	Timeout           Kind = "timeout"
	Protocol          Kind = "protocol" // the reply is no HTTP or violates it
	Body              Kind = "body"     // broken or undecodable after the headers
	Redirect          Kind = "redirect"
	Canceled          Kind = "canceled" // the caller's context ended
	BadURL            Kind = "bad url"
	Login             Kind = "login" // the host requires a login, which failed
)

// Error is the type of every error of this package. It prints as one line.
type Error struct {
	Kind Kind
	URL  string // as requested
	Err  error  // the cause; may be nil

	// RetryAfter is how long a host stays closed after its robots.txt could not be read, without
	// another request. It is 0 after a failure of the page's own request.
	RetryAfter time.Duration

	under Kind // with RobotsUnavailable, the kind of the robots.txt request's failure
}

var kindText = map[Kind]string{
	Robots:            "robots.txt forbids it",
	RobotsUnavailable: "robots.txt cannot be read, so the host is closed for now; try again later",
	Guard:             "not a public address; name its host as a seed, or allow private addresses (--allow-private)",
	DNS:               "the host name has no address; check the spelling or the network",
	Connect:           "cannot connect; check the host or the proxy, or try again later",
	TLS:               "no trusted secure connection; try http:// or another host name",
	Timeout:           "timed out; try again later or allow more time",
	Protocol:          "no answer that HTTP knows; check the port, or try again later",
	Body:              "the answer was cut off or unreadable; try again later",
	Redirect:          "redirected too often; give the final address",
	Canceled:          "canceled",
	BadURL:            "not a fetchable URL; write http://HOST/PATH",
	Login:             "the login failed; try it with: angler lists login DIR HOST",
}

// Error implements error.
func (e *Error) Error() string {
	return secrets.Redact(printable(e.URL)) + ": " + e.Reason()
}

// Reason returns the error text without the address.
func (e *Error) Reason() string {
	s := kindText[e.Kind]
	if e.Err != nil {
		s += " (" + printable(e.Err.Error()) + ")"
	}
	return secrets.Redact(s)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same request may succeed later without any change by the user. "No
// such host" is temporary, because the resolver may have lost its network, and a certificate may be
// renewed. A robots.txt rule, a refused address and an unfetchable URL are not.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case RobotsUnavailable, DNS, Connect, TLS, Timeout, Protocol, Body, Canceled, Login:
		return true
	}
	return false
}

// Unreachable reports whether nothing answered, so that the network in between may be the cause.
func (e *Error) Unreachable() bool {
	switch cmp.Or(e.under, e.Kind) {
	case DNS, Connect, TLS, Timeout:
		return true
	}
	return false
}

// NoSuchHost reports whether the resolver says that the name does not exist.
func (e *Error) NoSuchHost() bool {
	d, ok := errors.AsType[*net.DNSError](e.Err)
	return ok && d.IsNotFound
}

// printable returns a text on one line of at most 300 runes without control characters, because
// URLs and causes contain foreign text.
func printable(s string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		n++
		switch {
		case n > 300:
			return -1
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069:
			return ' '
		}
		return r
	}, s)
}

// classify turns an error of http.Client into an *Error.
func classify(ctx context.Context, rawURL string, err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	e := &Error{URL: rawURL, Kind: Connect, Err: err}
	ue, wrapped := errors.AsType[*url.Error](err)
	timeout := false
	if wrapped { // its text repeats method and URL
		timeout = ue.Timeout()
		e.Err = ue.Err
	}
	guard, isGuard := errors.AsType[*guardError](err)
	netErr, isNet := errors.AsType[net.Error](err)
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Err = Canceled, context.Cause(ctx)
	case isGuard:
		e.Kind, e.Err = Guard, guard
	case timeout || errors.Is(err, context.DeadlineExceeded) || isNet && netErr.Timeout() && !is[*net.DNSError](err):
		e.Kind = Timeout
	case is[*net.DNSError](err):
		e.Kind = DNS
	case isTLS(err):
		e.Kind = TLS
	case is[*bodyError](err):
		e.Kind = Body
	case is[*protocolError](err) || isMalformed(err):
		e.Kind = Protocol
	case !wrapped || ue.Op == "parse":
		e.Kind = BadURL // colly's parser refused it; http.Client returns a *url.Error
	}
	return e
}

// is reports whether an error wraps one of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isTLS(err error) bool {
	return is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err) || is[tls.AlertError](err) ||
		is[x509.HostnameError](err) || is[x509.UnknownAuthorityError](err) || is[*certificateError](err) ||
		errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ")
}

// isMalformed recognises net/http's errors about a response head, most of which have no type.
func isMalformed(err error) bool {
	text := err.Error()
	for _, sign := range [...]string{"malformed HTTP", "malformed MIME", "Content-Length", "transfer encoding",
		"headers exceeded", "message too large", "too many 1xx", "PROTOCOL_ERROR"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
