package page

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"angler/crawl/htmldoc"
)

type contentKind uint8

const (
	markup contentKind = iota
	plain
)

// sniff returns the kind of a body by its bytes, because servers call everything text/html. Its
// error wraps ErrNotHTML.
func sniff(body []byte, contentType string) (contentKind, error) {
	head := body[:min(len(body), 1024)]
	detected := http.DetectContentType(head)
	switch {
	case strings.HasPrefix(detected, "text/html"), strings.HasPrefix(detected, "text/xml"):
		return markup, nil
	case strings.HasPrefix(detected, "text/plain"):
		if strings.HasPrefix(contentType, "text/plain") || bytes.IndexByte(body, '<') < 0 {
			return plain, nil
		}
		return markup, nil
	case detected == "application/octet-stream" && bytes.Count(head, []byte{0})*50 <= len(head) &&
		htmldoc.LooksLikeMarkup(body[:min(len(body), 8192)]):
		return markup, nil // a page with a stray control character
	}
	return plain, fmt.Errorf("%w: the body is %s", ErrNotHTML, detected)
}
