package urls

import (
	"strings"
)

// Below reports whether a canonical URL is below a host or section, "host/" or "host/path/", with any scheme. Every
// URL is below "".
func Below(canonical, branch string) bool {
	if branch == "" {
		return true
	}
	_, rest, ok := strings.Cut(canonical, "://")
	return ok && strings.HasPrefix(rest, branch)
}

// Sections yields the host of a canonical URL and the sections above it, from the host down, at most limit: "host/",
// "host/xw/", "host/xw/2026/".
func Sections(canonical string, limit int) func(yield func(branch string) bool) {
	return func(yield func(string) bool) {
		_, rest, ok := strings.Cut(canonical, "://")
		if !ok {
			return
		}
		if i := strings.IndexAny(rest, "?#"); i >= 0 {
			rest = rest[:i]
		}
		for at := 0; limit > 0; limit-- {
			i := strings.IndexByte(rest[at:], '/')
			if i < 0 {
				if at == 0 { // host only
					yield(rest + "/")
				}
				return
			}
			at += i + 1
			if !yield(rest[:at]) {
				return
			}
		}
	}
}
