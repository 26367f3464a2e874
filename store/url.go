package store

import (
	"encoding/binary"
	"time"
)

// state is one of P1's four states of a URL.
type state uint8

// The states. A lease (Processing) ends with the process: opening a workspace turns it back into
// Waiting.
const (
	Waiting state = iota
	Processing
	Exception
	Complete
	numStates
)

// String returns the state in lower-case English, as exports name it.
func (s state) String() string {
	switch s {
	case Waiting:
		return "waiting"
	case Processing:
		return "processing"
	case Exception:
		return "exception"
	case Complete:
		return "complete"
	}
	return "unknown"
}

// Hints are the data that the link order has from one page that links to a URL. They are stored so
// that another strategy can rank the frontier without fetching. Scores lie in 0 … 1 and are kept to
// 1/255.
type Hints struct {
	Anchor      string // anchor text, at most 80 runes
	Block       string // tag.class path of the link's block
	Pager       bool
	AnchorScore float64
	SourceScore float64
	BlockScore  float64
	URLScore    float64
	Inherited   float64 // value that the source had inherited (shark)
	Relevant    bool    // the source was an aggregation page when the link was found
	Features    uint16  // of the block, linkorder.BlockFeatures; 0 in older rows
	Tags        uint64  // sketch of the link's tag path, htmldoc.Link.Tags; 0 for none and in older rows
}

// Inlink is one link to a URL: its page and the hints of that page.
type Inlink struct {
	Source uint64 // the page's id
	Hints
}

// maxInlinks is the number of stored links to a waiting URL: the first four.
const maxInlinks = 4

// URL is one known URL: a row of the frontier or of the past.
type URL struct {
	ID    uint64 // order of discovery, from 1
	URL   string // canonical
	State state
	Depth int // shortest known distance from a seed; pagination and redirects add none

	// Hints are the hints of the first link, or of the seed (a sitemap's mark). Source is its page, 0
	// for a seed.
	Source uint64
	Hints
	More []Inlink // further links found while it waited, at most maxInlinks-1

	Fails   int       // failed fetches in a row
	Retry   time.Time // Waiting, Exception: earliest retry; zero: any time
	Failure Failure   // why it is an Exception or why the last fetch failed
}

// Inlinks yields the links to the URL in the order found; none for a seed.
func (u *URL) Inlinks(yield func(Inlink) bool) {
	if u.Source == 0 || !yield(Inlink{u.Source, u.Hints}) {
		return
	}
	for _, l := range u.More {
		if !yield(l) {
			return
		}
	}
}

// The flags of a row; a further inlink has no flagFailed.
const (
	flagPager = 1 << iota
	flagFailed
	flagRelevant
	flagFeatures     // they follow the hints
	moreShift    = 4 // the upper half holds the number of further inlinks
)

func (h *Hints) flags() (f byte) {
	if h.Pager {
		f |= flagPager
	}
	if h.Relevant {
		f |= flagRelevant
	}
	if h.Features != 0 {
		f |= flagFeatures
	}
	return f
}

func appendHints(b []byte, h *Hints) []byte {
	b = appendString(b, h.Anchor)
	b = appendString(b, h.Block)
	for _, f := range [...]float64{h.AnchorScore, h.SourceScore, h.BlockScore, h.URLScore} {
		b = append(b, byte(min(1, max(0, f))*255+.5))
	}
	if b = appendFloat(b, h.Inherited); h.Features != 0 {
		b = binary.LittleEndian.AppendUint16(b, h.Features)
	}
	return b
}

func (r *reader) hints(flags byte) (h Hints) {
	h.Pager, h.Relevant = flags&flagPager != 0, flags&flagRelevant != 0
	h.Anchor, h.Block = r.string(), r.string()
	for _, f := range [...]*float64{&h.AnchorScore, &h.SourceScore, &h.BlockScore, &h.URLScore} {
		*f = float64(r.byte()) / 255
	}
	if h.Inherited = r.float(); flags&flagFeatures != 0 {
		h.Features = uint16(r.byte()) | uint16(r.byte())<<8
	}
	return h
}

// appendURL appends the row of a URL.
func appendURL(b []byte, u *URL) []byte {
	flags := u.flags() | byte(len(u.More))<<moreShift
	failed := u.Fails > 0 || u.Failure != (Failure{}) || !u.Retry.IsZero()
	if failed {
		flags |= flagFailed
	}
	b = append(b, byte(u.State), flags)
	b = binary.AppendUvarint(b, uint64(u.Depth))
	b = binary.AppendUvarint(b, u.Source)
	b = appendString(b, u.URL)
	b = appendHints(b, &u.Hints)
	if failed {
		b = binary.AppendUvarint(b, uint64(u.Fails))
		b = appendTime(b, u.Retry)
		b = appendString(b, u.Failure.Error())
	}
	for i := range u.More {
		l := &u.More[i]
		b = append(b, l.flags())
		b = binary.AppendUvarint(b, l.Source)
		b = appendHints(b, &l.Hints)
	}
	return appendTags(b, u)
}

// appendTags appends the tag paths of all inlinks, 8 bytes each, if there are any. They end the row, because rows of
// before lack them and programs of before do not read on.
func appendTags(b []byte, u *URL) []byte {
	all := u.Tags
	for i := range u.More {
		all |= u.More[i].Tags
	}
	if all == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint64(b, u.Tags)
	for i := range u.More {
		b = binary.LittleEndian.AppendUint64(b, u.More[i].Tags)
	}
	return b
}

// tags reads what appendTags wrote.
func (u *URL) tags(rest []byte) {
	if len(rest) != 8*(1+len(u.More)) {
		return
	}
	u.Tags = binary.LittleEndian.Uint64(rest)
	for i := range u.More {
		u.More[i].Tags = binary.LittleEndian.Uint64(rest[8*(i+1):])
	}
}

// decodeURL decodes a row of the bucket of URLs. The URL shares nothing with v.
func decodeURL(id uint64, v []byte) (*URL, error) {
	r := reader{b: v}
	u := &URL{ID: id, State: state(r.byte())}
	flags := r.byte()
	u.Depth = int(r.uvarint())
	u.Source = r.uvarint()
	u.URL = r.string()
	u.Hints = r.hints(flags)
	if flags&flagFailed != 0 {
		u.Fails = int(r.uvarint())
		u.Retry = r.time()
		u.Failure = ReadFailure(r.string())
	}
	if n := int(flags >> moreShift); n > 0 && r.err == nil {
		if n >= maxInlinks {
			return u, errRow
		}
		u.More = make([]Inlink, n)
		for i := range u.More {
			flags := r.byte()
			u.More[i].Source = r.uvarint()
			u.More[i].Hints = r.hints(flags)
		}
	}
	if r.err == nil && u.State >= numStates {
		r.err = errRow
	}
	u.tags(r.b)
	return u, r.err
}

// head is the data kept in memory of every known URL.
type head struct {
	depth   uint16 // the shortest known
	state   state
	inlinks uint8 // stored inlinks, at most maxInlinks; maxInlinks for a seed, which needs none
}

// urlHead decodes the fields of a URL that Open needs.
func urlHead(v []byte) (head, error) {
	r := reader{b: v}
	s, flags := state(r.byte()), r.byte()
	h := head{state: s, depth: clampDepth(int(r.uvarint())), inlinks: 1 + flags>>moreShift}
	if r.uvarint() == 0 {
		h.inlinks = maxInlinks
	}
	if r.err == nil && s >= numStates {
		r.err = errRow
	}
	return h, r.err
}

func clampDepth(d int) uint16 { return uint16(max(0, min(d, 1<<16-1))) }

func rowURL(row []byte) (string, error) {
	u, err := decodeURL(0, row)
	return u.URL, err
}
