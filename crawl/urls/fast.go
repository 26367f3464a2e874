package urls

import "strings"

// The fast path. Nearly every link of a real page is plain ASCII without escapes. A few string cuts then complete
// and canonicalise it in about 0.2 µs instead of 7. Other links are refused (false) and take the slow path through
// the whole standard. A fuzz target compares both paths.

// plain marks bytes that the standard and the canonical form copy unchanged in path and query, and that start
// nothing special.
var plain [256]bool

// hostByte marks bytes of a plain lower-case host name.
var hostByte [256]bool

func init() {
	for c := 0; c < 128; c++ {
		ch := byte(c)
		plain[c] = unreserved(ch) || strings.IndexByte("/&=+,!$*()", ch) >= 0
		hostByte[c] = ch >= 'a' && ch <= 'z' || ch >= '0' && ch <= '9' || ch == '-' || ch == '.'
	}
}

// fast completes href against a canonical base; base is "" if href is absolute.
func fast(base, href string) (string, bool) {
	if i := strings.IndexByte(href, '#'); i >= 0 {
		if i > 0 && href[i-1] == '&' {
			return "", false
		}
		href = href[:i]
	}
	if href == "" || len(href) > 1024 {
		return "", false
	}
	origin := "" // scheme://host of the result
	switch {
	case strings.HasPrefix(href, "http://"), strings.HasPrefix(href, "https://"):
		end := hostEnd(href, strings.IndexByte(href, ':')+3)
		if end < 0 {
			return "", false
		}
		origin, href = href[:end], href[end:]
		if href == "" {
			href = "/"
		}
		if href[0] == '?' {
			return "", false
		}
	case base == "":
		return "", false
	default:
		start := strings.Index(base, "://")
		if start < 0 {
			return "", false
		}
		slash := strings.IndexByte(base[start+3:], '/')
		if slash < 0 {
			return "", false
		}
		origin = base[:start+3+slash]
		path, _, _ := strings.Cut(base[len(origin):], "?")
		switch {
		case strings.HasPrefix(href, "//"):
			full := base[:start+1] + href
			end := hostEnd(full, start+3)
			if end < 0 || end == len(full) || full[end] != '/' {
				return "", false
			}
			origin, href = full[:end], full[end:]
		case href[0] == '/':
		case href[0] == '?':
			href = path + href
		default:
			href = path[:strings.LastIndexByte(path, '/')+1] + href
			// The directory is already canonical and may contain escapes.
			return finish(origin, href, strings.LastIndexByte(path, '/')+1)
		}
		if href[0] == '?' || strings.HasPrefix(href, path+"?") {
			return finish(origin, href, len(path))
		}
	}
	return finish(origin, href, 0)
}

// hostEnd returns the end of the plain host that starts at s[i:], or -1 if it is not a plain DNS name: port, user,
// IP number, punycode.
func hostEnd(s string, i int) int {
	start, label := i, i
	for ; i < len(s) && s[i] != '/' && s[i] != '?'; i++ {
		if !hostByte[s[i]] {
			return -1
		}
		if s[i] == '.' {
			if i == label {
				return -1
			}
			label = i + 1
		}
		if s[i] == '-' && i-label == 3 && s[i-1] == '-' {
			return -1 // "xn--" and similar reserved labels need the IDNA tables
		}
	}
	if i == start || i == label || i-start > 253 || s[label] < 'a' {
		return -1 // empty, trailing dot, or a last label that may be a number
	}
	return i
}

// finish joins origin, path and query. The first known bytes of rest are already canonical.
func finish(origin, rest string, known int) (string, bool) {
	query := -1
	dots := false
	for i := known; i < len(rest); i++ {
		ch := rest[i]
		if plain[ch] {
			if query < 0 && (ch == '.' || ch == '/' || ch == '(') && i > 0 && rest[i-1] == '/' {
				if ch != '.' {
					return "", false
				}
				dots = true
			}
			continue
		}
		if ch == '?' && query < 0 {
			query = i
			continue
		}
		return "", false
	}
	path, params := rest, ""
	if query >= 0 {
		path, params = rest[:query], rest[query+1:]
	}
	if dots {
		path = removeDots(path)
		rest = path
		if query >= 0 {
			rest = path + "?" + params
		}
	}
	if query >= 0 {
		clean := params != "" && params[0] != '&' && params[len(params)-1] != '&' && !strings.Contains(params, "&&")
		for at := 0; at < len(params) && clean; {
			pair, _, _ := strings.Cut(params[at:], "&")
			clean = !dropped(pair) && (at == 0 || !repeated(params[:at-1], pair))
			at += len(pair) + 1
		}
		if !clean {
			var b strings.Builder
			b.Grow(len(origin) + len(rest))
			b.WriteString(origin)
			b.WriteString(path)
			writeQuery(&b, params)
			return b.String(), true
		}
	}
	return origin + rest, true
}

// removeDots resolves "." and ".." segments of a plain absolute path.
func removeDots(path string) string {
	out := make([]byte, 0, len(path))
	for i := 0; i < len(path); {
		// path[i] is a slash.
		end := i + 1
		for end < len(path) && path[end] != '/' {
			end++
		}
		switch path[i+1 : end] {
		case ".":
			if end == len(path) {
				out = append(out, '/')
			}
		case "..":
			for n := len(out); n > 0; {
				n--
				if out[n] == '/' || n == 0 {
					out = out[:n]
					break
				}
			}
			if end == len(path) {
				out = append(out, '/')
			}
		default:
			out = append(out, path[i:end]...)
		}
		i = end
	}
	if len(out) == 0 {
		return "/"
	}
	return string(out)
}
