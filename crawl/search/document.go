package search

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"angler/crawl/attachments"
	"angler/dict"
	"angler/store"
)

// Fields of an index document.
const (
	gramField = "g"
	wordField = "w"
)

// everyDocument is a term of all documents; no text contains it.
const everyDocument = "\x00"

// titleWeight is how many words of the text one word of the title counts.
const titleWeight = 3

// docSource identifies the source of an index document: hash of the row, and fingerprint of the
// dictionary.
type docSource struct{ row, words uint32 }

// keyOf returns the key of a document, which shows whether it is outdated without reading it.
func keyOf(id uint64, m docSource) string {
	k := binary.BigEndian.AppendUint64(make([]byte, 0, 16), id)
	return string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(k, m.row), m.words))
}

// splitKey is the inverse of keyOf.
func splitKey(key string) (id uint64, m docSource, ok bool) {
	k := []byte(key)
	if len(k) != 16 {
		return 0, m, false
	}
	return binary.BigEndian.Uint64(k), docSource{binary.BigEndian.Uint32(k[8:]), binary.BigEndian.Uint32(k[12:])}, true
}

// form is the version of the document format; a change rebuilds all documents.
const form = 2

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sourceOf returns the source of a row's document.
func sourceOf(row []byte, fingerprint uint64) docSource {
	return docSource{crc32.Update(form, castagnoli, row), uint32(fingerprint ^ fingerprint>>32)}
}

// newDoc makes the index document of a notice. bleve's analysis workers tokenize its texts.
func newDoc(
	key string, n *store.Notice, documents []attachments.DocumentText, says []value, words *dict.Dict,
) *document.Document {
	text, head := n.Text, n.Title
	for _, d := range documents {
		text += "\n" + d.Text
	}
	for _, v := range missingValues(n, says) {
		head += "\n" + v.text
	}
	lower := []byte(small(head, n.URL, text))
	weighted := []byte(strings.Repeat(head+"\n", titleWeight) + text)
	once := bleve.IndexField | bleve.SkipFreqNorm
	return document.NewDocument(key).
		AddField(document.NewTextFieldCustom(gramField, nil, lower, once, gramAnalyzer{})).
		AddField(document.NewTextFieldCustom(wordField, nil, weighted, bleve.IndexField, wordAnalyzer{words}))
}

// gramAnalyzer cuts a lower-case text into grams.
type gramAnalyzer struct{}

// Analyze implements analysis.Analyzer.
func (gramAnalyzer) Analyze(text []byte) analysis.TokenStream {
	tokens := make([]analysis.Token, 0, len(text)/3)
	eachGram(string(text), func(g string) { tokens = append(tokens, analysis.Token{Term: []byte(g)}) })
	return stream(tokens)
}

func stream(tokens []analysis.Token) analysis.TokenStream {
	out := make(analysis.TokenStream, len(tokens))
	for i := range tokens {
		out[i] = &tokens[i]
	}
	return out
}

// wordAnalyzer cuts a text into the words of a dictionary.
type wordAnalyzer struct{ words *dict.Dict }

// Analyze implements analysis.Analyzer.
func (a wordAnalyzer) Analyze(text []byte) analysis.TokenStream {
	tokens := append(make([]analysis.Token, 0, len(text)/6), analysis.Token{Term: []byte(everyDocument)})
	a.words.CutSearch(string(text), func(w []byte) { tokens = append(tokens, analysis.Token{Term: bytes.Clone(w)}) })
	return stream(tokens)
}
