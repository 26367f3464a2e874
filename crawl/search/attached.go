package search

import (
	"bytes"
	"context"
	"hash/crc32"
	"slices"
	"strings"

	"angler/crawl/attachments"
	"angler/crawl/filter"
	"angler/store"
	"angler/store/records"
)

// This file searches the document texts of notices.

// maxDocument bounds the searched bytes of a document's text, so that a hostile file cannot inflate
// the index.
const maxDocument = 1 << 20

// documentsOf returns the documents of a notice with a text.
func (s *Search) documentsOf(n *store.Notice) ([]attachments.DocumentText, error) {
	if s.Documents == nil || len(n.Attachments) == 0 {
		return nil, nil
	}
	list, err := s.Documents(n)
	for i := range list {
		if t := list[i].Text; len(t) > maxDocument {
			list[i].Text = strings.ToValidUTF8(t[:maxDocument], "")
		}
	}
	return list, err
}

// someDocuments reports whether any notice can have a document text.
func (s *Search) someDocuments() (bool, error) {
	if s.Documents == nil {
		return false, nil
	}
	return records.AnyDocumentText(s.Store)
}

// linksFiles occurs in the row of every notice with documents; a quote within a text is escaped.
var linksFiles = []byte(`"attachments":[{`)

func mayHaveDocuments(row []byte) bool { return bytes.Contains(row, linksFiles) }

// withDocuments returns the source of an index document that includes document texts.
func (m docSource) withDocuments(documents []attachments.DocumentText) docSource {
	for _, d := range documents {
		m.row = crc32.Update(m.row, castagnoli, []byte(d.Text+"\x00"))
	}
	return m
}

// heldBy reports whether a notice, one of its documents or one of its values holds a word.
func heldBy(n *store.Notice, documents []attachments.DocumentText, says []value, w filter.Word) bool {
	if w.In(n.Title) || w.In(n.Text) || w.In(n.URL) || inValues(says, w) {
		return true
	}
	return slices.ContainsFunc(documents, func(d attachments.DocumentText) bool { return w.In(d.Text) })
}

// Held reports which of the words a notice holds, as Holding does.
func (s *Search) Held(n *store.Notice, words []filter.Word) []bool {
	documents, _ := s.documentsOf(n) // Holding reports the error
	out := make([]bool, len(words))
	for i, w := range words {
		out[i] = heldBy(n, documents, s.valuesOf(n.ID), w)
	}
	return out
}

// Again queues notices with changed document texts or values.
func (s *Search) Again(ids []uint64) {
	for _, id := range ids {
		n, err := s.Store.Notice(id)
		if err != nil || n == nil {
			continue
		}
		s.mu.Lock()
		switch now := s.waiting[id]; {
		case len(s.waiting) >= maxWaiting:
			n = nil
		case now != nil: // n may be newer; a new pointer marks a second change
			newer := *now
			n = &newer
		}
		s.waiting[id] = n
		s.mu.Unlock()
	}
	s.Wake.Ring()
}

// Within returns the snippet of a notice for words, and the name of the document it is from. The
// name is "" if the notice itself or a value holds a word, or nothing does.
func (s *Search) Within(n *store.Notice, words []filter.Word,
	size int) (snippet string, lit []Span, document string, err error) {
	snippet, lit = Snippet(n.Text, words, size)
	if len(lit) > 0 || len(Lit(n.Title, words)) > 0 {
		return snippet, lit, "", nil
	}
	if part, at := withinValues(s.valuesOf(n.ID), words, size); len(at) > 0 {
		return part, at, "", nil
	}
	documents, err := s.documentsOf(n)
	for i := range documents {
		if part, at := Snippet(documents[i].Text, words, size); len(at) > 0 {
			return part, at, documents[i].Name, err
		}
	}
	return snippet, lit, "", err
}

// scanDocuments searches words in the documents of notices and calls found for each match.
func (s *Search) scanDocuments(ctx context.Context, ids []uint64, words []filter.Word,
	found func(word int, id uint64)) error {
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := s.Store.Notice(id)
		if err != nil || n == nil {
			continue // damaged: the store counts it
		}
		documents, err := s.documentsOf(n)
		if err != nil {
			return err
		}
		for i, w := range words {
			if heldBy(n, documents, nil, w) {
				found(i, id)
			}
		}
	}
	return nil
}

// eachSource calls f for every stored notice with the source of its index document, first for those
// without documents. It holds no transaction while document texts are read.
func (s *Search) eachSource(ctx context.Context, fingerprint uint64, f func(id uint64, m docSource)) error {
	documents, err := s.someDocuments()
	if err != nil {
		return err
	}
	type later struct {
		id   uint64
		made docSource
	}
	var further []later
	err = store.NoticeRows(ctx, s.Store, nil, func(id uint64, row []byte) error {
		if m := sourceOf(row, fingerprint).withValues(s.valuesOf(id)); documents && mayHaveDocuments(row) {
			further = append(further, later{id, m})
		} else {
			f(id, m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range further {
		if err := ctx.Err(); err != nil {
			return err
		}
		if n, err := s.Store.Notice(x.id); err == nil && n != nil {
			list, err := s.documentsOf(n)
			if err != nil {
				return err
			}
			x.made = x.made.withDocuments(list)
		}
		f(x.id, x.made)
	}
	return nil
}
