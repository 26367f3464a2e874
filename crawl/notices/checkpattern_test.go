package notices

import (
	"testing"

	"angler/crawl/htmldoc"
)

// TestCheckPatterns compiles the patterns that are otherwise compiled at first use.
func TestCheckPatterns(t *testing.T) {
	if n := htmldoc.CompilePatterns(); n == 0 {
		t.Errorf("%d patterns", n)
	}
}
