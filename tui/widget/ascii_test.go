package widget

import "testing"

// Every sign of screens and pages has an ASCII form; letters stay.
func TestEverySignHasAForm(t *testing.T) {
	for _, r := range "─│╭╮╰╯├┤┃┊━▲▼▸▾›‹▁▂▃▄▅▆▇█░●★☆✎◆○✓✗·−–—…→←↑↓▶■‖×±□≥≤≈≠⚠θβαγδΔ“”‘’÷⚑◇△▽✚✕⋯↳└┼▌▐•§°²³¥€«»‰√①※☑©\u00a0⠋⡇" {
		if got := asciiSign(string(r)); len(got) != 1 || got[0] < ' ' || got[0] > '~' {
			t.Errorf("%q becomes %q", r, got)
		}
	}
	for _, s := range []string{"a", "~", "é", "ж", "招"} {
		if got := asciiSign(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}
