package crawl_test

import (
	"net/http"
	"strings"
	"testing"

	"angler/crawl/demo/demotest"
	"angler/store/config"
)

// A discovery without samples and labels says once that nothing is judged.
func TestADiscoveryWithoutSamplesSaysSo(t *testing.T) {
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { demotest.Page("<p>"+r.URL.Path+"</p>")(w, r) }), func(*config.Settings) {})
	s := discover(t, e.Runs)
	said := 0
	for _, ev := range e.Snapshot().Events {
		if strings.Contains(ev.Text.String(), "but not judged") {
			said++
		}
	}
	if said != 1 || !s.Tally.Blind {
		t.Errorf("said %d times that nothing is judged, want once; blind %v", said, s.Tally.Blind)
	}
}
