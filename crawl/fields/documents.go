package fields

import "slices"

// This file reads the texts of a notice's documents. The notice wins: a document only fills missing
// fields, and never contradicts the notice.

// Document is a file linked by a notice.
type Document struct {
	Name string
	Text string // as Notice.Text
}

const (
	maxDocuments    = 12  // of a notice
	documentPenalty = .1  // reduction of confidence compared with the notice
	minDocumentSure = .65 // least confidence in a document
)

// readDocuments fills the fields that the notice lacks. It counts repetitions in documents as
// agreement, and ignores documents that contradict each other. It reads neither the kind of a
// notice nor regions from place names.
func (r *reading) readDocuments() {
	if len(r.notice.Documents) > maxDocuments {
		r.reportLimit("documents")
	}
	found := make([][]Value, len(r.set.fields)) // by field, in the order of the documents
	contradicted := make([]bool, len(r.set.fields))
	for _, d := range r.notice.Documents[:min(maxDocuments, len(r.notice.Documents))] {
		for _, v := range r.documentValues(d) {
			i := r.set.fieldIndex[v.Field]
			switch {
			case len(found[i]) == 0 || found[i][0].Label == v.Label:
				found[i] = append(found[i], v)
			case !slices.ContainsFunc(found[i], func(o Value) bool { return sameValue(o.Norm, v.Norm) }):
				contradicted[i] = true
			}
		}
	}
	var more []Value
	things := r.set.itemField >= 0 && slices.ContainsFunc(r.result.Values,
		func(v Value) bool { return r.set.Named(v.Field).form.perLot })
	for i, values := range found {
		if things && r.set.fields[i].form.perLot {
			continue // things of the notice differ from those of its documents
		}
		name := r.set.fields[i].Name
		of := func(o Value) bool { return o.Field == name }
		stated := false
		for k := range r.result.Values {
			v := &r.result.Values[k]
			if !of(*v) {
				continue
			}
			stated = true
			if slices.ContainsFunc(values, func(o Value) bool { return o.Lot == v.Lot && sameValue(o.Norm, v.Norm) }) {
				v.Agree++
			}
		}
		doubted := slices.IndexFunc(r.result.Doubtful, of)
		if stated || contradicted[i] || len(values) == 0 || doubted >= 0 &&
			!sameValue(r.result.Doubtful[doubted].Norm, values[0].Norm) {
			continue
		}
		r.result.Doubtful = slices.DeleteFunc(r.result.Doubtful, of)
		more = append(more, values...)
	}
	if len(more) == 0 {
		return
	}
	r.result.Values = append(r.result.Values, more...)
	slices.SortStableFunc(r.result.Values, func(a, b Value) int {
		return r.set.fieldIndex[a.Field] - r.set.fieldIndex[b.Field]
	})
}

// documentValues returns the sure values of a document. Each has the document's name as label and
// no place.
func (r *reading) documentValues(d Document) []Value {
	in := r.set.newReading(&Notice{URL: r.notice.URL, Published: r.notice.Published, Text: d.Text})
	in.title, in.head, in.kind = r.title, fold(""), r.kind
	if len(d.Text) > maxText {
		r.reportLimit("text of a document")
	}
	in.readLines()
	in.readSentences()
	in.decide()
	var out []Value
	for _, v := range in.result.Values {
		if v.Field == "kind" || v.Source == FromNames || v.Sure-documentPenalty < minDocumentSure {
			continue
		}
		v.Sure -= documentPenalty
		v.Source, v.Label, v.From, v.To, v.Table, v.Row, v.Column = FromAttachment, d.Name, 0, 0, 0, 0, 0
		out = append(out, v)
	}
	return out
}
