package fields

import (
	"testing"

	"angler/crawl/page/pattern"
)

// TestPatterns compiles what is compiled at its first use only.
func TestPatterns(t *testing.T) {
	if n := pattern.Check(); n < 50 {
		t.Errorf("%d patterns", n)
	}
}
