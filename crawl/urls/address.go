package urls

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// A reply to a request that is not defined by its URL (a posted form, page 7 of a recipe) has an address with a
// fragment. It is the canonical URL, then #, then a short readable name of the request, such as
//
//	http://h/list.aspx#post:page=2
//	http://h/api/notices#recipe:notices:page=2
//
// Such an address is a row of store.URL like any other; store/requests holds its request. Links of pages never
// become one, because Canonical drops fragments. Host, scope, filter, rules and robots.txt use the URL before the
// fragment.

// maxAddress is the maximum length of an address with a fragment, in bytes.
const maxAddress = 2048

// Address returns the address of a named request to a canonical URL. Different names give different addresses.
// Characters invalid in a fragment become %XX. If the address would exceed maxAddress, the rest of the name becomes
// a hash. An empty name gives the URL itself.
func Address(canonical, name string) string {
	if name == "" {
		return canonical
	}
	var b strings.Builder
	b.Grow(len(canonical) + 1 + len(name))
	b.WriteString(Bare(canonical))
	b.WriteByte('#')
	const sum = 17 // bytes of the hash with its mark
	room := maxAddress - b.Len() - sum
	for i := 0; i < len(name); i++ {
		c := name[i]
		size := 1
		if c <= ' ' || c >= 0x7f || c == '#' || c == '%' {
			size = 3
		}
		if room -= size; room < 0 {
			h := fnv.New64a()
			h.Write([]byte(name))
			fmt.Fprintf(&b, "~%016x", h.Sum64())
			break
		}
		if size == 1 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		}
	}
	return b.String()
}

// Split splits an address into the URL and the name of the request, "" for a plain page.
func Split(address string) (canonical, name string) {
	canonical, name, _ = strings.Cut(address, "#")
	return canonical, name
}

// Bare returns the URL of an address, which is the address itself for a plain page.
func Bare(address string) string {
	if i := strings.IndexByte(address, '#'); i >= 0 {
		return address[:i]
	}
	return address
}

// IsPlain reports whether an address is a URL for a plain GET.
func IsPlain(address string) bool { return strings.IndexByte(address, '#') < 0 }
