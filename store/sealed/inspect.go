package sealed

import (
	"bytes"
	"fmt"
	"io"
)

// Depth is how much of a file Inspect reads.
type Depth int

// The depths. Branches reads the pages that lead to rows, about one in a hundred; that is enough to
// keep bbolt from endless loops. Leaves also reads the others, without the values.
const (
	Branches Depth = iota
	Leaves
)

// Report is the result of Inspect.
type Report struct {
	Pages    uint64   // below the high-water mark
	Buckets  []string // by name
	Problems []string // of trees and of the list of free pages
	More     int      // problems beyond those listed
	Lost     int      // pages neither used nor free, in a file without problems
	Spare    string   // says that one of the two meta pages is invalid; "": both are valid
}

// mostProblems bounds the list; further problems are counted.
const mostProblems = 100

// Inspect reads the pages of the file at path one by one, without bbolt, and reports pages that
// bbolt cannot have written. It finds a file that is too short, misplaced pages, unordered keys,
// and pages used twice or both used and free. The file must not be written meanwhile. It takes one
// bit of memory a page.
func Inspect(path string, depth Depth) (*Report, error) {
	x, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	return inspect(x, depth), nil
}

// InspectCopy is Inspect for a database of size bytes in another file.
func InspectCopy(r io.ReaderAt, size int64, depth Depth) *Report {
	return inspect(&file{f: r, size: size}, depth)
}

func inspect(x *file, depth Depth) *Report {
	w := &walk{file: x, depth: depth}
	w.all()
	return &w.report
}

// ReadRows calls f with each sound row of a bucket that is readable in the file at path, even if
// the file is damaged. The file must not be written meanwhile.
func ReadRows(path, bucket string, f func(key, value []byte) error) error {
	x, err := openFile(path)
	if err != nil {
		return err
	}
	defer x.Close()
	_ = x.readMeta() // without a root there are no trees to walk
	w := &walk{file: x, depth: Leaves, only: bucket}
	w.rows = func(p *leaf) {
		for i := range p.count {
			e, ok := p.element(i)
			if !ok || e.flags != 0 {
				continue
			}
			if v, sound := unseal([]byte(bucket), e.key, p.bytes(e.value, e.length)); sound && err == nil {
				err = f(e.key, v)
			}
		}
	}
	w.buckets()
	return err
}

// walk visits the trees of a file.
type walk struct {
	*file
	depth  Depth
	report Report
	used   bitmap // pages of the trees, and of the list of free pages
	free   bitmap
	listed bool // the list of free pages was read

	only string        // the bucket to visit; "": all
	rows func(p *leaf) // if set, gets every readable leaf of a bucket
}

type bitmap []uint64

func (b bitmap) has(i uint64) bool { return b[i/64]>>(i%64)&1 == 1 }
func (b bitmap) set(i uint64)      { b[i/64] |= 1 << (i % 64) }

func (w *walk) problem(format string, args ...any) {
	if len(w.report.Problems) == mostProblems {
		w.report.More++
		return
	}
	w.report.Problems = append(w.report.Problems, fmt.Sprintf(format, args...))
}

func (w *walk) all() {
	if err := w.readMeta(); err != nil {
		w.problem("%v", err)
	}
	w.report.Pages, w.report.Spare = w.n, w.spare
	w.free = make(bitmap, w.n/64+1)
	w.buckets()
	if w.meta.root == 0 {
		return
	}
	w.freelist()
	if w.depth == Branches || !w.listed || len(w.report.Problems) > 0 {
		return
	}
	for id := uint64(2); id < w.n; id++ {
		if !w.used.has(id) && !w.free.has(id) {
			w.report.Lost++
		}
	}
}

// buckets visits the tree of buckets, and their trees.
func (w *walk) buckets() {
	w.used = make(bitmap, w.n/64+1)
	if w.meta.root != 0 {
		w.tree("", w.meta.root)
	}
}

func (w *walk) freelist() {
	ids, err := w.file.free()
	if err != nil {
		w.problem("%v", err)
		return
	}
	if f := w.meta.freelist; f != noFreelist {
		p, _ := w.read(f, false)
		w.take(f, p.over)
	}
	before := uint64(0)
	for _, id := range ids {
		switch {
		case id < 2 || id >= w.n:
			w.problem("free page %d is outside of the file", id)
			return
		case id <= before:
			w.problem("free page %d stands behind page %d", id, before)
			return
		case w.used.has(id):
			w.problem("page %d is free and in use", id)
			return
		}
		before = id
		w.free.set(id)
	}
	w.listed = true
}

// take marks a page and its overflow pages as used.
func (w *walk) take(id, over uint64) bool {
	for i := id; i <= id+over; i++ {
		if w.used.has(i) {
			w.problem("page %d is used twice", i)
			return false
		}
	}
	for i := id; i <= id+over; i++ {
		w.used.set(i)
	}
	return true
}

// maxLevels bounds the height of a tree: a hundred children a page make five
// levels of ten billion rows.
const maxLevels = 48

// tree visits one bucket.
func (w *walk) tree(bucket string, root uint64) { w.subtree(bucket, root, nil, nil, 0) }

// subtree visits a page and the pages below it. Their keys ascend from from, the first key, to
// below; nil means no bound.
func (w *walk) subtree(bucket string, id uint64, from, below []byte, level int) {
	if level > maxLevels {
		w.problem("%sthe tree is too high", of(bucket))
		return
	}
	p, err := w.read(id, w.depth == Leaves || bucket == "")
	if err == nil && p.kind == kindFree {
		err = fmt.Errorf("page %d is none of a tree", id)
	}
	if err != nil {
		w.problem("%s%v", of(bucket), err)
		return
	}
	if !w.take(id, p.over) {
		return
	}
	if p.kind == kindLeaf {
		if w.depth == Leaves || bucket == "" {
			w.leaf(bucket, p, from, below)
		}
		return
	}
	if p.count == 0 {
		w.problem("%sbranch %d is empty", of(bucket), id)
	}
	leaves := w.depth == Branches && w.leavesBelow(p)
	last := []byte(nil)
	for i := range p.count {
		e, ok := p.element(i)
		if !ok || i == 0 && from != nil && !bytes.Equal(from, e.key) || i > 0 && bytes.Compare(last, e.key) >= 0 ||
			below != nil && bytes.Compare(e.key, below) >= 0 {
			w.problem("%sbranch %d: key %d is out of its place", of(bucket), id, i)
			if !ok {
				continue
			}
		}
		last = e.key
		end := below
		if i+1 < p.count {
			if next, ok := p.element(i + 1); ok {
				end = next.key
			}
		}
		if leaves && i > 0 {
			w.first(bucket, e.child)
			continue
		}
		w.subtree(bucket, e.child, e.key, end, level+1)
	}
}

// leavesBelow reports whether the children of a branch are leaves. The first child decides: all
// leaves of a tree are on one level.
func (w *walk) leavesBelow(p *leaf) bool {
	if p.count == 0 {
		return false
	}
	e, _ := p.element(0)
	first, err := w.read(e.child, false)
	return err == nil && first.kind == kindLeaf
}

// first marks a leaf without reading it.
func (w *walk) first(bucket string, id uint64) {
	if id < 2 || id >= w.n {
		w.problem("%spage %d is outside of the file", of(bucket), id)
		return
	}
	w.take(id, 0)
}

func (w *walk) leaf(bucket string, p *leaf, from, below []byte) {
	last := from
	for i := range p.count {
		e, ok := p.element(i)
		if !ok {
			w.problem("%spage %d: row %d reaches out of the page", of(bucket), p.id, i)
			continue
		}
		c := bytes.Compare(last, e.key)
		if last != nil && (c > 0 || c == 0 && i > 0 || c < 0 && i == 0) || below != nil &&
			bytes.Compare(e.key, below) >= 0 {
			w.problem("%spage %d: key %d is out of its place", of(bucket), p.id, i)
		}
		last = e.key
		if isBucket := e.flags&elementBucket != 0; isBucket != (bucket == "") || e.flags > 1 {
			w.problem("%spage %d: row %d is of the wrong kind", of(bucket), p.id, i)
			continue
		}
		if bucket == "" {
			w.entry(p, e)
		}
	}
	if w.rows != nil && bucket != "" {
		w.rows(p)
	}
}

// entry visits one bucket in the bucket of buckets.
func (w *walk) entry(p *leaf, e element) {
	v := p.bytes(e.value, e.length)
	name := string(e.key)
	if len(v) < bucketBytes || name == "" {
		w.problem("bucket %q has no root", name)
		return
	}
	w.report.Buckets = append(w.report.Buckets, name)
	root := order.Uint64(v)
	switch {
	case w.only != "" && w.only != name:
		return
	case root != 0:
		w.tree(name, root)
		return
	}
	in, ok := w.inline(v[bucketBytes:])
	if !ok {
		w.problem("bucket %s: its rows do not hold together", name)
		return
	}
	w.leaf(name, in, nil, nil)
}

func of(bucket string) string {
	if bucket == "" {
		return ""
	}
	return bucket + ": "
}
