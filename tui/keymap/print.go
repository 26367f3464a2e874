package keymap

import "strings"

// Printed returns keys as people read them.
func Printed(keys []string) string {
	var out []string
	for _, k := range keys {
		if k == " " {
			k = "space"
		}
		out = append(out, k)
	}
	return strings.Join(out, " ")
}

// arrows are the keys that bear a sign.
var arrows = map[string]string{"left": "←", "right": "→", "up": "↑", "down": "↓"}
