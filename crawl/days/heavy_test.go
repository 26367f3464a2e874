//go:build heavy

package days_test

import "angler/crawl/demo/demotest"

func init() {
	openWeb, jumpAt = demotest.OpenFull, 300
	atLeast.lists, atLeast.notices, atLeast.brought = 10, 50, 20
}
