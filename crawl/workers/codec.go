package workers

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"angler/dict"
)

// codec writes or reads the fields of a message in order. After the first error, reads return zeroes.
type codec struct {
	b       []byte        // written bytes, or bytes still to read
	all     string        // whole input of a read; texts are substrings of it
	known   *dict.Lexicon // the reader's words, see decodeJobResult
	writing bool
	err     error
}

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", errMalformed, fmt.Sprintf(format, args...))
	}
	c.b = c.b[:0]
}

func (c *codec) uint(v *uint64) {
	if c.writing {
		c.b = binary.AppendUvarint(c.b, *v)
		return
	}
	x, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.fail("a number is cut off")
		*v = 0
		return
	}
	*v, c.b = x, c.b[n:]
}

// number encodes an integer within [low, high].
func number[T ~int | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](c *codec, v *T, low, high int64) {
	x := uint64(int64(*v) - low)
	c.uint(&x)
	if !c.writing {
		if x > uint64(high-low) {
			c.fail("a number beyond %d", high)
			return
		}
		*v = T(int64(x) + low)
	}
}

func (c *codec) bool(v *bool) {
	x := uint8(0)
	if *v {
		x = 1
	}
	number(c, &x, 0, 1)
	*v = x == 1
}

// share encodes a finite number ≥ 0.
func (c *codec) share(v *float64) {
	if c.writing {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*v))
		return
	}
	if len(c.b) < 8 {
		c.fail("a number is cut off")
		return
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(c.b))
	c.b = c.b[8:]
	if !(x >= 0) || math.IsInf(x, 0) {
		c.fail("no share")
		return
	}
	*v = x
}

// raw encodes at most limit bytes.
func (c *codec) raw(v *[]byte, limit int) {
	n := len(*v)
	number(c, &n, 0, int64(limit))
	if c.writing {
		c.b = append(c.b, *v...)
		return
	}
	if n > len(c.b) {
		c.fail("bytes are cut off")
		return
	}
	if n > 0 {
		*v = append([]byte(nil), c.b[:n]...)
	}
	c.b = c.b[n:]
}

// text encodes valid UTF-8 of at most limit bytes.
func text[T ~string](c *codec, v *T, limit int) {
	n := len(*v)
	number(c, &n, 0, int64(limit))
	if c.writing {
		c.b = append(c.b, *v...)
		return
	}
	switch {
	case n > len(c.b):
		c.fail("a text is cut off")
	case !utf8.Valid(c.b[:n]):
		c.fail("a text is no UTF-8")
	default:
		*v = T(c.all[len(c.all)-len(c.b):][:n])
		c.b = c.b[n:]
	}
}

// copiedText is text, but copies: a value that is kept for long must not hold the whole message in memory.
func copiedText(c *codec, v *string, limit int) {
	text(c, v, limit)
	if !c.writing {
		*v = strings.Clone(*v)
	}
}

// Limits of texts, in bytes.
const (
	maxAddress = 16 << 10 // a URL
	maxShort   = 4 << 10  // a title, an anchor, a line of a log
)

// address encodes a canonical URL; empty allows "". It does not check the scope, which the filter does.
func (c *codec) address(v *string, empty bool) {
	text(c, v, maxAddress)
	if !c.writing && c.err == nil && !(empty && *v == "") && !canonical(*v) {
		c.fail("%.80q is no canonical address", *v)
	}
}

// copiedAddress is address, but copies like copiedText.
func (c *codec) copiedAddress(v *string) {
	c.address(v, false)
	if !c.writing {
		*v = strings.Clone(*v)
	}
}

// canonical reports whether a URL is canonical: scheme and host in lower case, printable ASCII before the fragment.
func canonical(u string) bool {
	rest, ok := strings.CutPrefix(u, "http://")
	if !ok {
		if rest, ok = strings.CutPrefix(u, "https://"); !ok {
			return false
		}
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	if host == "" || len(host) == len(rest) {
		return false
	}
	for i := range len(host) {
		switch b := host[i]; {
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9', b == '.', b == '-', b == '_', b == ':', b == '[', b == ']':
		default:
			return false
		}
	}
	plain, fragment, _ := strings.Cut(rest, "#")
	for i := range len(plain) {
		if plain[i] <= ' ' || plain[i] >= 0x7f {
			return false
		}
	}
	for _, r := range fragment {
		if r < ' ' || r == 0x7f {
			return false
		}
	}
	return true
}

// list encodes a slice of at most limit elements of at least one byte each.
func list[T any](c *codec, v *[]T, limit int, each func(*T)) {
	n := len(*v)
	number(c, &n, 0, int64(limit))
	if !c.writing {
		if n > len(c.b) {
			c.fail("a list is cut off")
		}
		if n == 0 || c.err != nil {
			return
		}
		*v = make([]T, n)
	}
	for i := range *v {
		if c.err != nil {
			return
		}
		each(&(*v)[i])
	}
}

// optional encodes a pointer that may be nil.
func optional[T any](c *codec, v **T, fields func(*T)) {
	there := *v != nil
	c.bool(&there)
	if !there {
		return
	}
	if !c.writing {
		*v = new(T)
	}
	fields(*v)
}

// time encodes a time with its offset from UTC, which texts show.
func (c *codec) time(v *time.Time) {
	known := !v.IsZero()
	c.bool(&known)
	if !known {
		if !c.writing {
			*v = time.Time{}
		}
		return
	}
	sec, nano := v.Unix(), v.Nanosecond()
	_, offset := v.Zone()
	number(c, &sec, -1<<40, 1<<40)
	number(c, &nano, 0, 999_999_999)
	number(c, &offset, -24*3600, 24*3600)
	if c.writing || c.err != nil {
		return
	}
	zone := time.UTC
	if offset != 0 {
		zone = time.FixedZone("", offset)
	}
	*v = time.Unix(sec, int64(nano)).In(zone)
}

func (c *codec) span(v *time.Duration) {
	number(c, v, 0, int64(1000*time.Hour))
}

// ip encodes an IP address; the zero value means none.
func (c *codec) ip(v *netip.Addr) {
	b := []byte(nil)
	if c.writing {
		b = v.WithZone("").AsSlice()
	}
	c.raw(&b, 16)
	if c.writing || len(b) == 0 {
		return
	}
	var ok bool
	if *v, ok = netip.AddrFromSlice(b); !ok {
		c.fail("no address of a host")
	}
}
