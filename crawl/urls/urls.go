// Package urls decides what a hyperlink leads to: completion against its page,
// the canonical form that is a page's identity, the scope of a crawl, the
// filters with their counters, traps, and resource classes.
//
// A page has some fifty links, so this is the busiest code of a crawl after
// the parser: completion is memoised per host and directory. The danger lies
// in two URLs of one page counted as two, or two pages counted as one.
//
// P0 … P4: see docs/papers.md.
package urls

// Class says what a URL's ending announces (P3: resources). The zero value is
// a page.
type Class uint8

// The resource classes.
const (
	Page Class = iota
	Document
	Image
	Animation
	Software
	Media
	Archive
	Style
)

var classNames = [...]string{"page", "document", "image", "animation", "software", "media", "archive", "style"}

// String returns the class in lower-case English.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "page"
}

// MarshalText writes the class by name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
