//go:build unix

package notices

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTextsWithoutALineInCommonAreComparedInTime(t *testing.T) {
	var a, b strings.Builder
	for i := range 20_000 {
		a.WriteString(strings.Repeat("甲", i%7+1) + "\n")
		b.WriteString(strings.Repeat("乙", i%5+1) + "\n")
	}
	began := used()
	if ls := CompareTexts(NoticeText{Text: a.String()}, NoticeText{Text: b.String()}); len(ls) == 0 {
		t.Error("nothing changed")
	}
	if took := used() - began; took > 30*time.Second {
		t.Errorf("it took %v of the processor", took)
	}
}

// used is the processor time of the process, which a busy machine changes little.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
