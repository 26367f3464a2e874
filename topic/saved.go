package topic

import (
	"bufio"
	"errors"
	"math"
	"slices"
)

// This file saves an index and restores it, so that opening a workspace need not read the words of
// every page.

// savedForm changes when a saved index would differ from the one made of its pages today: other
// columns, or other contents of one (traits, the gate, equal texts).
const savedForm = 2

// Save writes the packed index for RestoreIndex, without model and scores, which follow from the
// decisions.
func (ix *Index) Save(w *bufio.Writer) error {
	ix.Pack()
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.empty > 0 {
		return errors.New("topic: pages were removed meanwhile")
	}
	packed := make([]uint64, len(ix.traits))
	for i := range ix.traits {
		packed[i] = ix.traits[i].packed()
	}
	fronts := make([]uint64, 0, len(ix.twins.fronts))
	for key := range ix.twins.fronts {
		fronts = append(fronts, key)
	}
	err := errors.Join(WriteColumn(w, []uint32{savedForm, uint32(ix.away.n)}), WriteColumn(w, ix.ids),
		WriteColumn(w, ix.gated), WriteColumn(w, packed),
		WriteColumn(w, ix.twins.same), WriteColumn(w, ix.twins.shadow), WriteColumn(w, fronts),
		writeStrings(w, ix.shapes.list))
	for f := range numFields {
		err = errors.Join(err, savePostings(w, ix.terms[f]), WriteColumn(w, ix.away.df[f]))
	}
	return errors.Join(err, ix.use.save(w))
}

// RestoreIndex returns the index that Save wrote; term ids are below words. It keeps b.
func RestoreIndex(b []byte, words int) (*Index, error) {
	r, ix := NewColumnReader(b), NewIndex()
	first := ReadColumn[uint32](r)
	if !r.Check(len(first) == 2 && first[0] == savedForm) {
		return nil, r.Err()
	}
	ix.away.n = int(first[1])
	ix.ids, ix.gated = ReadColumn[uint64](r), ReadColumn[bool](r)
	packed := ReadColumn[uint64](r)
	ix.twins.same, ix.twins.shadow = ReadColumn[uint64](r), ReadColumn[bool](r)
	if fronts := ReadColumn[uint64](r); len(fronts) > 0 {
		ix.twins.fronts = make(map[uint64]bool, len(fronts))
		for _, key := range fronts {
			ix.twins.fronts[key] = true
		}
	}
	shapes := r.strings()
	n := len(ix.ids)
	if !r.Check(len(ix.gated) == n && len(packed) == n && len(ix.twins.same) == n && len(ix.twins.shadow) <= n &&
		ix.away.n <= n && len(shapes) <= maxShapes && n < math.MaxUint32) {
		return nil, r.Err()
	}
	for _, of := range shapes[min(1, len(shapes)):] {
		ix.shapes.add(of)
	}
	for f := range numFields {
		ix.terms[f] = restorePostings(r, n)
		ix.away.df[f] = ReadColumn[uint32](r)
		r.Check(len(ix.terms[f]) <= words && !slices.ContainsFunc(ix.away.df[f][min(len(ix.terms[f]), len(ix.away.df[f])):], func(n uint32) bool { return n > 0 }))
	}
	var sites int
	ix.use, sites = restoreUse(r, len(ix.terms[listText]))
	ix.traits = make([]traits, n)
	for i, x := range packed {
		ix.traits[i] = unpacked(x)
		r.Check(int(ix.traits[i].site) < sites && int(ix.traits[i].shape) < max(len(shapes), 1))
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	ix.tabulate()
	ix.twins.show()
	return ix, nil
}

// packed returns the traits as one number.
func (t *traits) packed() uint64 {
	return uint64(t.shape) | uint64(t.site)<<16 | uint64(t.records)<<32 | uint64(t.dated)<<40 | uint64(t.linkShare)<<48 | uint64(t.marks)<<56
}

func unpacked(x uint64) traits {
	return traits{shape: uint16(x), site: uint16(x >> 16), records: uint8(x >> 32), dated: uint8(x >> 40),
		linkShare: uint8(x >> 48), marks: marks(x >> 56)}
}
