package notices

import (
	"testing"

	"angler/crawl/htmldoc"
)

// TestCheckPatterns compiles what is compiled at its first use only.
func TestCheckPatterns(t *testing.T) {
	if n := htmldoc.CompilePatterns(); n == 0 {
		t.Errorf("%d patterns", n)
	}
}
