package workers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/dict"
	"angler/store"
)

// wireProtocol is the number of this form. An owner and its workers must agree on it.
const wireProtocol = 6

// maxJob bounds a job, in bytes when unpacked.
const maxJob = 4 << 20

// maxResultExtra is what a result may hold besides the body, in bytes when unpacked.
const maxResultExtra = 16 << 20

var (
	// errProtocol means a message of another version of angler.
	errProtocol = errors.New("another protocol: use the same version of angler at both ends")
	// errMalformed means bytes that are no message.
	errMalformed = errors.New("malformed message")
	// errTooLong means a message above its bound.
	errTooLong = errors.New("message too long")
)

// Job is what a worker is asked for.
type Job struct {
	Lease   uint64 // names the job; another one is given when it is handed out again
	Request fetch.Request
	Address string // the URL it is for
	Host    string
	Page    bool      // understand it, if it is one
	Known   store.Key // of the body that the owner has; it is not understood again
	Now     time.Time // at the owner
	Words   uint64    // fingerprint of the dictionary to count by
	Frame   reader.Frame
	Notice  *page.Announced // the page is read besides as a notice; nil = it is none

	Body        []byte // is read, as a notice alone, and nothing is asked for; nil = the URL is
	ContentType string // of Body
}

// jobResult is the answer to a Job.
type jobResult struct {
	Lease    uint64
	Receipt  string          // subject by which the job is acknowledged
	Response *fetch.Response // nil with Left and with Failed
	Left     bool            // the answer is too long for a message: the owner is to ask itself
	Failed   fetch.Report    // with Kind "" for none
	Draft    *reader.Draft   // nil = the owner is to read the body
	Host     hostFacts
}

// hostFacts is what a worker knows of a host.
type hostFacts struct {
	CrawlDelay time.Duration
	Address    netip.Addr
	Sitemaps   []string // that robots.txt names
}

// Encode writes the job.
func (j *Job) Encode() []byte { return encode(func(c *codec) { c.job(j) }, nil) }

// Encode writes the result. A body that its draft has packed already is not packed again.
func (r *jobResult) Encode() []byte {
	var body []byte
	switch {
	case r.Draft != nil && r.Draft.Body != nil:
		body = r.Draft.Body
	case r.Response != nil:
		body = store.Compress(r.Response.Body)
	}
	return encode(func(c *codec) { c.result(r) }, body)
}

func encode(fields func(*codec), body []byte) []byte {
	c := &codec{writing: true}
	fields(c)
	packed := s2.Encode(nil, c.b)
	out := append(make([]byte, 0, 1+binary.MaxVarintLen32+len(packed)+len(body)), wireProtocol)
	out = append(binary.AppendUvarint(out, uint64(len(packed))), packed...)
	return append(out, body...)
}

// decodeJob reads a job.
func decodeJob(b []byte) (*Job, error) {
	j := new(Job)
	rest, err := decode(b, maxJob, nil, func(c *codec) { c.job(j) })
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%w: a job with a body", errMalformed)
	}
	return j, err
}

// decodeJobResult reads a result whose body has at most body bytes. Words that are known come
// as their numbers in that lexicon; nil = none are. The texts of the page are parts of one,
// which goes when the last of them does: what is kept for long must be copied.
func decodeJobResult(b []byte, body int, known *dict.Lexicon) (*jobResult, error) {
	r := new(jobResult)
	rest, err := decode(b, maxResultExtra, known, func(c *codec) { c.result(r) })
	if err != nil {
		return nil, err
	}
	if r.Response == nil {
		if len(rest) > 0 {
			return nil, fmt.Errorf("%w: a body without an answer", errMalformed)
		}
		return r, nil
	}
	if r.Response.Body, err = store.Decompress(rest, min(body, maxRatio*len(b))); errors.Is(err, store.ErrTooLong) {
		return nil, fmt.Errorf("%w: %v", errTooLong, err)
	} else if err != nil || rest[0] != store.BodyForm {
		return nil, fmt.Errorf("%w: a body that does not unpack: %v", errMalformed, err)
	}
	if r.Draft != nil {
		r.Draft.Body = rest
	}
	return r, nil
}

// decode reads the fields of a message, of at most so many bytes, and returns what follows
// them.
func decode(b []byte, most int, known *dict.Lexicon, fields func(*codec)) (rest []byte, err error) {
	if len(b) == 0 {
		return nil, errMalformed
	}
	if b[0] != wireProtocol {
		return nil, fmt.Errorf("%w (%d, here %d)", errProtocol, b[0], wireProtocol)
	}
	size, n := binary.Uvarint(b[1:])
	if n <= 0 || size > uint64(len(b)-1-n) {
		return nil, fmt.Errorf("%w: it is cut off", errMalformed)
	}
	packed, rest := b[1+n:][:size], b[1+n:][size:]
	long, err := s2.DecodedLen(packed)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errMalformed, err)
	}
	if long > most || long > maxRatio*len(packed) {
		return nil, fmt.Errorf("%w: %d bytes", errTooLong, long)
	}
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	raw, err := s2.Decode((*room)[:cap(*room)], packed)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errMalformed, err)
	}
	if cap(raw) <= mostRoom {
		*room = raw
	}
	c := &codec{b: raw, all: string(raw), known: known} // the room is used again
	fields(c)
	if c.err == nil && len(c.b) > 0 {
		c.fail("%d bytes too many", len(c.b))
	}
	return rest, c.err
}

// rooms are for unpacking messages; those of giants are not kept.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

const mostRoom = 1 << 20

// maxRatio is how much longer than it came a message may become: S2 packs no better, and
// no peer gets memory for a promise.
const maxRatio = 1 << 16
