package keymap

import "strings"

// Printed returns keys in printed form.
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

// arrows are the keys with a symbol.
var arrows = map[string]string{"left": "←", "right": "→", "up": "↑", "down": "↓"}
