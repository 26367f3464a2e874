//go:build !linux

package crawl_test

import "testing"

// uncache would have the system drop a file from its cache; here it cannot be asked to, so
// what is called cold is as warm as the rest.
func uncache(*testing.B, string) {}
