package store

import (
	"bufio"
	"bytes"
	"fmt"
	"iter"
	"maps"
	"slices"

	"angler/store/schema"
	"angler/store/sealed"
)

// headBytes is the size of a head in a checkpoint.
const headBytes = 4

func saveURLs(w *Workspace, out *bytes.Buffer) {
	out.Grow(64 + headBytes*len(w.heads))
	out.Write(appendCounts(w, nil, nil))
	for _, h := range w.heads {
		out.Write([]byte{byte(h.depth), byte(h.depth >> 8), byte(h.state), h.inlinks})
	}
}

// saveWords writes the first n words.
func saveWords(w *Workspace, out *bufio.Writer, n int) error {
	words, err := w.Words()
	if err != nil {
		return err
	}
	for _, s := range words[:n] {
		_, err = out.Write(appendString(nil, s))
	}
	return err
}

// recall fills the memory from the checkpoint and the rows changed later. The error says why it
// cannot.
func recall(w *Workspace, tx sealed.Tx) (err error) {
	meta := tx.Bucket(schema.Meta)
	name := meta.Get(schema.KeyCheckpoint)
	if len(name) != len(checkpointName{}) || tx.Bucket(schema.Later).Missing() {
		return errNoCheckpoint
	}
	file, err := openCheckpoint(CheckpointPath(w.dir), checkpointName(name))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	c, heads, err := recallURLs(file)
	if err != nil {
		return err
	}
	before := c.last
	known, err := recallWords(file, c.nwords)
	if err != nil {
		return err
	}
	later, err := readLater(tx, &c)
	if err != nil {
		return fmt.Errorf("%w: what was committed later cannot be read: %w", errNoCheckpoint, err)
	}
	if c.last != schema.LastID(tx) || c.last > before+uint64(len(later)) {
		return fmt.Errorf("%w: its counts are not those of the database", errNoCheckpoint)
	}
	for uint64(len(heads)) <= c.last {
		heads = append(heads, lostHead)
	}
	urls := tx.Bucket(schema.URLs)
	for id := range later {
		k := schema.IDKey(id)
		if id > c.last {
			return fmt.Errorf("%w: a later id is unknown", errNoCheckpoint)
		}
		heads[id] = lostHead
		if _, h, err := knownHead(k, urls.Get(k), c.last); err == nil {
			heads[id] = h
		}
	}
	if w.seen, err = recallSeen(w, file, tx, before, c.last); err != nil {
		return err
	}
	w.heads, w.counts, w.pages, w.notes, w.nwords = heads, c.states, c.pages, c.notes, c.nwords
	w.known = known
	w.last.Store(c.last)
	w.recalled.use(file, mostLater(w), slices.Collect(maps.Keys(later)))
	return nil
}

func recallSeen(w *Workspace, file *checkpointReader, tx sealed.Tx, before, last uint64) (*seenSet, error) {
	b, err := file.part(partSeen)
	if err != nil {
		return nil, err
	}
	s, ok := seenRecallSeen(tx, w.set.Store, b, before, last)
	if !ok {
		return nil, fmt.Errorf("%w: its keys do not decode, or have outgrown the filter", errNoCheckpoint)
	}
	return s, nil
}

func recallURLs(file *checkpointReader) (c counted, heads []head, err error) {
	b, err := file.part(partURLs)
	if err != nil {
		return c, nil, err
	}
	r := reader{b: b}
	c = r.counts()
	n := len(r.b) / headBytes
	if r.err != nil || n*headBytes != len(r.b) || n == 0 || c.last != uint64(n-1) {
		return c, nil, fmt.Errorf("%w: its URLs do not decode", errNoCheckpoint)
	}
	heads = make([]head, n, n+n/64)
	for i := range heads {
		h := r.b[headBytes*i:]
		heads[i] = head{uint16(h[0]) | uint16(h[1])<<8, state(h[2]), h[3]}
		if heads[i].state >= numStates {
			return c, nil, fmt.Errorf("%w: its URLs do not decode", errNoCheckpoint)
		}
	}
	return c, heads, nil
}

func recallWords(file *checkpointReader, n int) ([]string, error) {
	b, err := file.part(partWords)
	r := reader{b: b, text: string(b)}
	words := make([]string, 0, min(n, len(b)))
	for err == nil && len(r.b) > 0 {
		words = append(words, r.string())
	}
	if err == nil && (r.err != nil || len(words) != n) {
		err = fmt.Errorf("%w: its words do not decode", errNoCheckpoint)
	}
	return words, err
}

// Pages yields every stored page in order of discovery, from the checkpoint where it is valid.
func (w *Workspace) Pages() iter.Seq2[*Page, error] {
	file, changed := w.recalled.now()
	if file == nil {
		return scan(w, schema.Pages, decodePage)
	}
	return func(yield func(*Page, error) bool) {
		next := uint64(0) // the first id not yet read
		changed := changed
		stored := func(below uint64) bool { // yields the pages changed later
			for ; len(changed) > 0 && changed[0] < below; changed = changed[1:] {
				p, err := w.Page(changed[0])
				next = changed[0] + 1
				if (err != nil || p != nil) && !yield(p, err) {
					return false
				}
			}
			return true
		}
		for row, err := range file.Rows(partPages) {
			var p *Page
			if err == nil {
				p, err = decodePage(row.ID, row.Value)
			}
			if err != nil { // the database has the rest
				for p, err := range scanFrom(w, schema.IDKey(next), schema.Pages,
					func(_ sealed.Bucket, id uint64, v []byte) (*Page, error) { return decodePage(id, v) }) {
					if !yield(p, err) {
						return
					}
				}
				return
			}
			if !stored(row.ID) {
				return
			}
			if len(changed) > 0 && changed[0] == row.ID {
				continue
			}
			next = row.ID + 1
			if !yield(p, nil) {
				return
			}
		}
		stored(^uint64(0))
	}
}

// Depths returns the shortest known distances of URLs from a seed.
func Depths(w *Workspace, ids []uint64) []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	depths := make([]int, len(ids))
	for i, id := range ids {
		if id < uint64(len(w.heads)) {
			depths[i] = int(w.heads[id].depth)
		}
	}
	return depths
}
