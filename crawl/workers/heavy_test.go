//go:build heavy

package workers_test

import "testing"

func init() {
	plan, join = "", func(t *testing.T, c child) { begin(t, c) }
	leastPages, leastLists, leastNotice = 500, 10, 100
}
