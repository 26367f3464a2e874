package crawl

import (
	"fmt"
	"strings"
	"testing"

	"angler/store"
)

// A crash in the database's pages is not told as one that costs nothing.
func TestAfterCrashSaysWhatItCost(t *testing.T) {
	for _, c := range []struct{ report, says string }{
		{"panic: index out of range\n\ngoroutine 7 [running]:\nangler/crawl/run.(*Run).visit(...)", "what was committed is kept"},
		{"unexpected fault address 0x7f0000\nfatal error: fault\n[signal SIGBUS: bus error]", "angler workspace check DIR"},
		{"panic: page 7 already freed\n\ngoroutine 1 [running]:\ngo.etcd.io/bbolt.(*freelist).free(...)", "angler workspace check DIR"},
		{fmt.Sprint("the workbench crashed: crawl.db: ", store.ErrDamaged), "angler workspace check DIR"},
	} {
		if got := AfterCrash([]byte(c.report)); !strings.Contains(got, c.says) {
			t.Errorf("%.40q: %s", c.report, got)
		}
	}
}
