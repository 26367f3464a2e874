package store

import (
	"encoding/binary"
	"time"
)

// State is one of P1's four states of a URL.
type State uint8

// The states. Processing carries a lease that does not outlive the process:
// opening a workspace turns it back into Waiting.
const (
	Waiting State = iota
	Processing
	Exception
	Complete
	numStates
)

// String returns the state in lower-case English, as exports name it.
func (s State) String() string {
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

// Hints are what link order knows of a URL from the page that first linked to
// it. They are stored so that another strategy can rank the frontier again
// without fetching anything. Scores lie in 0 … 1
// and are kept to 1/255.
type Hints struct {
	Anchor      string // anchor text, at most 80 runes
	Block       string // tag.class path of the link's block
	Pager       bool
	AnchorScore float64
	SourceScore float64
	BlockScore  float64
	URLScore    float64
	Inherited   float64 // what the source had inherited itself (fish, shark); not bounded by 1
	Relevant    bool    // the source was an aggregation page when the link was found
}

// URL is one known URL: a row of the frontier or of the past.
type URL struct {
	ID     uint64 // order of discovery, from 1
	URL    string // canonical
	State  State
	Depth  int    // shortest known distance from a seed; pagination and redirects add none
	Source uint64 // the page whose link was first seen; 0 for a seed
	Hints

	Fails  int       // failed fetches in a row
	Retry  time.Time // Waiting: not before; zero = any time
	Reason string    // why it is an Exception or why the last fetch failed
}

const (
	urlPager = 1 << iota
	urlFailed
	urlRelevant
)

func appendURL(b []byte, u *URL) []byte {
	var flags byte
	if u.Pager {
		flags |= urlPager
	}
	if u.Relevant {
		flags |= urlRelevant
	}
	if u.Fails > 0 || u.Reason != "" || !u.Retry.IsZero() {
		flags |= urlFailed
	}
	b = append(b, byte(u.State), flags)
	b = binary.AppendUvarint(b, uint64(u.Depth))
	b = binary.AppendUvarint(b, u.Source)
	b = appendString(b, u.URL)
	b = appendString(b, u.Anchor)
	b = appendString(b, u.Block)
	for _, f := range [...]float64{u.AnchorScore, u.SourceScore, u.BlockScore, u.URLScore} {
		b = append(b, byte(min(1, max(0, f))*255+.5))
	}
	b = appendFloat(b, u.Inherited)
	if flags&urlFailed != 0 {
		b = binary.AppendUvarint(b, uint64(u.Fails))
		b = appendTime(b, u.Retry)
		b = appendString(b, u.Reason)
	}
	return b
}

func decodeURL(id uint64, v []byte) (*URL, error) {
	r := reader{b: v}
	u := &URL{ID: id, State: State(r.byte())}
	flags := r.byte()
	u.Pager, u.Relevant = flags&urlPager != 0, flags&urlRelevant != 0
	u.Depth = int(r.uvarint())
	u.Source = r.uvarint()
	u.URL = r.string()
	u.Anchor = r.string()
	u.Block = r.string()
	for _, f := range [...]*float64{&u.AnchorScore, &u.SourceScore, &u.BlockScore, &u.URLScore} {
		*f = float64(r.byte()) / 255
	}
	u.Inherited = r.float()
	if flags&urlFailed != 0 {
		u.Fails = int(r.uvarint())
		u.Retry = r.time()
		u.Reason = r.string()
	}
	if r.err == nil && u.State >= numStates {
		r.err = errRow
	}
	return u, r.err
}

// urlHead decodes the two fields that opening a workspace needs of every URL.
func urlHead(v []byte) (State, int, error) {
	r := reader{b: v}
	s := State(r.byte())
	r.byte()
	d := int(r.uvarint())
	if r.err == nil && s >= numStates {
		r.err = errRow
	}
	return s, d, r.err
}
