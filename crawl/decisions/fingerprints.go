package decisions

import (
	"bufio"
	"errors"
	"slices"
	"sync"

	"angler/topic"
)

// fingerprints records the dictionary that counted each page, as a small number: a workspace has
// few dictionaries.
type fingerprints struct {
	mu    sync.Mutex
	known []uint64
	of    []uint8 // by URL id: index into known + 1; 0: not counted
}

func (p *fingerprints) set(id, fingerprint uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := slices.Index(p.known, fingerprint)
	if k < 0 {
		if len(p.known) == 254 { // the pages are only counted again
			p.known = []uint64{0}
			for i, k := range p.of {
				p.of[i] = min(k, 1)
			}
		}
		k = len(p.known)
		p.known = append(p.known, fingerprint)
	}
	for uint64(len(p.of)) <= id {
		p.of = append(p.of, make([]uint8, max(1024, len(p.of)/2))...)
	}
	p.of[id] = uint8(k + 1)
}

// stale lists the pages that another dictionary has counted.
func (p *fingerprints) stale(fingerprint uint64) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []uint64
	for id, k := range p.of {
		if k != 0 && p.known[k-1] != fingerprint {
			ids = append(ids, uint64(id))
		}
	}
	return ids
}

// save writes the fingerprints for restore.
func (p *fingerprints) save(w *bufio.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(topic.WriteColumn(w, p.known), topic.WriteColumn(w, p.of))
}

// restore reads what save has written.
func (p *fingerprints) restore(b []byte) error {
	r := topic.NewColumnReader(b)
	known, of := topic.ReadColumn[uint64](r), topic.ReadColumn[uint8](r)
	for _, k := range of {
		r.Check(int(k) <= len(known))
	}
	if err := r.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known, p.of = known, of
	return nil
}

// has reports whether a page was added.
func (p *fingerprints) has(id uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return id < uint64(len(p.of)) && p.of[id] != 0
}

// drop removes a page.
func (p *fingerprints) drop(id uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id < uint64(len(p.of)) {
		p.of[id] = 0
	}
}
