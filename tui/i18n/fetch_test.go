package i18n

import (
	"strings"
	"testing"

	"angler/crawl/fetch"
)

// Every reason of a failed fetch has Chinese.
func TestLineOfFetchErrors(t *testing.T) {
	zh := chinese()
	for _, k := range []fetch.Kind{fetch.Robots, fetch.RobotsUnavailable, fetch.Guard, fetch.DNS, fetch.Connect, fetch.TLS, fetch.Timeout, fetch.Protocol, fetch.Body, fetch.Redirect, fetch.BadURL, fetch.Login} {
		e := &fetch.Error{Kind: k, URL: "http://a.test/"}
		if got := zh.Line(e.Error()); got == e.Error() || !strings.HasPrefix(got, "http://a.test/：") {
			t.Errorf("%q reads %q", e, got)
		}
	}
}
