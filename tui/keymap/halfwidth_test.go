package keymap

import "testing"

func TestHalfWidth(t *testing.T) {
	for r, want := range map[rune]rune{'？': '?', '：': ':', '／': '/', '、': '/', '１': '1', 'ｑ': 'q', '～': '~', '！': '!',
		'。': '.', '　': ' ', '￥': '$', 'q': 'q', '采': '采', '～' + 1: '～' + 1} {
		if got := HalfWidth(r); got != want {
			t.Errorf("%c: %c, not %c", r, got, want)
		}
	}
}
