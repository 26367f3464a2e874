// Package fields reads the values of a notice: number, buyer, deadline, winner and more.
//
// The input is a text, its tables, its title and the names of its attachments. The package reads
// tables of labels and values, lines "label：value", sentences ("A受B的委托") and the title. Then it
// compares the values: agreement raises their confidence, a conflict lowers it. A wrong value costs
// more than a missing one, so a value below MinConfidence is returned as doubtful, with the reason.
// ParseMoney, ParseTime, parseOrganisation and regionOfHost read sums of money, times, names and
// provinces in the forms of notices.
//
// The package is pure: no store, no clock, no state except a cache of labels. Reading takes about
// .2 ms for a notice of a page and 3 ms for one of 50 KB. Input is hostile: text, cells, lines and
// candidates are bounded, and regular expressions are RE2. Everything is safe for concurrent use.
package fields

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"angler/crawl/htmldoc"
)

// The bounds of one notice; the rest is not read.
const (
	maxText       = 256 << 10 // bytes
	maxTables     = 40
	maxCells      = 4_000 // of all tables, as drawn: a merged cell counts for each place it covers
	maxLines      = 8_000
	maxLine       = 2_000 // bytes of a line that are searched for labels
	maxCandidates = 64    // of a field
	maxValue      = 300   // bytes of a text value
)

// Type is how the values of a field are normalised.
type Type string

// The types.
const (
	Text   Type = "text"
	Money  Type = "money"  // Value.Norm is a decimal of yuan
	Time   Type = "time"   // Value.Norm is ISO 8601 with a zone
	Number Type = "number" // a number other than a sum of money
	Choice Type = "choice" // one of Field.Choices
	Org    Type = "org"    // an organisation without brackets of seals and contacts
	Person Type = "person"
	Phone  Type = "phone"
)

// Field is one field of notices.
type Field struct {
	Name    string   // stable, for filters and exports: [a-z][a-z0-9_]*
	Title   string   // heading of its column
	English string   // heading on English screens; "" means Title
	Type    Type     // "" is Text
	Labels  []string // labels that precede its values
	Choices []string // of a Choice

	form form // further data of built-in fields
}

// Heading returns the heading of the field's column.
func (f *Field) Heading(english bool) string {
	if english {
		return cmp.Or(f.English, f.Title, f.Name)
	}
	return cmp.Or(f.Title, f.Name)
}

// Notice is the input of Set.Extract.
type Notice struct {
	Title       string
	Head        string // another title, that of the window; "" means none
	URL         string
	Published   time.Time // zero means unknown; earlier deadlines are doubtful
	Text        string    // paragraphs and table rows separated by '\n', cells by '\t'
	Tables      []Table
	Attachments []string // names
	Documents   []Document
}

// Source is the kind of evidence for a value.
type Source string

// The sources.
const (
	FromTable      Source = "table"
	FromLine       Source = "line"
	FromSentence   Source = "sentence"
	FromTitle      Source = "title"
	FromAttachment Source = "attachment"
	FromNames      Source = "names"  // derived from place names
	FromPerson     Source = "person" // corrected by a person
)

// Value is one value of a field.
type Value struct {
	Field       string  `json:"field"`
	Lot         string  `json:"lot,omitempty"` // 包, 标段 as printed, or number of a thing (Set.Itemised); "" for one
	Text        string  `json:"text"`          // as printed
	Norm        string  `json:"value"`         // in the form of Type; a doubtful foreign sum starts with its currency
	Clock       bool    `json:"clock,omitempty"`
	Source      Source  `json:"source"`
	Label       string  `json:"label,omitempty"` // the label before or above it
	From        int     `json:"from"`            // Text is text[From:To] of notice or title; 0, 0 if only a table has it
	To          int     `json:"to"`
	Table       int     `json:"table,omitempty"` // number in Notice.Tables from 1; 0 means none
	Row         int     `json:"row,omitempty"`   // from 1
	Column      int     `json:"column,omitempty"`
	Sure        float64 `json:"sure"`            // 0 … 1
	Agree       int     `json:"agree,omitempty"` // number of further places with the same value
	Doubt       string  `json:"doubt,omitempty"` // why it is doubtful
	total       bool    // its label states a sum over lots
	unit        bool    // a sum of money with unit or sign
	replacement bool    // new value of a correction in the notice
	coarse      bool    // a sum in 万 or 亿, whose decimals are often rounded
}

// Result holds the values of a notice. It may be stored.
type Result struct {
	Values   []Value  `json:"values"`             // accepted values; by field in the order of the set, by lot
	Doubtful []Value  `json:"doubtful,omitempty"` // rejected values
	Limits   []string `json:"limits,omitempty"`   // bounds that were hit
}

// Of returns the values of a field, those of lots in their order.
func (r *Result) Of(field string) []Value {
	var out []Value
	for _, v := range r.Values {
		if v.Field == field {
			out = append(out, v)
		}
	}
	return out
}

// Stated counts the fields that the text states. It does not count values only from the title or
// from place names, nor contacts, which are at the foot of every page.
func (r *Result) Stated() int {
	seen := map[string]bool{}
	for _, v := range r.Values {
		if v.Source != FromTitle && v.Source != FromNames && v.Field != "contact" && v.Field != "phone" &&
			v.Field != "kind" {
			seen[v.Field] = true
		}
	}
	return len(seen)
}

// MinConfidence is the least confidence of an accepted value.
const MinConfidence = .5

// Set holds the fields of a topic and a cache of labels. It is safe for concurrent use.
type Set struct {
	fields         []Field
	labels         map[string]hit // by plain label
	fieldIndex     map[string]int // by name
	itemField      int            // field that names the things of a notice; -1 means one thing a notice
	sentenceLabels []sentenceLabel

	// factsMu guards facts, which caches labels because the notices of a host share them.
	factsMu sync.RWMutex
	facts   map[labelKey]labelFacts
}

// NewSet returns a set of the fields of a topic.
func NewSet(fields []Field) *Set {
	s := &Set{fields: slices.Clone(fields), labels: map[string]hit{}, fieldIndex: map[string]int{},
		facts: map[labelKey]labelFacts{}, sentenceLabels: sentenceLabelsOf(fields),
		itemField: slices.IndexFunc(fields, func(f Field) bool { return f.form.namesItem })}
	for i := range s.fields {
		f := &s.fields[i]
		f.Type = cmp.Or(f.Type, Text)
		s.fieldIndex[f.Name] = i
		for _, l := range f.Labels {
			name, _ := plainLabel(l)
			if _, ok := s.labels[name]; !ok && name != "" {
				s.labels[name] = hit{field: i, rank: 1}
			}
		}
	}
	return s
}

// Fields returns the fields of the set; do not change them.
func (s *Set) Fields() []Field { return s.fields }

// Extract reads a notice.
func (s *Set) Extract(n Notice) *Result {
	r := s.newReading(&n)
	r.result.Values = []Value{}
	if len(n.Text) > maxText {
		r.reportLimit("text")
	}
	r.title = fold(htmldoc.CleanTitle(n.Title))
	r.head = fold(htmldoc.CleanTitle(n.Head))
	r.kind = r.readKind()
	r.readTables()
	r.readLines()
	r.readSentences()
	r.readLabelSentences()
	r.readTitle()
	r.readAttachments()
	r.replaceEarlier()
	r.decide()
	r.readDocuments()
	return r.result
}

// newReading returns a reading of the text of a notice.
func (s *Set) newReading(n *Notice) *reading {
	return &reading{set: s, notice: n, text: fold(n.Text), found: make([][]Value, len(s.fields)), result: &Result{}}
}

// reading is the state of reading one notice.
type reading struct {
	set       *Set
	notice    *Notice
	text      *folded
	title     *folded
	head      *folded
	kind      string // of tenders: 招标, 中标 …; "" means unknown
	foundKind statedKind
	found     [][]Value
	result    *Result
	cells     int

	items    int    // things of a notice so far, see Set.Itemised
	lineItem string // number of the last thing on lines
}

// reportLimit records that a bound was hit.
func (r *reading) reportLimit(name string) {
	if !slices.Contains(r.result.Limits, name) {
		r.result.Limits = append(r.result.Limits, name)
	}
}

// addCandidate adds a candidate for the value of a field.
func (r *reading) addCandidate(field int, v Value) {
	if v.Norm == "" || v.Sure <= 0 {
		return
	}
	limit := maxCandidates
	if r.set.itemField >= 0 {
		limit = maxItems
	}
	if len(r.found[field]) == limit {
		r.reportLimit("candidates")
		return
	}
	v.Field = r.set.fields[field].Name
	r.found[field] = append(r.found[field], v)
}
