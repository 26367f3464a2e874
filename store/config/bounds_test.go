package config

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestBoundsOfTags(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Settings)
		want   string
	}{
		"the defaults":      {func(*Settings) {}, ""},
		"the last number":   {func(s *Settings) { s.Crawl.Depth = 1000 }, ""},
		"beyond it":         {func(s *Settings) { s.Crawl.Depth = 1001 }, "crawl.depth: 1001 is outside 0 … 1000"},
		"with thousands":    {func(s *Settings) { s.Crawl.FrontierMemory = 999 }, "crawl.frontier_memory: 999 is outside 1 000 … 100 000 000"},
		"no upper bound":    {func(s *Settings) { s.Harvest.Links = 0 }, "harvest.link_chars: 0 is less than 1"},
		"no number":         {func(s *Settings) { s.Harvest.Share = math.NaN() }, "harvest.share: NaN is outside 0 … 0.9"},
		"a short duration":  {func(s *Settings) { s.Render.Timeout = Duration(time.Millisecond) }, "render.timeout: 1ms is outside 1s … 10m"},
		"the last duration": {func(s *Settings) { s.Suggest.Delay = Duration(time.Hour) }, ""},
		"a negative one":    {func(s *Settings) { s.Suggest.Delay = -1 }, "suggest.delay: -1ns is outside 0 … 1h"},
	} {
		s := Default()
		c.change(&s)
		err := s.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
