// Package wire is how jobs travel to workers and results back: the bytes, and what is
// believed of them.
//
// A message is one byte, the protocol, and behind it the fields of a Job or a Result in a
// fixed order, compressed as one (S2: some 10 µs a page; zstd would make a fifth less of
// it and cost ten times as much). Each type has one function that names its fields, and
// that reads and writes them alike, so the two cannot drift apart.
//
// A worker is not trusted. Whoever decodes says how large a message may become; counts are
// bounded by the bytes that are left, texts are valid UTF-8, addresses have the form of
// canonical ones, indices lie within their tables, and nothing follows the last field. A
// page that is well formed and wrong is no worse than a server that sends such a page. What
// belongs together, the job asked for and the answer to it, is for the caller to compare.
//
// Decoding costs some 30 µs for a page with a hundred links. All functions are safe for
// concurrent use.
package wire

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/klauspost/compress/s2"

	"angler/crawl/fetch"
	"angler/crawl/reader"
	"angler/store"
)

// Protocol is the number of this form. An owner and its workers must agree on it.
const Protocol = 1

// MaxJob bounds a job, in bytes when unpacked.
const MaxJob = 4 << 20

// Extra is what a result may hold besides the body, in bytes when unpacked.
const Extra = 16 << 20

var (
	// ErrProtocol means a message of another version of angler.
	ErrProtocol = errors.New("another protocol: use the same version of angler at both ends")
	// ErrMalformed means bytes that are no message.
	ErrMalformed = errors.New("malformed message")
	// ErrTooLong means a message above its bound.
	ErrTooLong = errors.New("message too long")
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
}

// Result is the answer to a Job.
type Result struct {
	Lease    uint64
	Receipt  string          // subject by which the job is acknowledged
	Response *fetch.Response // nil with Failed
	Failed   fetch.Report    // with Kind "" for none
	Draft    *reader.Draft   // nil = the owner is to read the body
	Host     Said
}

// Said is what a worker knows of a host.
type Said struct {
	CrawlDelay time.Duration
	Address    netip.Addr
	Sitemaps   []string // that robots.txt names
}

// Encode writes the job.
func (j *Job) Encode() []byte { return encode(func(c *codec) { c.job(j) }) }

// Encode writes the result.
func (r *Result) Encode() []byte { return encode(func(c *codec) { c.result(r) }) }

func encode(fields func(*codec)) []byte {
	c := &codec{writing: true}
	fields(c)
	out := make([]byte, 1+s2.MaxEncodedLen(len(c.b)))
	out[0] = Protocol
	return out[:1+len(s2.Encode(out[1:], c.b))]
}

// DecodeJob reads a job.
func DecodeJob(b []byte) (*Job, error) {
	j := new(Job)
	return j, decode(b, MaxJob, func(c *codec) { c.job(j) })
}

// DecodeResult reads a result whose body has at most body bytes.
func DecodeResult(b []byte, body int) (*Result, error) {
	r := new(Result)
	if err := decode(b, body+Extra, func(c *codec) { c.result(r) }); err != nil {
		return nil, err
	}
	if r.Response != nil && len(r.Response.Body) > body {
		return nil, fmt.Errorf("%w: a body of %d bytes", ErrTooLong, len(r.Response.Body))
	}
	return r, nil
}

func decode(b []byte, most int, fields func(*codec)) error {
	if len(b) == 0 {
		return ErrMalformed
	}
	if b[0] != Protocol {
		return fmt.Errorf("%w (%d, here %d)", ErrProtocol, b[0], Protocol)
	}
	n, err := s2.DecodedLen(b[1:])
	if err != nil {
		return fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	if n > most || n > maxRatio*len(b) {
		return fmt.Errorf("%w: %d bytes", ErrTooLong, n)
	}
	raw, err := s2.Decode(nil, b[1:])
	if err != nil {
		return fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	c := &codec{b: raw}
	fields(c)
	if c.err == nil && len(c.b) > 0 {
		c.fail("%d bytes too many", len(c.b))
	}
	return c.err
}

// maxRatio is how much longer than it came a message may become: S2 packs no better, and
// nobody gets memory for a promise.
const maxRatio = 1 << 16
