package page

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"angler/crawl/htmldoc"
)

// sniff reports whether a body is plain text and not HTML. It decides by the bytes, because
// servers call everything text/html. Its error wraps ErrNotHTML.
func sniff(body []byte, contentType string) (plain bool, err error) {
	head := body[:min(len(body), 1024)]
	detected := http.DetectContentType(head)
	switch {
	case strings.HasPrefix(detected, "text/html"), strings.HasPrefix(detected, "text/xml"):
		return false, nil
	case strings.HasPrefix(detected, "text/plain"):
		return strings.HasPrefix(contentType, "text/plain") || bytes.IndexByte(body, '<') < 0, nil
	case detected == "application/octet-stream" && bytes.Count(head, []byte{0})*50 <= len(head) &&
		htmldoc.LooksLikeMarkup(body[:min(len(body), 8192)]):
		return false, nil // a page with a stray control character
	}
	return false, fmt.Errorf("%w: the body is %s", ErrNotHTML, detected)
}
