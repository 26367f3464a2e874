package fields

import (
	"testing"

	"angler/crawl/htmldoc"
)

// TestPatterns compiles the expressions that are compiled on first use.
func TestPatterns(t *testing.T) {
	if n := htmldoc.CompilePatterns(); n < 50 {
		t.Errorf("%d patterns", n)
	}
}
