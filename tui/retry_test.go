package tui

import (
	"strings"
	"testing"

	"angler/tui/tuitest"
)

// Failed URLs are retried by reason, and the events name the analyst.
func TestRetryFailedPages(t *testing.T) {
	e := tuitest.Running(t, tuitest.Sampled)
	d, calls := watched(t, e, 120, 40)
	d.until("something has failed", func() bool { return e.Workspace().Counts().Exception > 0 })
	d.press("4", "F")
	d.comes("all failed URLs")
	d.shows("failures by reason", "HTTP status 404")
	if calls.Of("Retry") != 0 {
		t.Fatal("something was done before it was asked for")
	}
	d.press("404", "enter")
	d.until("they are tried again", func() bool { return calls.Of("Retry") == 1 })
	d.until("the events say so", func() bool {
		for _, ev := range e.Snapshot().Events {
			if strings.Contains(ev.Text.String(), "failed URLs are tried again (HTTP status 404)") && ev.By != "" {
				return true
			}
		}
		return false
	})
}
