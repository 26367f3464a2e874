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

// This file is the values of a notice that stand nowhere in it: what a person has
// corrected, what a cell of its page says, and what a value is called when it is written
// as others write it. Words are looked for in them as in its text, and one in them weighs
// as much as one in the title.

// value is one of them. The title is its field's and is not searched.
type value struct{ title, text string }

// mostOfValues is how many bytes of a notice's values are searched.
const mostOfValues = 8 << 10

// values are those of all notices that have some, some 100 bytes each.
type values struct {
	turn chan struct{} // full while all are read

	mu     sync.RWMutex
	loaded bool
	of     map[uint64][]value // a list is replaced, not changed
	early  map[uint64][]value // what came while all were read; nil otherwise
}

// beyond are the values of a notice that its title, its text and its documents need not
// hold.
func beyond(s *facts.NoticeFacts) (out []value) {
	left := mostOfValues
	for i := range s.Result.Values {
		v := &s.Result.Values[i]
		f := s.Set.Named(v.Field)
		if f == nil {
			continue
		}
		elsewhere := v.To > v.From || v.Source == fields.FromTitle || v.Source == fields.FromAttachment
		texts := []string{v.Text, v.Norm}
		if f.Type == fields.Money || f.Type == fields.Time || strings.Contains(v.Text, v.Norm) {
			texts = texts[:1] // sums and days are found by what they are worth
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

// Said takes up what notices say, once that is stored. It returns the ids of those in
// which other words are found now.
func (s *Search) Said(list []*facts.NoticeFacts) (changed []uint64) {
	s.values.mu.Lock()
	for _, x := range list {
		now := beyond(x)
		switch {
		case s.values.loaded:
			if !slices.Equal(s.values.of[x.ID], now) {
				s.values.put(x.ID, now)
				changed = append(changed, x.ID)
			}
		case s.values.early != nil:
			s.values.early[x.ID] = now
		}
	}
	s.values.mu.Unlock()
	if len(changed) > 0 {
		s.Again(changed)
	}
	return changed
}

// put is for who holds the lock.
func (v *values) put(id uint64, list []value) {
	if len(list) == 0 {
		delete(v.of, id)
		return
	}
	v.of[id] = list
}

// valued reads the values of all notices, unless they are known.
func (s *Search) valued(ctx context.Context) error {
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
	v.early = map[uint64][]value{}
	v.mu.Unlock()
	all := map[uint64][]value{}
	err := s.Values(ctx, func(x *facts.NoticeFacts) error {
		if list := beyond(x); len(list) > 0 {
			all[x.ID] = list
		}
		return nil
	})
	v.mu.Lock()
	defer v.mu.Unlock()
	early := v.early
	v.early = nil
	if err != nil {
		return err
	}
	v.of, v.loaded = all, true
	for id, list := range early {
		v.put(id, list)
	}
	return nil
}

// valuesOf are those of a notice. The list is not to be changed.
func (s *Search) valuesOf(id uint64) []value {
	s.values.mu.RLock()
	defer s.values.mu.RUnlock()
	return s.values.of[id]
}

// someValues reports whether any notice has some.
func (s *Search) someValues() bool {
	s.values.mu.RLock()
	defer s.values.mu.RUnlock()
	return len(s.values.of) > 0
}

// saying is what a document of the index is made from that has values, too.
func (m made) saying(list []value) made {
	for _, v := range list {
		m.row = crc32.Update(m.row, castagnoli, []byte("\x01"+v.text+"\x00"))
	}
	return m
}

// unsaid are the values that a notice holds nowhere.
func unsaid(n *store.Notice, list []value) (out []value) {
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

// withinValues is the snippet of the values that hold words: the field's title and its
// value, as the notice could have said it.
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
