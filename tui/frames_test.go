//go:build linux

package tui

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"angler/tui/widget"
)

// processorTime returns what the calling thread has used, which other programs do not change.
func processorTime(b *testing.B) time.Duration {
	var t unix.Timespec
	must(b, unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t))
	return time.Duration(t.Nano())
}

// BenchmarkFrame measures one frame of every screen at 160×50. cpu-ms is the processor time of a
// frame without the garbage collector's threads.
func BenchmarkFrame(b *testing.B) {
	for i, name := range screenNames {
		b.Run(name, func(b *testing.B) {
			d := drive(b, can(sampled()).parts(), 160, 50)
			colours := map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}
			d.a.theme, _ = widget.Pick("dark", false, env(colours))
			d.a.resize(160, 50)
			d.press(fmt.Sprint(i))
			b.ReportAllocs()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			start := processorTime(b)
			for b.Loop() {
				_ = d.a.View()
			}
			b.ReportMetric((processorTime(b)-start).Seconds()*1000/float64(b.N), "cpu-ms")
		})
	}
}

// BenchmarkKey100000 measures one key (Update and View) on every screen of a workspace with
// 100,000 pages. cpu-ms-p95 is processor time like that of BenchmarkFrame.
func BenchmarkKey100000(b *testing.B) {
	c := big()
	for i, name := range screenNames {
		b.Run(name, func(b *testing.B) {
			d := drive(b, c.parts(), 120, 40)
			d.press(fmt.Sprint(i))
			keys := []rune{'j', 'j', 'k', 'G', 'g', 'j'}
			if name == "threshold" {
				keys = []rune{'[', '[', ']', '{', '}', '['}
			}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var took []time.Duration
			n := 0
			for b.Loop() {
				k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{keys[n%len(keys)]}}
				n++
				start := processorTime(b)
				_, cmd := d.a.Update(k)
				_ = d.a.View()
				took = append(took, processorTime(b)-start)
				b.StopTimer()
				d.start(cmd)
				d.settle()
				b.StartTimer()
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)*95/100].Seconds()*1000, "cpu-ms-p95")
			b.ReportMetric(took[len(took)-1].Seconds()*1000, "cpu-ms-max")
		})
	}
}
