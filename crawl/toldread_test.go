package crawl_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/store/config"
)

// No alert names a notice before its fields were read: a message at the end of a
// harvest has the new deadline of a tender that was corrected, not the old one.
func TestMessagesTellWhatTheNewVersionSays(t *testing.T) {
	alone(t)
	var mu sync.Mutex
	told := map[string]string{}
	sink := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct {
			Sections []struct {
				Tells string
				Items []struct{ URL, Deadline string }
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		mu.Lock()
		defer mu.Unlock()
		for _, s := range m.Sections {
			for _, it := range s.Items {
				told[s.Tells+" "+it.URL] = it.Deadline
			}
		}
	}))
	t.Cleanup(sink.Close)
	const notices = 60
	site, e, now := serveNotices(t, 3, notices, func(s *config.Settings) {
		s.Name, s.Harvest.Fields = "tenders", "tenders"
		s.Notify = []config.Notify{{Name: "all", Way: config.WayWebhook, URL: sink.URL}}
	})
	must(t, e.Notify.Flush(t.Context()))
	site.change(func() {
		for i, text := range site.texts {
			site.texts[i] = strings.Replace(text, "2026年7月", "2026年9月", 1)
		}
	})
	now.jump(72 * time.Hour)
	s := harvest(t, e.Runs)
	if s.Changed != notices {
		t.Fatalf("%d notices changed", s.Changed)
	}
	must(t, e.Notify.Flush(t.Context()))
	mu.Lock()
	defer mu.Unlock()
	changed := 0
	for what, deadline := range told {
		if strings.HasPrefix(what, "changed ") {
			changed++
			if !strings.HasPrefix(deadline, "2026-09-") {
				t.Errorf("%s: the message tells of the deadline %q", what, deadline)
			}
		}
	}
	if changed != notices {
		t.Errorf("%d changed notices were told, want %d", changed, notices)
	}
}
