//go:build heavy

package crawl_test

import "testing"

func TestNothingIsLostForEverOnTheFullWeb(t *testing.T) {
	(&outageWeb{open: openFull, depth: 1}).nothingIsLost(t)
}
