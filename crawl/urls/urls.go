// Package urls handles hyperlinks: completion against their page, the canonical form that identifies a page, the
// scope of a crawl, filters with counters, traps, and resource classes.
//
// A page has about fifty links, so this is the busiest code of a crawl after the parser. Completion is cached per
// host and directory. The danger is to count two URLs of one page as two, or two pages as one.
//
// P0 … P4: see docs/papers.md.
package urls

// Class is the class of a URL's ending (P3: resources). The zero value is a page.
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

// MarshalText returns the name of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
