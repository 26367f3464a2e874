package urls

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// A site may write the token of a visit into its addresses, under any name. A part of an address is named after its
// place: "sid" is a parameter, ";sid" a parameter of the path, "/1" the first segment of the path.

// Bounds of the parts of visits.
const (
	maxParts     = 16   // parts that VisitParts returns
	maxIgnored   = 8    // names that a Resolver ignores of one host
	maxIgnorers  = 4096 // hosts of which a Resolver ignores names
	maxVisitPart = 256  // bytes of a token
)

// VisitParts returns the names of the parts of a canonical URL whose values may be tokens of a visit, at most 16. A
// short number, a word and the last segment of the path are none.
func VisitParts(canonical string) (names []string) {
	path, more := pathOf(canonical)[1:], true
	for i := 1; i < 9 && more; i++ {
		var segment string
		segment, path, more = strings.Cut(path, "/")
		segment, params, _ := strings.Cut(segment, ";")
		if more && len(segment) >= 8 && mayBeToken(segment) {
			names = append(names, "/"+strconv.Itoa(i))
		}
		names = appendTokens(names, ";", params, ";")
	}
	_, query, _ := strings.Cut(canonical, "?")
	return appendTokens(names, "", query, "&")
}

// appendTokens appends the names of a list's parameters that may be tokens.
func appendTokens(names []string, mark, list, sep string) []string {
	for list != "" && len(names) < maxParts {
		var pair string
		pair, list, _ = strings.Cut(list, sep)
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" && len(name) <= 64 && mayBeToken(value) &&
			!slices.Contains(names, mark+name) {
			names = append(names, mark+name)
		}
	}
	return names
}

// mayBeToken reports whether a value looks like a random number, a time in seconds or a token.
func mayBeToken(value string) bool {
	if len(value) < 6 || len(value) > maxVisitPart {
		return false
	}
	digits := 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '%' && i+1 < len(value) && value[i+1] >= '8':
			return false // a word in another script than Latin
		}
	}
	if digits == len(value) {
		return digits >= 9
	}
	return digits > 0 || len(value) >= 16
}

// CutPart returns a canonical URL without a named part, and the value of the part. ok is false if the URL does not
// have it, or if its value is no token.
func CutPart(canonical, name string) (rest, value string, ok bool) {
	if name == "" {
		return "", "", false
	}
	start := strings.Index(canonical, "://") + 3 + len(HostOf(canonical))
	bare, fragment, _ := strings.Cut(canonical, "#")
	if start < 3 || start > len(bare) || fragment != "" {
		return "", "", false
	}
	path, query, asked := strings.Cut(bare[start:], "?")
	switch name[0] {
	case '/':
		n, err := strconv.Atoi(name[1:])
		segments := strings.Split(path, "/")
		if err != nil || n < 1 || n >= len(segments)-1 || len(segments[n]) < 8 || !mayBeToken(segments[n]) {
			return "", "", false
		}
		value, ok = segments[n], true
		path = strings.Join(slices.Delete(segments, n, n+1), "/")
	case ';':
		segments := strings.Split(path, "/")
		for i, s := range segments {
			own, params, has := strings.Cut(s, ";")
			if !has {
				continue
			}
			if params, value, ok = cutToken(params, name[1:], ";"); ok {
				if params != "" {
					own += ";" + params
				}
				segments[i] = own
				break
			}
		}
		path = strings.Join(segments, "/")
	default:
		if query, value, ok = cutToken(query, name, "&"); query == "" {
			asked = false
		}
	}
	if !ok {
		return "", "", false
	}
	if asked {
		path += "?" + query
	}
	return canonical[:start] + path, value, true
}

// cutToken removes the first parameter of a name from a list if its value may be a token.
func cutToken(list, name, sep string) (rest, value string, ok bool) {
	pairs := strings.Split(list, sep)
	for i, pair := range pairs {
		if n, v, has := strings.Cut(pair, "="); has && n == name && mayBeToken(v) {
			return strings.Join(slices.Delete(pairs, i, i+1), sep), v, true
		}
	}
	return list, "", false
}

// ignored holds the names of the parts of visits, by host. The zero value ignores nothing.
type ignored struct {
	hosts atomic.Pointer[map[string][]string]
}

// cut removes the ignored parts from a canonical URL.
func (g *ignored) cut(canonical string) string {
	all := g.hosts.Load()
	if all == nil {
		return canonical
	}
	for _, name := range (*all)[HostOf(canonical)] {
		for rest, _, ok := CutPart(canonical, name); ok && rest != ""; rest, _, ok = CutPart(canonical, name) {
			canonical = rest
			if name[0] == '/' {
				break // the next segment has taken its place
			}
		}
	}
	return canonical
}

// Ignore has canonical URLs of a host leave out a part, named as by VisitParts. It returns false if the resolver
// ignores it already or cannot ignore more.
func (r *Resolver) Ignore(host, name string) bool {
	for {
		before := r.ignored.hosts.Load()
		all := map[string][]string{}
		if before != nil {
			all = maps.Clone(*before)
		}
		names := all[host]
		if name == "" || len(names) >= maxIgnored || names == nil && len(all) >= maxIgnorers ||
			slices.Contains(names, name) {
			return false
		}
		all[host] = append(names[:len(names):len(names)], name)
		if r.ignored.hosts.CompareAndSwap(before, &all) {
			return true
		}
	}
}

// Ignored returns the parts that canonical URLs leave out, by host. The map must not be changed. A nil Resolver has
// none.
func (r *Resolver) Ignored() map[string][]string {
	if r == nil {
		return nil
	}
	if all := r.ignored.hosts.Load(); all != nil {
		return *all
	}
	return nil
}
