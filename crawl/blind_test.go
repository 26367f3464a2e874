package crawl_test

import (
	"net/http"
	"testing"

	"angler/crawl/demo/demotest"
	"angler/store/config"
)

// A discovery without samples and labels says once that nothing is judged.
func TestADiscoveryWithoutSamplesSaysSo(t *testing.T) {
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { demotest.Page("<p>"+r.URL.Path+"</p>")(w, r) }), func(*config.Settings) {})
	s := discover(t, e.Runs)
	if said := saying(e, "but not judged"); said != 1 || !s.Tally.Blind {
		t.Errorf("said %d times that nothing is judged, want once; blind %v", said, s.Tally.Blind)
	}
}
