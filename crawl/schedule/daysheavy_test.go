//go:build heavy

package schedule_test

import "angler/crawl/demo/demotest"

func init() {
	openWeb, jumpAt = demotest.OpenFull, 300
	atLeast.lists, atLeast.notices, atLeast.brought = 10, 50, 20
}
