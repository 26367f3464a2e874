package store

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"angler/store/bloomfilter"
	"angler/store/checkpoint"
	"angler/store/config"
	"angler/store/sealed"
)

// headBytes are those of a head in a checkpoint.
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

// write writes the filter and the keys that are not merged, for recallSeen.
func (s *seen) write(out *bytes.Buffer) error {
	b, err := s.filter.Bytes()
	if err != nil {
		return err
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(s.sized)), uint64(s.n))
	out.Write(binary.AppendUvarint(head, uint64(len(b))))
	out.Write(b)
	for i := range s.young {
		for k, id := range s.young[i] {
			out.Write(binary.AppendUvarint(append(head[:0], k[:]...), id))
		}
	}
	return nil
}

// recall fills what is kept in memory from the checkpoint and from the rows that were
// changed later. The error says why it cannot.
func recall(w *Workspace, tx sealed.Tx) (err error) {
	meta := tx.Bucket(bucketMeta)
	name := meta.Get(keyCheckpoint)
	if len(name) != len(checkpoint.Name{}) || tx.Bucket(bucketLater).Missing() {
		return checkpoint.ErrNone
	}
	if meta.Get(keySeenN) != nil {
		return fmt.Errorf("%w: another version of angler has written since", checkpoint.ErrNone)
	}
	file, err := checkpoint.Open(CheckpointPath(w.dir), checkpoint.Name(name))
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
		return fmt.Errorf("%w: what was committed later cannot be read: %w", checkpoint.ErrNone, err)
	}
	if c.last != lastID(tx) || c.last > before+uint64(len(later)) {
		return fmt.Errorf("%w: its counts are not those of the database", checkpoint.ErrNone)
	}
	for uint64(len(heads)) <= c.last {
		heads = append(heads, lostHead)
	}
	urls := tx.Bucket(bucketURLs)
	for id := range later {
		k := idKey(id)
		if id > c.last {
			return fmt.Errorf("%w: a later id is unknown", checkpoint.ErrNone)
		}
		heads[id] = lostHead
		if _, h, err := knownHead(k, urls.Get(k), c.last); err == nil {
			heads[id] = h
		}
	}
	if w.seen, err = recallSeen(file, tx, w.set.Store, before, c.last); err != nil {
		return err
	}
	w.heads, w.counts, w.pages, w.notes, w.nwords = heads, c.states, c.pages, c.notes, c.nwords
	w.known = known
	w.last.Store(c.last)
	w.recalled.use(file, mostLater(w), slices.Collect(maps.Keys(later)))
	return nil
}

func recallURLs(file *checkpoint.File) (c counted, heads []head, err error) {
	b, err := file.Part(partURLs)
	if err != nil {
		return c, nil, err
	}
	r := reader{b: b}
	c = r.counts()
	n := len(r.b) / headBytes
	if r.err != nil || n*headBytes != len(r.b) || n == 0 || c.last != uint64(n-1) {
		return c, nil, fmt.Errorf("%w: its URLs do not decode", checkpoint.ErrNone)
	}
	heads = make([]head, n, n+n/64)
	for i := range heads {
		h := r.b[headBytes*i:]
		heads[i] = head{uint16(h[0]) | uint16(h[1])<<8, State(h[2]), h[3]}
		if heads[i].state >= numStates {
			return c, nil, fmt.Errorf("%w: its URLs do not decode", checkpoint.ErrNone)
		}
	}
	return c, heads, nil
}

func recallWords(file *checkpoint.File, n int) ([]string, error) {
	b, err := file.Part(partWords)
	r := reader{b: b}
	words := make([]string, 0, min(n, len(b)))
	for err == nil && len(r.b) > 0 {
		words = append(words, r.string())
	}
	if err == nil && (r.err != nil || len(words) != n) {
		err = fmt.Errorf("%w: its words do not decode", checkpoint.ErrNone)
	}
	return words, err
}

// recallSeen makes a seen of a checkpoint that was made when before was the highest id;
// now last is.
func recallSeen(file *checkpoint.File, tx sealed.Tx, set config.Store, before, last uint64) (*seen, error) {
	b, err := file.Part(partSeen)
	if err != nil {
		return nil, err
	}
	bad := fmt.Errorf("%w: its keys do not decode, or have outgrown the filter", checkpoint.ErrNone)
	r := reader{b: b}
	sized, n, filter := r.uvarint(), r.uvarint(), r.string()
	if r.err != nil || sized > 1<<40 || sized < uint64(set.ExpectedURLs) || last > sized || n > last || bloomfilter.Size(int(sized), set.FalsePositive) != len(filter) {
		return nil, bad
	}
	s := newSeen(int(sized), set)
	if !s.filter.Load([]byte(filter), int(n)) {
		return nil, bad
	}
	for len(r.b) > 0 {
		var k Key
		r.b = r.b[copy(k[:], r.b):]
		if id := r.uvarint(); id <= before {
			s.keep(k, id)
		}
	}
	if r.err != nil {
		return nil, bad
	}
	urls, ids := tx.Bucket(bucketURLs), tx.Bucket(bucketIDs)
	for id := before + 1; id <= last; id++ {
		u, err := decodeURL(id, urls.Get(idKey(id)))
		if err != nil {
			continue
		}
		k := KeyOf(u.URL)
		s.filter.Add(k[:])
		n++
		if ids.Get(k[:]) == nil {
			s.keep(k, id)
		}
	}
	s.n = int(n)
	s.filter.Hold(s.n)
	return s, nil
}

func newSeen(sized int, set config.Store) *seen {
	s := &seen{recent: [2]map[Key]uint64{make(map[Key]uint64), make(map[Key]uint64)}, pending: map[Key]uint64{}, most: youngKeys,
		sized: sized, filter: bloomfilter.New(sized, set.FalsePositive)}
	for i := range s.young {
		s.young[i] = map[Key]uint64{}
	}
	return s
}

// Pages yields every stored page in order of discovery: from the checkpoint, as far as
// it holds.
func (w *Workspace) Pages() iter.Seq2[*Page, error] {
	file, changed := w.recalled.now()
	if file == nil {
		return scan(w, bucketPages, decodePage)
	}
	return func(yield func(*Page, error) bool) {
		next := uint64(0) // the first id that was not looked at
		changed := changed
		stored := func(below uint64) bool { // yields the pages that were changed later
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
			if err != nil { // the database has what is left
				for p, err := range scanFrom(w, idKey(next), bucketPages, func(sealed.Tx) {}, decodePage) {
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
