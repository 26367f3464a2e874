package topic

import (
	"math"
	"slices"
	"sync"
)

// Index holds every crawled page as postings, term → (page, count), and keeps the scores under the
// applied model. A new model costs one pass over the postings of its feature words, a changed word
// a pass over its own. A new page is scored when it is added. All methods are safe for concurrent
// use.
//
// Pages are numbered by slot in order of arrival. A removed page leaves an empty slot, and its
// words count as background, until an eighth of the slots is empty; then the index is packed.
type Index struct {
	mu    sync.RWMutex
	model *Model
	rev   uint64 // changes with every change of a score or of the pages
	epoch uint64 // changes when slots are renumbered

	table slotTable
	ids   []uint64 // by slot
	gone  slotSet  // removed
	empty int
	away  background               // words of the slots aside
	use   siteUse                  // of the words of titles, by the slots that count
	gated []bool                   // by slot: fails the gate
	terms [numFields][]postingList // by term id
	norms []normColumn

	twins  twins    // pages with equal content
	traits []traits // by slot
	shapes shapes

	dot     []float32 // by slot: Σ coef·n under model
	squares []float32 // by slot: Σ (g·n)² over the features; nil unless projected
	patched int       // one-word changes since dot was last summed

	samples, leaveOneOut    []float64 // under model; nil until requested
	negative, negativeAlone []float64 // of the negative samples; computed together with samples
	scores                  *Scores   // nil after a change
}

// NewIndex returns an empty index.
func NewIndex() *Index {
	return &Index{}
}

// Len returns the number of pages.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.live()
}

// Has reports whether a page is in the index.
func (ix *Index) Has(id uint64) bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	_, ok := ix.slot(id)
	return ok
}

// Known returns the number of background pages.
func (ix *Index) Known() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.ids) - ix.away.n
}

// live returns the number of pages. The caller holds the lock.
func (ix *Index) live() int { return len(ix.ids) - ix.empty }

// Aside lists the pages outside the background, see Doc.Aside. It costs a pass over all pages.
func (ix *Index) Aside() (ids []uint64) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for slot := range ix.traits {
		if ix.traits[slot].marks.has(asAside) && !ix.gone.has(uint32(slot)) {
			ids = append(ids, ix.ids[slot])
		}
	}
	return ids
}

// slot returns the slot of a page that is not gone. The caller holds the lock.
func (ix *Index) slot(id uint64) (uint32, bool) {
	slot, ok := ix.table.find(ix.ids, id)
	return slot, ok && !ix.gone.has(slot)
}

// Add adds a page, or replaces it if id is known. It keeps no reference to d.
func (ix *Index) Add(id uint64, d Doc) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.remove(id)
	ix.pack()
	slot := uint32(len(ix.ids))
	ix.ids = append(ix.ids, id)
	ix.table.set(ix.ids, id, slot)
	front, others := ix.twins.add(ix.ids, ix.gone, &d)
	front = front || d.Front
	ix.gated = append(ix.gated, front || d.gated())
	if len(others) > 0 {
		ix.gated, ix.traits = slices.Clone(ix.gated), slices.Clone(ix.traits) // snapshots share them
		for _, slot := range others {
			ix.gated[slot] = true
			ix.traits[slot].marks |= asFront
		}
	}
	site := ix.use.site(d.URL)
	if d.Aside {
		ix.away.n++
	} else {
		ix.use.page(site)
	}
	t := d.traits(front)
	t.shape, t.site = ix.shapes.id(d.URL), site
	ix.traits = append(ix.traits, t)
	for f := range numFields {
		v := d.text(f)
		for _, t := range v {
			if int(t.ID) >= len(ix.terms[f]) {
				ix.terms[f] = widen(ix.terms[f], int(t.ID)+1)
			}
			ix.terms[f][t.ID].add(slot, t.N)
			switch {
			case d.Aside:
				ix.away.add(f, t.ID)
			case f == listText:
				ix.use.Word(t.ID, site)
			}
		}
	}
	for i := range ix.norms {
		c := &ix.norms[i]
		c.inv = append(c.inv, c.of(d.text(c.field)))
	}
	if ix.model != nil {
		k := &ix.model.kernel
		dot, squares := k.dot(d.text(k.field))
		ix.dot = append(ix.dot, float32(dot))
		if k.norm == NormProjected {
			ix.squares = append(ix.squares, float32(squares))
		}
	}
	ix.changed()
}

// Remove removes a page; an unknown id is ignored.
func (ix *Index) Remove(id uint64) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.remove(id) {
		ix.pack()
		ix.changed()
	}
}

func (ix *Index) remove(id uint64) bool {
	slot, ok := ix.slot(id)
	if ok {
		ix.gone.put(slot, true)
		ix.empty++
		ix.twins.remove(ix.ids, ix.gone, slot)
	}
	return ok
}

func (ix *Index) changed() {
	ix.rev++
	ix.scores = nil
}

// Background returns the current document frequencies and use by sites, to build models with. A
// running crawl need not fetch it for every page: the weights change slowly.
func (ix *Index) Background() *Background {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	b := &Background{N: len(ix.ids) - ix.away.n}
	for f := range numFields {
		df := make([]uint32, len(ix.terms[f]))
		for id := range ix.terms[f] {
			df[id] = ix.terms[f][id].n
		}
		for id, n := range ix.away.df[f] {
			if n > 0 {
				df[id] -= n
			}
		}
		if f == listText {
			b.List = df
		} else {
			b.Full = df
		}
	}
	b.Spread = ix.use.spread(b.N, b.List)
	return b
}

// Apply sets the model that scores. If it differs from the last one in few words, only their
// postings are read.
func (ix *Index) Apply(m *Model) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	old := ix.model
	ix.model = m
	ix.samples, ix.leaveOneOut = nil, nil
	ix.changed()
	if m == nil {
		ix.dot, ix.squares, ix.norms = nil, nil, nil
		return
	}
	ix.normOf(&m.kernel)
	if old == nil || !ix.patch(&old.kernel, &m.kernel) {
		ix.rescore(&m.kernel)
	}
}

// maxPatches bounds how often dot is corrected by differences before it is summed again. Each
// correction in float32 loses a little precision.
const maxPatches = 64

// rescore sums dot, and squares if needed, over all features.
func (ix *Index) rescore(k *kernel) {
	ix.patched = 0
	ix.dot = zeroed(ix.dot, len(ix.ids))
	if k.norm != NormProjected {
		ix.squares = nil
	} else {
		ix.squares = zeroed(ix.squares, len(ix.ids))
	}
	if k.norm == NormProjected {
		for _, f := range k.features {
			ix.accumulate(k, f.id, f.coef, f.square)
		}
		return
	}
	// All features are added to one stretch of pages, then to the next: the sums stay in the cache for
	// fifty words.
	at := make([]postingCursor, len(k.features))
	for limit := stretch; limit < len(ix.ids)+stretch; limit += stretch {
		for j := range k.features {
			if f := &k.features[j]; int(f.id) < len(ix.terms[k.field]) {
				at[j] = ix.terms[k.field][f.id].addDot(ix.dot, f.coef, at[j], limit)
			}
		}
	}
}

// stretch is the number of pages summed at a time: their sums fill a quarter of
// a usual level 2 cache.
const stretch = 1 << 17

func (ix *Index) accumulate(k *kernel, id uint32, coef, square float32) {
	if int(id) >= len(ix.terms[k.field]) {
		return
	}
	p := &ix.terms[k.field][id]
	if coef != 0 {
		p.addDot(ix.dot, coef, postingCursor{}, math.MaxInt)
	}
	if k.norm == NormProjected && square != 0 {
		p.addSquares(ix.squares, square)
	}
}

// patch turns the sums of kernel a into those of b by the words in which they differ. It returns
// false and changes nothing if the texts differ or most postings would be read anyway.
func (ix *Index) patch(a, b *kernel) bool {
	if a.field != b.field || a.norm != b.norm || a.gain != b.gain || ix.patched >= maxPatches {
		return false
	}
	var diff []feature
	x, y := a.features, b.features
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].id < y[0].id:
			diff = append(diff, feature{x[0].id, -x[0].coef, -x[0].square})
			x = x[1:]
		case len(x) == 0 || y[0].id < x[0].id:
			diff = append(diff, y[0])
			y = y[1:]
		default:
			if x[0] != y[0] {
				diff = append(diff, feature{x[0].id, y[0].coef - x[0].coef, y[0].square - x[0].square})
			}
			x, y = x[1:], y[1:]
		}
	}
	if 2*len(diff) > len(b.features) {
		return false
	}
	for _, f := range diff {
		ix.accumulate(b, f.id, f.coef, f.square)
	}
	if len(diff) > 0 {
		ix.patched++
	}
	return true
}

func zeroed(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n, n+n/8)
	}
	s = s[:n]
	clear(s)
	return s
}

// pack renumbers the slots once an eighth of them is empty.
func (ix *Index) pack() {
	if ix.empty > 0 && ix.empty*8 >= len(ix.ids) {
		ix.squeeze()
	}
}

// Pack removes the words of removed pages, which count as background until then. It costs a pass
// over all postings, and nothing if no page was removed.
func (ix *Index) Pack() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.empty > 0 {
		ix.squeeze()
		ix.changed()
	}
}

// squeeze is Pack; the caller holds the lock.
func (ix *Index) squeeze() {
	const none = math.MaxUint32
	to := make([]uint32, len(ix.ids))
	n := uint32(0)
	for slot := range to {
		to[slot] = none
		if !ix.gone.has(uint32(slot)) {
			to[slot] = n
			n++
		}
	}
	ix.away = background{}
	ix.use.forget()
	for slot := range ix.traits {
		switch t := &ix.traits[slot]; {
		case ix.gone.has(uint32(slot)):
		case t.marks.has(asAside):
			ix.away.n++
		default:
			ix.use.page(t.site)
		}
	}
	for f := range numFields {
		for id := range ix.terms[f] {
			old := ix.terms[f][id]
			var p postingList
			old.each(func(slot, count uint32) {
				if to[slot] == none {
					return
				}
				p.add(to[slot], count)
				switch t := &ix.traits[slot]; {
				case t.marks.has(asAside):
					ix.away.add(f, uint32(id))
				case f == listText:
					ix.use.Word(uint32(id), t.site)
				}
			})
			ix.terms[f][id] = p
		}
	}
	// Snapshots share ids and traits: these need new arrays.
	ix.ids = keep(slices.Clone(ix.ids), ix.gone)
	ix.traits = keep(slices.Clone(ix.traits), ix.gone)
	ix.gated = keep(slices.Clone(ix.gated), ix.gone)
	ix.twins.squeeze(ix.gone)
	ix.twins.reread(ix.traits, ix.gated)
	for i := range ix.norms {
		ix.norms[i].inv = keep(ix.norms[i].inv, ix.gone)
	}
	ix.dot = keep(ix.dot, ix.gone)
	if ix.squares != nil {
		ix.squares = keep(ix.squares, ix.gone)
	}
	ix.gone, ix.empty = nil, 0
	ix.epoch++
	ix.tabulate()
}

// tabulate rebuilds the table of ids.
func (ix *Index) tabulate() {
	ix.table = slotTable{}
	for slot, id := range ix.ids {
		ix.table.set(ix.ids, id, uint32(slot))
	}
}

// keep moves the entries of live slots together, in place.
func keep[T any](column []T, gone slotSet) []T {
	n := 0
	for slot, x := range column {
		if !gone.has(uint32(slot)) {
			column[n] = x
			n++
		}
	}
	return column[:n]
}
