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

// wireProtocol is the version of the message format. Owner and workers must agree on it.
const wireProtocol = 8

// maxJob is the maximum size of an unpacked job in bytes.
const maxJob = 4 << 20

// maxResultExtra is the maximum size of an unpacked result without its body, in bytes.
const maxResultExtra = 16 << 20

var (
	// errProtocol means that another version of angler sent the message.
	errProtocol = errors.New("another protocol: use the same version of angler at both ends")
	// errMalformed means that the bytes are no valid message.
	errMalformed = errors.New("malformed message")
	// errTooLong means that the message exceeds its limit.
	errTooLong = errors.New("message too long")
)

// pageJob is a request to a worker.
type pageJob struct {
	Lease   uint64 // identifies the job; a reassigned job gets a new one
	Request fetch.Request
	Address string // the URL that the page belongs to
	Host    string
	Page    bool      // read the reply as a page
	Known   store.Key // key of the owner's body; an equal body is not read again
	Now     time.Time // the owner's time
	Words   uint64    // fingerprint of the dictionary for counting words
	Frame   reader.Frame
	Notice  *page.Announced // also read the page as a notice; nil = not a notice
}

// jobResult is the answer to a pageJob.
type jobResult struct {
	Lease    uint64
	Receipt  string          // subject that acknowledges the job
	Response *fetch.Response // nil if Left or Failed
	Left     bool            // the reply exceeds a message: the owner must fetch it
	Failed   fetch.Report    // Kind "" = no failure
	Draft    *reader.Draft   // nil = the owner must read the body
	Host     hostFacts
}

// hostFacts holds a worker's findings about a host.
type hostFacts struct {
	CrawlDelay time.Duration
	Address    netip.Addr
	Sitemaps   []string // named by robots.txt
}

// encode returns the encoded job.
func (j *pageJob) encode() []byte { return encode(func(c *codec) { c.job(j) }, nil) }

// Encode returns the encoded result. It reuses a body that the draft has packed.
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

// decodeJob parses a job.
func decodeJob(b []byte) (*pageJob, error) {
	j := new(pageJob)
	rest, err := decode(b, maxJob, nil, func(c *codec) { c.job(j) })
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%w: a job with a body", errMalformed)
	}
	return j, err
}

// decodeJobResult parses a result with a body of at most body bytes. Words of the lexicon known come as numbers; nil
// means no lexicon. The page's texts are substrings of one message, so copy those that are kept for long.
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

// decode parses the fields of a message of at most limit unpacked bytes. It returns the bytes after them.
func decode(b []byte, limit int, known *dict.Lexicon, fields func(*codec)) (rest []byte, err error) {
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
	if long > limit || long > maxRatio*len(packed) {
		return nil, fmt.Errorf("%w: %d bytes", errTooLong, long)
	}
	room := buffers.Get().(*[]byte)
	defer buffers.Put(room)
	raw, err := s2.Decode((*room)[:cap(*room)], packed)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errMalformed, err)
	}
	if cap(raw) <= maxPooled {
		*room = raw
	}
	c := &codec{b: raw, all: string(raw), known: known} // the buffer is reused
	fields(c)
	if c.err == nil && len(c.b) > 0 {
		c.fail("%d bytes too many", len(c.b))
	}
	return rest, c.err
}

// buffers pools buffers for unpacking. Large ones are not kept.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const maxPooled = 1 << 20

// maxRatio is the maximum ratio of unpacked to packed size. S2 packs no better, so a forged size allocates no
// memory.
const maxRatio = 1 << 16
