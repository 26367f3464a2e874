package search

import (
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"angler/crawl/attachments"
	"angler/dict"
	"angler/store"
)

// The fields of a document.
const (
	gramField = "g"
	wordField = "w"
)

// everyDocument is a word of all documents: no text holds it.
const everyDocument = "\x00"

// titleWeight is how many words of a text one of the title counts as.
const titleWeight = 3

// doc is a notice on its way into the index.
type doc struct {
	key    string
	fields []bleve.Field
}

// made is what a document was made from: another notice under the same id has another
// row, and another dictionary another fingerprint.
type made struct{ row, words uint32 }

// keyOf names a document, so that what is outdated can be told without reading it.
func keyOf(id uint64, m made) string {
	k := binary.BigEndian.AppendUint64(make([]byte, 0, 16), id)
	return string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(k, m.row), m.words))
}

// splitKey is the reverse of keyOf.
func splitKey(k []byte) (id uint64, m made, ok bool) {
	if len(k) != 16 {
		return 0, m, false
	}
	return binary.BigEndian.Uint64(k), made{binary.BigEndian.Uint32(k[8:]), binary.BigEndian.Uint32(k[12:])}, true
}

// form is changed with everything that changes documents: old ones are made again.
const form = 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// madeFrom tells what the document of a row is made from.
func madeFrom(row []byte, fingerprint uint64) made {
	return made{crc32.Update(form, castagnoli, row), uint32(fingerprint ^ fingerprint>>32)}
}

func newDoc(key string, n *store.Notice, documents []attachments.DocumentText, says []value, words *dict.Dict) *doc {
	text, head := n.Text, n.Title
	for _, d := range documents {
		text += "\n" + d.Text
	}
	for _, v := range unsaid(n, says) {
		head += "\n" + v.text
	}
	return &doc{key, []bleve.Field{
		&gramsField{field{name: gramField, options: bleve.IndexField | bleve.SkipFreqNorm}, small(head, n.URL, text)},
		&wordsField{field{name: wordField, options: bleve.IndexField}, head, text, words},
	}}
}

// doc implements bleve.Document.

func (d *doc) ID() string                                 { return d.key }
func (d *doc) Size() int                                  { return len(d.key) }
func (d *doc) VisitComposite(bleve.CompositeFieldVisitor) {}
func (d *doc) HasComposite() bool                         { return false }
func (d *doc) NumPlainTextBytes() uint64                  { return 0 }
func (d *doc) StoredFieldsBytes() uint64                  { return 0 }
func (d *doc) Indexed() bool                              { return true }
func (d *doc) AddIDField() {
	d.fields = append(d.fields, document.NewTextFieldCustom("_id", nil, []byte(d.key), bleve.IndexField|bleve.StoreField, nil))
}
func (d *doc) VisitFields(f bleve.FieldVisitor) {
	for _, x := range d.fields {
		f(x)
	}
}

// field is what both fields have in common.
type field struct {
	name    string
	options bleve.FieldIndexingOptions
	freqs   bleve.TokenFrequencies
	length  int
	slab    []bleve.TokenFreq
}

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return nil }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Options() bleve.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.freqs }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }

// put enters a term. Its bytes are not to be changed.
func (f *field) put(term string) *bleve.TokenFreq {
	if len(f.slab) == cap(f.slab) {
		f.slab = make([]bleve.TokenFreq, 0, 256)
	}
	f.slab = append(f.slab, bleve.TokenFreq{Term: []byte(term)})
	t := &f.slab[len(f.slab)-1]
	f.freqs[term] = t
	return t
}

type gramsField struct {
	field
	text string
}

// Analyze implements bleve.Field; bleve's workers call it.
func (f *gramsField) Analyze() {
	f.freqs = make(bleve.TokenFrequencies, len(f.text)/4)
	eachGram(f.text, func(g string) {
		if f.freqs[g] == nil {
			f.put(g)
		}
	})
	f.length, f.text = len(f.freqs), ""
}

type wordsField struct {
	field
	title, text string
	words       *dict.Dict
}

// Analyze implements bleve.Field; bleve's workers call it.
func (f *wordsField) Analyze() {
	f.freqs = make(bleve.TokenFrequencies, len(f.text)/16)
	f.put(everyDocument).SetFrequency(1)
	weight := titleWeight
	add := func(w []byte) {
		t := f.freqs[string(w)]
		if t == nil {
			t = f.put(strings.Clone(string(w)))
		}
		t.SetFrequency(t.Frequency() + weight)
		f.length += weight
	}
	f.words.CutSearch(f.title, add)
	weight = 1
	f.words.CutSearch(f.text, add)
	f.length = max(1, f.length)
	f.title, f.text = "", ""
}
