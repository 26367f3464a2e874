package facts

import (
	"hash/crc32"

	"angler/crawl/fields"
	"angler/store"
)

// This file reads the document texts of notices.

// documentsOf returns the document texts of a notice.
func (k *Extractor) documentsOf(n *store.Notice) ([]fields.Document, error) {
	if len(n.Attachments) == 0 {
		return nil, nil
	}
	texts, err := k.Documents.Texts(n)
	out := make([]fields.Document, len(texts))
	for i, t := range texts {
		out[i] = fields.Document{Name: t.Name, Text: t.Text}
	}
	return out, err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fingerprintOf returns the fingerprint of documents; 0 = no documents.
func fingerprintOf(documents []fields.Document) uint64 {
	if len(documents) == 0 {
		return 0
	}
	var names, texts uint32
	for _, d := range documents {
		names = crc32.Update(names, castagnoli, []byte(d.Name+"\n"))
		texts = crc32.Update(texts, castagnoli, []byte(d.Text+"\x00"))
	}
	return max(1, uint64(names)<<32|uint64(texts))
}

// files returns the fingerprint of a notice's present documents.
func (k *Extractor) files(id uint64) (uint64, error) {
	n, err := k.Store.Notice(id)
	if err != nil || n == nil {
		return 0, err
	}
	documents, err := k.documentsOf(n)
	return fingerprintOf(documents), err
}

// holders returns the notices that may have document texts.
func (k *Extractor) holders() (map[uint64]bool, error) {
	ids, err := k.Documents.Holders()
	out := make(map[uint64]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}
