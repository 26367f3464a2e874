package notices

import (
	"testing"

	"angler/crawl/htmldoc"
)

// TestPatterns compiles the patterns that are otherwise compiled at first use.
func TestPatterns(t *testing.T) {
	if n := htmldoc.CompilePatterns(); n == 0 {
		t.Errorf("%d patterns", n)
	}
}
