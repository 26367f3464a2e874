package search

import (
	"context"
	"hash/crc32"
	"slices"
	"strings"
	"sync"

	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/filter"
	"angler/store"
)

// This file searches values of a notice that its text does not contain: corrections, table cells,
// and normalised forms. They are searched like its text and weigh as much as its title.

// value is one of them. The field's title is not searched.
type value struct{ title, text string }

// maxValues bounds the searched bytes of a notice's values.
const maxValues = 8 << 10

// values holds the values of all notices, about 100 bytes each.
type values struct {
	turn chan struct{} // semaphore, full while all are read

	mu      sync.RWMutex
	loaded  bool
	of      map[uint64][]value // lists are replaced, never modified
	arrived map[uint64][]value // values that arrived while all were read; nil otherwise
}

// extraValues returns the values of a notice that its title, text and documents may not contain.
func extraValues(s *facts.NoticeFacts) (out []value) {
	left := maxValues
	for i := range s.Result.Values {
		v := &s.Result.Values[i]
		f := s.Set.Named(v.Field)
		if f == nil {
			continue
		}
		elsewhere := v.To > v.From || v.Source == fields.FromTitle || v.Source == fields.FromAttachment
		texts := []string{v.Text, v.Norm}
		if f.Type == fields.Money || f.Type == fields.Time || strings.Contains(v.Text, v.Norm) {
			texts = texts[:1] // amounts and dates are searched by value
		}
		for i, text := range texts {
			x := value{f.Title, text}
			if x.title == "" {
				x.title = f.Name
			}
			if text == "" || i == 0 && elsewhere || len(text) > left || slices.Contains(out, x) {
				continue
			}
			left -= len(text)
			out = append(out, x)
		}
	}
	return out
}

// Said takes over new stored values of notices. It returns the ids of notices with changed search
// results.
func (s *Search) Said(list []*facts.NoticeFacts) (changed []uint64) {
	s.values.mu.Lock()
	for _, x := range list {
		now := extraValues(x)
		switch {
		case s.values.loaded:
			if !slices.Equal(s.values.of[x.ID], now) {
				s.values.put(x.ID, now)
				changed = append(changed, x.ID)
			}
		case s.values.arrived != nil:
			s.values.arrived[x.ID] = now
		}
	}
	s.values.mu.Unlock()
	if len(changed) > 0 {
		s.Again(changed)
	}
	return changed
}

// put sets the values of a notice. The caller holds the lock.
func (v *values) put(id uint64, list []value) {
	if len(list) == 0 {
		delete(v.of, id)
		return
	}
	v.of[id] = list
}

// loadValues reads the values of all notices once.
func (s *Search) loadValues(ctx context.Context) error {
	if s.Values == nil {
		return nil
	}
	v := &s.values
	select {
	case v.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-v.turn }()
	v.mu.Lock()
	if v.loaded {
		v.mu.Unlock()
		return nil
	}
	v.arrived = map[uint64][]value{}
	v.mu.Unlock()
	all := map[uint64][]value{}
	err := s.Values(ctx, func(x *facts.NoticeFacts) error {
		if list := extraValues(x); len(list) > 0 {
			all[x.ID] = list
		}
		return nil
	})
	v.mu.Lock()
	defer v.mu.Unlock()
	early := v.arrived
	v.arrived = nil
	if err != nil {
		return err
	}
	v.of, v.loaded = all, true
	for id, list := range early {
		v.put(id, list)
	}
	return nil
}

// valuesOf returns the values of a notice. The list is read-only.
func (s *Search) valuesOf(id uint64) []value {
	s.values.mu.RLock()
	defer s.values.mu.RUnlock()
	return s.values.of[id]
}

// someValues reports whether any notice has values.
func (s *Search) someValues() bool {
	s.values.mu.RLock()
	defer s.values.mu.RUnlock()
	return len(s.values.of) > 0
}

// withValues returns the source of an index document that includes values.
func (m docSource) withValues(list []value) docSource {
	for _, v := range list {
		m.row = crc32.Update(m.row, castagnoli, []byte("\x01"+v.text+"\x00"))
	}
	return m
}

// missingValues returns the values that a notice does not contain.
func missingValues(n *store.Notice, list []value) (out []value) {
	for _, v := range list {
		if !strings.Contains(n.Text, v.text) && !strings.Contains(n.Title, v.text) {
			out = append(out, v)
		}
	}
	return out
}

func inValues(list []value, w filter.Word) bool {
	return slices.ContainsFunc(list, func(v value) bool { return w.In(v.text) })
}

// withinValues returns the snippet of values that hold words: the field's title and its value.
func withinValues(list []value, words []filter.Word, size int) (snippet string, lit []Span) {
	for _, v := range list {
		part, at := Snippet(v.text, words, size)
		if len(at) == 0 {
			continue
		}
		head, _ := Snippet(v.title, nil, size)
		head += "："
		if snippet != "" {
			head = "；" + head
		}
		head = snippet + head
		for _, x := range at {
			lit = append(lit, Span{From: x.From + len(head), To: x.To + len(head)})
		}
		snippet = head + part
	}
	return snippet, lit
}
