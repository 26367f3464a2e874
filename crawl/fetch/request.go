package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// ownHeaders are fields that only this package sets. They control the transfer, and a wrong one
// could split a request in two.
var ownHeaders = map[string]bool{"Host": true, "Connection": true, "Content-Length": true, "Transfer-Encoding": true,
	"Te":      true,
	"Trailer": true, "Upgrade": true, "Accept-Encoding": true, "Expect": true}

// sendable returns an error if a request cannot be sent.
func (r *Request) sendable() error {
	switch r.Method {
	case "", http.MethodGet:
		if len(r.Body) > 0 {
			return fmt.Errorf("a GET has no body; use POST")
		}
	case http.MethodPost:
	default:
		return fmt.Errorf("method %q: only GET and POST are sent", r.Method)
	}
	if len(r.Body) > MaxRequestBody {
		return fmt.Errorf("a body of %d bytes: at most %d are sent", len(r.Body), MaxRequestBody)
	}
	if !httpguts.ValidHeaderFieldValue(r.ContentType) {
		return fmt.Errorf("content type %q holds a control character", r.ContentType)
	}
	for name, value := range r.Header {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return fmt.Errorf("header %q: %q cannot be sent", name, value)
		}
		if canonical := http.CanonicalHeaderKey(name); ownHeaders[canonical] || strings.HasPrefix(canonical, "Proxy-") {
			return fmt.Errorf("header %s is not for others to set", canonical)
		}
	}
	return nil
}

// reader returns a reader of the body; an untyped nil if there is none.
func (r *Request) reader() io.Reader {
	if r.Method != http.MethodPost {
		return nil
	}
	return bytes.NewReader(r.Body)
}
