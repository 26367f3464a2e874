package crawl

import (
	"context"
	"errors"

	"angler/crawl/page"
)

// Source returns the stored HTML of a page, decoded.
func (e *Engine) Source(_ context.Context, id uint64) (string, error) {
	src, err := e.source(id, &page.Options{})
	if err != nil {
		return "", err
	}
	if src == nil {
		return "", errors.New("the page has no stored body")
	}
	text, _ := page.Decode(src.Body, src.ContentType)
	return text, nil
}
