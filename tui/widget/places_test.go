package widget

import "testing"

func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct{ old, now, want string }{
		"the first rows":                     {"", "abc", "abc"},
		"nothing has changed":                {"abc", "abc", "abc"},
		"the order turned":                   {"abc", "cba", "abc"},
		"one has left":                       {"abcd", "acd", "acd"},
		"one has left and one came":          {"abcd", "xbcd", "xbcd"},
		"the best of the new ones stands in": {"abcd", "xydac", "axcdy"},
		"more come than have left":           {"abc", "caxyz", "axcyz"},
		"all are new":                        {"abc", "xyz", "xyz"},
		"all have left":                      {"abc", "", ""},
	} {
		order := NewPlaces(keys(c.old), keys(c.now))
		got := ""
		for _, i := range order {
			got += string(c.now[i])
		}
		if got != c.want {
			t.Errorf("%s: %q after %q is shown as %q, want %q", name, c.now, c.old, got, c.want)
		}
	}
}

func keys(s string) (out []uint64) {
	for i := range s {
		out = append(out, uint64(s[i]))
	}
	return out
}
