package store

import (
	"strconv"
	"strings"

	"angler/message"
)

// Failure is the reason why a fetch returned no page, as an error. The zero value means no failure.
type Failure struct {
	Kind   FailureKind
	Detail string // for people; no code decides by it
}

// FailureKind is a kind of failure. The names are on disk and stay. StatusFailure makes others, and
// older programs wrote some that are not listed here.
type FailureKind string

// The kinds of failures. Those of package fetch have the same names there.
const (
	FailedRobots      FailureKind = "robots" // robots.txt forbids the URL
	FailedGuard       FailureKind = "guard"  // not an address of the public Internet
	FailedBadURL      FailureKind = "bad url"
	FailedRedirect    FailureKind = "redirect"
	FailedCaptcha     FailureKind = "captcha"
	FailedAsks        FailureKind = "asks for a login"
	FailedLogin       FailureKind = "login failed"
	FailedOtherLogin  FailureKind = "asks for another login" // our login is valid, but does not open this page
	FailedSoft404     FailureKind = "soft 404"               // an error page with status 200
	FailedBusy        FailureKind = "server busy"            // a page with status 200 says so
	FailedNoPage      FailureKind = "no page"
	FailedSitemap     FailureKind = "not a sitemap"
	FailedRecipe      FailureKind = "recipe does not fit"
	FailedRow         FailureKind = "its list does not hold the row any more"
	FailedRequest     FailureKind = "no request can be made"
	FailedRendering   FailureKind = "rendering"
	FailedStale       FailureKind = "waits until its list is read again"
	FailedUnknown     FailureKind = "unknown"
	statusFailure                 = "HTTP status "
	failedRobotsAsOld             = "robots.txt forbids"
)

// StatusFailure is the kind of a reply with an HTTP error status.
func StatusFailure(code int) FailureKind { return FailureKind(statusFailure + strconv.Itoa(code)) }

// Status returns the HTTP status of a kind that StatusFailure made, or of its name in metrics and
// history, "http 404"; 0 means another kind.
func (k FailureKind) Status() int {
	text, _ := strings.CutPrefix(strings.TrimPrefix(string(k), statusFailure), "http ")
	code, _ := strconv.Atoi(text)
	return code
}

// Error implements error. It is also the stored form, which ReadFailure reads.
func (f Failure) Error() string {
	if f.Detail == "" {
		return string(f.Kind)
	}
	return string(f.Kind) + ": " + f.Detail
}

// Message implements message.Teller.
func (f Failure) Message() message.Text {
	kind := message.Text(f.Kind)
	if code := f.Kind.Status(); code > 0 {
		kind = message.Of("HTTP status %d", code)
	}
	if f.Detail == "" {
		return kind
	}
	return message.Of("%s: %s", kind, f.Detail)
}

// ReadFailure reads the form that Error writes, and what older programs stored.
func ReadFailure(text string) Failure {
	if strings.HasPrefix(text, failedRobotsAsOld) {
		return Failure{FailedRobots, text}
	}
	kind, detail, _ := strings.Cut(text, ": ")
	if kind == "" {
		return Failure{Kind: FailureKind(text)}
	}
	return Failure{FailureKind(kind), detail}
}
