package urls

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// What a server answers to a request that its URL alone does not name (a form that is
// posted, a recipe's page 7) has an address with a fragment: the canonical URL, then #,
// then a short readable name of the request, such as
//
//	http://h/list.aspx#post:page=2
//	http://h/api/notices#recipe:notices:page=2
//
// Such an address is a row of store.URL like any other. What is sent for it stands in
// store/records. Links of pages never become one, because Canonical drops fragments.
// Host, scope, filter, rules and robots.txt look at the URL before the fragment.

// maxAddress is the longest address with a fragment, in bytes.
const maxAddress = 2048

// Address names what a request to a canonical URL brings. Names that differ make
// addresses that differ, and the same name the same address. What cannot stand in a
// fragment is written as %XX; where the address would be longer than maxAddress the rest
// of the name becomes a hash. An empty name gives the URL itself.
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

// Split cuts an address into the URL that is asked and the name of the request, "" for a
// plain page.
func Split(address string) (canonical, name string) {
	canonical, name, _ = strings.Cut(address, "#")
	return canonical, name
}

// Bare is the URL that is asked for an address: the address itself for a plain page.
func Bare(address string) string {
	if i := strings.IndexByte(address, '#'); i >= 0 {
		return address[:i]
	}
	return address
}

// IsPlain reports whether an address is the URL of a page that a plain GET brings.
func IsPlain(address string) bool { return strings.IndexByte(address, '#') < 0 }
