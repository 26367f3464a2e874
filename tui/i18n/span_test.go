package i18n

import "testing"

// A wait has Chinese units; other text stays.
func TestSpan(t *testing.T) {
	for s, want := range map[string]string{"now": "现在", "43 s": "43 秒", "59 min": "59 分", "24 h": "24 小时", "30 d": "30 天", "04:46": "04:46"} {
		if got := chinese().Span(s); got != want {
			t.Errorf("Span(%q) = %q, want %q", s, got, want)
		}
		if got := english.Span(s); got != s {
			t.Errorf("in English Span(%q) = %q", s, got)
		}
	}
}
