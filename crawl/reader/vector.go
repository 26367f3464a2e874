package reader

import (
	"encoding/binary"
	"errors"
	"slices"

	"angler/crawl/page"
	"angler/store"
	"angler/topic"
)

var errVector = errors.New("reader: term vectors do not decode")

// encodeDoc encodes a page's term vectors: the dictionary's fingerprint, then ids as differences. A page of 200
// words takes about 500 bytes.
func encodeDoc(d *topic.Doc, fingerprint uint64) []byte {
	b := make([]byte, 0, 16+3*(len(d.Full)+len(d.List)))
	b = binary.LittleEndian.AppendUint64(b, fingerprint)
	b = binary.AppendUvarint(b, uint64(d.Records))
	b = binary.AppendUvarint(b, uint64(d.Dated))
	for _, v := range [...]topic.Vector{d.Full, d.List} {
		b = binary.AppendUvarint(b, uint64(len(v)))
		prev := uint32(0)
		for _, t := range v {
			b = binary.AppendUvarint(b, uint64(t.ID-prev))
			b = binary.AppendUvarint(b, uint64(t.N))
			prev = t.ID
		}
	}
	return b
}

var errLostWord = errors.New("reader: term vectors name a lost word")

// CheckDoc returns an error if a page's stored words are damaged. A word with a lost number is damage: the page must
// be counted again.
func CheckDoc(b []byte, words int, lost func(uint32) bool) error {
	d, _, err := DecodeDoc(b, words)
	if err == nil && NamesLost(&d, lost) {
		return errLostWord
	}
	return err
}

// NamesLost reports whether a page has a word with a lost number.
func NamesLost(d *topic.Doc, lost func(uint32) bool) bool {
	for _, v := range [...]topic.Vector{d.Full, d.List} {
		if slices.ContainsFunc(v, func(t topic.Term) bool { return lost(t.ID) }) {
			return true
		}
	}
	return false
}

// DecodeDoc decodes the output of encodeDoc. words is the number of known words; a vector with a larger id is
// damaged.
func DecodeDoc(b []byte, words int) (d topic.Doc, fingerprint uint64, err error) {
	if len(b) < 8 {
		return d, 0, errVector
	}
	fingerprint = binary.LittleEndian.Uint64(b)
	u := uvarints(b[8:])
	d.Records, d.Dated = int(u.next()), int(u.next())
	for _, v := range [...]*topic.Vector{&d.Full, &d.List} {
		n := u.next()
		if u == nil || n > uint64(len(u)) {
			return topic.Doc{}, 0, errVector
		}
		*v = make(topic.Vector, n)
		id := uint64(0)
		for i := range *v {
			id += u.next()
			count := u.next()
			if u == nil || id >= uint64(words) || count == 0 || count > 1<<32-1 {
				return topic.Doc{}, 0, errVector
			}
			(*v)[i] = topic.Term{ID: uint32(id), N: uint32(count)}
		}
	}
	return d, fingerprint, nil
}

// pageMarks records how a page was read; it is stored with the page's vectors.
type pageMarks struct {
	Run    uint32              // the run that read it
	Beyond bool                // deeper than discoveries go: its host's profile does not learn from it
	Plain  bool                // served as plain text
	Sample bool                // read as a sample, see Reader.UseSamples
	Asked  page.ProfileQueries // the host profile's answers used, to detect outdated readings
}

const (
	markBeyond = 1 << iota
	markPlain
	markSample
)

// appendMarks appends the encoded marks to vectors.
func appendMarks(b []byte, m *pageMarks) []byte {
	flags := byte(0)
	if m.Beyond {
		flags |= markBeyond
	}
	if m.Plain {
		flags |= markPlain
	}
	if m.Sample {
		flags |= markSample
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(m.Run))
	b = binary.AppendUvarint(b, uint64(len(m.Asked.Links)))
	return append(append(b, m.Asked.Links...), m.Asked.Contending...)
}

// uvarints reads uvarints from the front. It is nil, and next returns 0, after one that is damaged or missing.
type uvarints []byte

func (u *uvarints) next() uint64 {
	v, n := binary.Uvarint(*u)
	if n <= 0 {
		*u = nil
		return 0
	}
	*u = (*u)[n:]
	return v
}

// behindVectors returns the bytes after stored vectors, in place; empty if there are none.
func behindVectors(b []byte) []byte {
	if len(b) < 8 {
		return nil
	}
	u := uvarints(b[8:])
	u.next() // number of records
	u.next() // number of dated records
	for range 2 {
		for n := u.next(); n > 0 && len(u) > 0; n-- {
			u.next()
			u.next()
		}
	}
	return u
}

// within returns a copy of stored vectors without the mark Beyond.
func within(b []byte) []byte {
	b = slices.Clone(b)
	if rest := behindVectors(b); len(rest) > 0 {
		rest[0] &^= markBeyond
	}
	return b
}

// DecodeMarks returns the marks of stored vectors; ok is false if an earlier program stored none.
func DecodeMarks(b []byte) (m pageMarks, ok bool) {
	b = behindVectors(b)
	if len(b) < 2 {
		return m, false
	}
	flags, u := b[0], uvarints(b[1:])
	m.Run = uint32(u.next())
	m.Beyond, m.Plain, m.Sample = flags&markBeyond != 0, flags&markPlain != 0, flags&markSample != 0
	n := u.next()
	if n > uint64(len(u)) {
		return pageMarks{}, false
	}
	m.Asked = page.ProfileQueries{Links: page.LinkSet(u[:n]), Contending: page.LinkSet(u[n:])}
	return m, true
}

// StoredDoc returns the topic's document for a stored page and the fingerprint of its dictionary. words is the
// number of known words.
func StoredDoc(p *store.Page, terms []byte, words int) (d topic.Doc, fingerprint uint64, err error) {
	d, fingerprint, err = DecodeDoc(terms, words)
	d.URL, d.Beta, d.Front, d.Aside = p.URL, p.Beta, page.IsHomePage(p.URL), IsBeyond(terms)
	return d, fingerprint, err
}

// IsBeyond reports whether stored vectors have the mark Beyond.
func IsBeyond(b []byte) bool {
	m, _ := DecodeMarks(b)
	return m.Beyond
}
