package check

import (
	"testing"

	"angler/crawl/page/pattern"
)

// TestPatterns compiles what is compiled at its first use only.
func TestPatterns(t *testing.T) {
	if n := pattern.Check(); n == 0 {
		t.Errorf("%d patterns", n)
	}
}
