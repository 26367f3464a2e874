package notices

import (
	"testing"

	"angler/crawl/htmldoc"
)

// TestProjectPatterns compiles what is compiled at its first use only.
func TestProjectPatterns(t *testing.T) {
	if n := htmldoc.CompilePatterns(); n == 0 {
		t.Errorf("%d patterns", n)
	}
}
