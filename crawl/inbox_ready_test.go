package crawl_test

import (
	"context"
	"errors"
	"testing"

	"angler/crawl"
	"angler/crawl/inbox"
)

// A question that does not wait is told how far the reading after opening is; one that waits finds the notices read.
func TestNoticesAreReadOnce(t *testing.T) {
	b := openDemo(t, t.TempDir(), crawl.Options{By: "wang"})
	hasty, stop := context.WithCancel(t.Context())
	stop()
	var reading *inbox.ReadingError
	if err := b.NoticesReady(hasty); err != nil && (!errors.As(err, &reading) || reading.Read > reading.All) {
		t.Errorf("a hasty question: %v", err)
	}
	must(t, b.NoticesReady(t.Context()))
	if err := b.NoticesReady(hasty); err != nil {
		t.Errorf("after the reading: %v", err)
	}
}
