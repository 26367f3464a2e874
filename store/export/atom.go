package export

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// DefaultNewest is the default maximum of entries in a feed.
const DefaultNewest = 1000

// Entry is one row in an Atom feed.
type Entry struct {
	URL       string // its address and id
	Title     string
	Updated   time.Time
	Published time.Time // zero: unknown
	Text      string
	Via       string // address of the page that listed it; "": none
	Files     []File
}

// File is a document of an entry.
type File struct{ Name, URL string }

// entrant is a row that can be an entry of a feed.
type entrant interface{ Entry() Entry }

// feed writes Atom (RFC 4287): the entries updated last, newest first. It holds at most 1.5 times
// the entries it will write.
type feed[T any] struct {
	w       io.Writer
	head    Feed
	entries []Entry
	oldest  time.Time // older entries are dropped; zero: none yet
}

func newFeed[T any](w io.Writer, head Feed) (*feed[T], error) {
	var row T
	if _, ok := any(row).(entrant); !ok {
		return nil, fmt.Errorf("%T has no address and time of its own, so it is no feed; choose jsonl or csv", row)
	}
	if head.Newest <= 0 {
		head.Newest = DefaultNewest
	}
	return &feed[T]{w: w, head: head}, nil
}

func (f *feed[T]) Row(row T) error {
	e := any(row).(entrant).Entry()
	if e.Updated.Before(f.oldest) {
		return nil
	}
	f.entries = append(f.entries, e)
	if n := f.head.Newest; len(f.entries) > n+n/2 {
		f.trim()
		f.oldest = f.entries[n-1].Updated
	}
	return nil
}

func (f *feed[T]) trim() {
	slices.SortStableFunc(f.entries, func(a, b Entry) int {
		return cmp.Or(b.Updated.Compare(a.Updated), b.Published.Compare(a.Published), cmp.Compare(a.URL, b.URL))
	})
	n := min(len(f.entries), f.head.Newest)
	clear(f.entries[n:]) // lets go of their long texts
	f.entries = f.entries[:n]
}

// The elements of Atom; the feed declares the namespace.
type (
	atomText struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
	atomLink struct {
		Rel   string `xml:"rel,attr"`
		Href  string `xml:"href,attr"`
		Title string `xml:"title,attr,omitempty"`
	}
	atomEntry struct {
		XMLName   xml.Name   `xml:"entry"`
		ID        string     `xml:"id"`
		Title     atomText   `xml:"title"`
		Updated   string     `xml:"updated"`
		Published string     `xml:"published,omitempty"`
		Links     []atomLink `xml:"link"`
		Content   *atomText  `xml:"content"`
	}
)

// Close writes the feed. The feed has an author, because RFC 4287 4.1.1 requires one if entries
// have none.
func (f *feed[T]) Close() error {
	f.trim()
	updated := f.head.At
	if len(f.entries) > 0 {
		updated = f.entries[0].Updated
	}
	if _, err := io.WriteString(f.w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(f.w)
	enc.Indent("", " ")
	root := xml.StartElement{Name: xml.Name{Local: "feed"},
		Attr: []xml.Attr{{Name: xml.Name{Local: "xmlns"}, Value: "http://www.w3.org/2005/Atom"}}}
	err := enc.EncodeToken(root)
	element := func(name string, v any) {
		if err == nil {
			err = enc.EncodeElement(v, xml.StartElement{Name: xml.Name{Local: name}})
		}
	}
	element("id", xmlText(f.head.ID))
	element("title", atomText{"text", xmlText(f.head.Title)})
	element("updated", updated.Format(time.RFC3339))
	element("author", struct {
		Name string `xml:"name"`
	}{"angler"})
	for i := range f.entries {
		element("entry", atomOf(&f.entries[i]))
	}
	if err == nil {
		err = enc.EncodeToken(root.End())
	}
	if err == nil {
		err = enc.Close()
	}
	if err == nil {
		_, err = io.WriteString(f.w, "\n")
	}
	return err
}

func atomOf(e *Entry) *atomEntry {
	x := &atomEntry{ID: xmlText(e.URL), Title: atomText{"text", xmlText(e.Title)},
		Updated: e.Updated.Format(time.RFC3339)}
	if !e.Published.IsZero() {
		x.Published = e.Published.Format(time.RFC3339)
	}
	link := func(rel, href, title string) {
		if strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://") {
			x.Links = append(x.Links, atomLink{rel, xmlText(href), xmlText(title)})
		}
	}
	link("alternate", e.URL, "")
	if e.Via != "" {
		link("via", e.Via, "")
	}
	for _, f := range e.Files {
		link("enclosure", f.URL, f.Name)
	}
	if e.Text != "" {
		x.Content = &atomText{"text", xmlText(e.Text)}
	}
	return x
}

// xmlText removes invalid UTF-8 and the characters that XML 1.0 (2.2) forbids.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r < 0xfffd, r >= 0x10000:
			return r
		}
		return -1
	}, s)
}
