package keymap

// HalfWidth returns the key of a US keyboard for a character that a Chinese input method makes of
// it: ？ is ?, and 、 is /. It returns other characters unchanged.
func HalfWidth(r rune) rune {
	if r >= '！' && r <= '～' { // full-width forms of U+0021 … U+007E
		return r - '！' + '!'
	}
	if key, ok := chinesePunctuation[r]; ok {
		return key
	}
	return r
}

var chinesePunctuation = map[rune]rune{'、': '/', '。': '.', '《': '<', '》': '>', '【': '[', '】': ']', '「': '{',
	'」': '}', '“': '"', '”': '"', '‘': '\'', '’': '\'', '·': '`', '￥': '$', '　': ' '}
