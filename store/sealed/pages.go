package sealed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// The format of bbolt's file, which bbolt keeps stable. A page has a header of 16 bytes: id (8),
// kind (2), number of elements (2), number of overflow pages (4). Pages 0 and 1 are meta pages,
// which commits write in turn. All numbers are in the machine's byte order.
const (
	headerBytes  = 16
	elementBytes = 16
	bucketBytes  = 16 // a bucket's root page and sequence
	metaBytes    = 64

	kindBranch = 0x01
	kindLeaf   = 0x02
	kindFree   = 0x10

	elementBucket = 0x01

	metaMagic   = 0xED0CDAED
	metaVersion = 2
	noFreelist  = ^uint64(0)

	maxKey = 32768 // bytes
)

var order = binary.NativeEndian

// file reads the pages of a database without trusting them.
type file struct {
	f    io.ReaderAt
	size int64 // in bytes
	page int64 // bytes of a page
	meta meta
	n    uint64 // existing pages, at most the high-water mark
	// spare says that one of the meta pages is invalid.
	spare string
}

// meta is the content of a meta page.
type meta struct {
	root     uint64 // page of the bucket of buckets; 0: unknown
	freelist uint64
	high     uint64 // used pages are below
	tx       uint64
}

func openFile(path string) (*file, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &file{f: f, size: st.Size()}, nil
}

// Close closes a file that openFile has opened.
func (x *file) Close() error { return x.f.(*os.File).Close() }

// readMeta finds the meta page in force.
func (x *file) readMeta() error {
	var valid [2]bool
	var metas [2]meta
	metas[0], x.page, valid[0] = x.metaAt(0)
	if !valid[0] { // then the page size is unknown
		for size := int64(1 << 10); size <= 1<<24 && !valid[1]; size <<= 1 {
			metas[1], x.page, valid[1] = x.metaAt(size)
			valid[1] = valid[1] && x.page == size
		}
	} else {
		metas[1], _, valid[1] = x.metaAt(x.page)
	}
	switch {
	case !valid[0] && !valid[1]:
		x.page = int64(os.Getpagesize())
		x.n = uint64(x.size / x.page)
		return errors.New("no meta page holds: it is no database, or its beginning is lost")
	case valid[0] && (!valid[1] || metas[0].tx > metas[1].tx):
		x.meta = metas[0]
	default:
		x.meta = metas[1]
	}
	if !valid[0] || !valid[1] {
		x.spare = "a meta page is damaged: what the last commit wrote may be missing"
	}
	x.n = min(x.meta.high, uint64(x.size/x.page))
	if x.n < x.meta.high {
		return fmt.Errorf("the file has %d bytes and should have %d: its end is lost", x.size,
			int64(x.meta.high)*x.page)
	}
	return nil
}

func (x *file) metaAt(at int64) (m meta, page int64, ok bool) {
	var b [headerBytes + metaBytes]byte
	if _, err := x.f.ReadAt(b[:], at); err != nil {
		return m, 0, false
	}
	v := b[headerBytes:]
	h := fnv.New64a()
	h.Write(v[:metaBytes-8])
	if order.Uint32(v) != metaMagic || order.Uint32(v[4:]) != metaVersion || order.Uint64(v[56:]) != h.Sum64() {
		return m, 0, false
	}
	page = int64(order.Uint32(v[8:]))
	m = meta{root: order.Uint64(v[16:]), freelist: order.Uint64(v[32:]), high: order.Uint64(v[40:]),
		tx: order.Uint64(v[48:])}
	return m, page, page >= 1<<10 && page <= 1<<24 && m.high < 1<<50
}

// leaf is a leaf or branch page with a valid header.
type leaf struct {
	x     *file
	id    uint64
	kind  uint16
	count int
	over  uint64 // overflow pages
	at    int64  // its offset in the file
	head  []byte // its first bytes, including all elements
	size  int64  // in bytes
}

// read reads the head of a page. For a leaf it reads only the header, unless whole is set.
func (x *file) read(id uint64, whole bool) (*leaf, error) {
	if id < 2 || id >= x.n {
		return nil, fmt.Errorf("page %d is outside of the file", id)
	}
	var h [headerBytes]byte
	at := int64(id) * x.page
	if _, err := x.f.ReadAt(h[:], at); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	p := &leaf{x: x, id: id, kind: order.Uint16(h[8:]), count: int(order.Uint16(h[10:])),
		over: uint64(order.Uint32(h[12:])), at: at, head: h[:]}
	if got := order.Uint64(h[:]); got != id {
		return nil, fmt.Errorf("page %d says that it is page %d", id, got)
	}
	if p.kind != kindBranch && p.kind != kindLeaf && p.kind != kindFree {
		return nil, fmt.Errorf("page %d is of no known kind (%#x)", id, p.kind)
	}
	if id+p.over >= x.n {
		return nil, fmt.Errorf("page %d goes on behind the file's end", id)
	}
	p.size = int64(p.over+1) * x.page
	if !whole && p.kind == kindLeaf || p.kind == kindFree {
		return p, nil
	}
	need := int64(headerBytes + elementBytes*p.count)
	if need > p.size {
		return nil, fmt.Errorf("page %d has no room for its %d elements", id, p.count)
	}
	p.head = make([]byte, min(p.size, max(need, x.page)))
	_, err := x.f.ReadAt(p.head, at)
	return p, err
}

// bytes returns n bytes of the page from off; nil if they exceed the page.
func (p *leaf) bytes(off, n int64) []byte {
	switch {
	case n > p.size || off > p.size-n:
		return nil
	case off+n <= int64(len(p.head)):
		return p.head[off : off+n : off+n]
	}
	b := make([]byte, n)
	if _, err := p.x.f.ReadAt(b, p.at+off); err != nil && err != io.EOF {
		return nil
	}
	return b
}

// element is a row of a leaf, or a child of a branch.
type element struct {
	key    []byte
	flags  uint32
	child  uint64
	value  int64 // its offset in the page
	length int64
}

// element returns one element; ok is false if it exceeds the page.
func (p *leaf) element(i int) (e element, ok bool) {
	off := int64(headerBytes + elementBytes*i)
	b := p.head[off:]
	var pos, klen int64
	if p.kind == kindBranch {
		pos, klen, e.child = int64(order.Uint32(b)), int64(order.Uint32(b[4:])), order.Uint64(b[8:])
	} else {
		e.flags = order.Uint32(b)
		pos, klen, e.length = int64(order.Uint32(b[4:])), int64(order.Uint32(b[8:])), int64(order.Uint32(b[12:]))
	}
	if klen > maxKey || pos < elementBytes {
		return e, false
	}
	e.value = off + pos + klen
	if e.value+e.length > p.size {
		return e, false
	}
	e.key = p.bytes(off+pos, klen)
	return e, e.key != nil
}

// inline makes a page of a bucket stored inside a value.
func (x *file) inline(v []byte) (*leaf, bool) {
	if len(v) < headerBytes {
		return nil, false
	}
	p := &leaf{x: x, kind: order.Uint16(v[8:]), count: int(order.Uint16(v[10:])), head: v, size: int64(len(v))}
	return p, p.kind == kindLeaf && headerBytes+elementBytes*p.count <= len(v)
}

// free lists the free pages.
func (x *file) free() ([]uint64, error) {
	if x.meta.freelist == noFreelist {
		return nil, nil
	}
	p, err := x.read(x.meta.freelist, false)
	if err != nil {
		return nil, fmt.Errorf("the list of free pages: %w", err)
	}
	if p.kind != kindFree {
		return nil, fmt.Errorf("page %d is not the list of free pages", p.id)
	}
	n, at := int64(p.count), int64(headerBytes)
	if n == 0xffff {
		first := p.bytes(at, 8)
		n, at = int64(min(order.Uint64(first), x.n+1)), at+8
	}
	if at+8*n > p.size {
		return nil, errors.New("the list of free pages is longer than its page")
	}
	b := p.bytes(at, 8*n)
	if b == nil {
		return nil, errors.New("the list of free pages cannot be read")
	}
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = order.Uint64(b[8*i:])
	}
	return ids, nil
}
