package settings

import (
	"strings"
	"testing"

	"angler/crawl/linkorder"
	"angler/store/config"
)

func TestUnknownLinkOrdersAreRefused(t *testing.T) {
	for _, name := range []string{"dfs", "fish", "opic"} {
		set := config.Default()
		set.Crawl.Strategy = name
		err := Check(&set)
		if err == nil || !strings.Contains(err.Error(), "crawl.strategy") || !strings.Contains(err.Error(), strings.Join(linkorder.Names(), ", ")) {
			t.Errorf("strategy %s: %v", name, err)
		}
	}
	for _, line := range []string{"fish.depth = 3", "opic.pages = 10"} {
		set := config.Default()
		set.Crawl.Constants = []string{"shark.delta = 0.6", line}
		name, _, _ := strings.Cut(line, " ")
		err := Check(&set)
		if err == nil || !strings.Contains(err.Error(), "crawl.constants") || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("constant %s: %v", line, err)
		}
	}
}
