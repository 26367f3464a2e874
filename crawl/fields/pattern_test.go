package fields

import (
	"testing"

	"angler/crawl/htmldoc"
)

// TestPatterns compiles what is compiled at its first use only.
func TestPatterns(t *testing.T) {
	if n := htmldoc.CompilePatterns(); n < 50 {
		t.Errorf("%d patterns", n)
	}
}
