package fetch

import (
	"errors"
	"fmt"
	"net"
	"time"
)

// This file transfers errors and responses of a Fetcher on another machine, which may lie.

// Report is an Error in transferable form.
type Report struct {
	Kind, Under Kind // Under: with RobotsUnavailable, the kind of the robots.txt request's failure
	Cause       string
	NoSuchHost  bool // the resolver says that the name does not exist
	RetryAfter  time.Duration
}

// Report returns the transferable form of an error.
func (e *Error) Report() Report {
	r := Report{Kind: e.Kind, Under: e.under, NoSuchHost: e.NoSuchHost(), RetryAfter: e.RetryAfter}
	if e.Err != nil {
		r.Cause = printable(e.Err.Error())
	}
	return r
}

// Error returns the reported error of a URL. It returns an error if no Fetcher makes such a report.
func (r Report) Error(url string) (*Error, error) {
	if kindText[r.Kind] == "" || r.Kind == Login || r.Under != "" && kindText[r.Under] == "" {
		return nil, fmt.Errorf("an error of the kinds %.20q, %.20q", r.Kind, r.Under)
	}
	e := &Error{Kind: r.Kind, URL: url, under: r.Under, RetryAfter: min(max(r.RetryAfter, 0), maxRetryAfter)}
	if r.NoSuchHost {
		e.Err = noSuchHost{}
	} else if r.Cause != "" {
		e.Err = errors.New(printable(r.Cause))
	}
	return e, nil
}

// noSuchHost is a remote resolver's verdict; the URL names the host.
type noSuchHost struct{}

func (noSuchHost) Error() string { return "no such host" }

func (noSuchHost) Unwrap() error { return &net.DNSError{Err: "no such host", IsNotFound: true} }

// Believable returns an error if no Fetcher would return such a response. It does not check URL and
// body.
func (r *Response) Believable() error {
	switch {
	case r.Status < 200 || r.Status > 999:
		return fmt.Errorf("status %d means nothing", r.Status)
	case r.ContentType != oneLine(r.ContentType, maxContentType), r.ETag != entityTag(r.ETag),
		r.LastModified != modified(r.LastModified):
		return errors.New("a header value that is not kept")
	case r.RetryAfter < 0 || r.RetryAfter > maxRetryAfter || r.Took < 0:
		return errors.New("a time out of bounds")
	case r.Location != "" && (r.Status < 300 || r.Status > 399):
		return errors.New("a redirect without its status")
	}
	return nil
}
