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
	mostDocuments = 12  // read from a notice
	lessSure      = .1  // reduction of confidence compared with the notice
	ofDocuments   = .65 // least confidence in a document
)

// readDocuments fills the fields that the notice lacks, and counts repetitions in documents as
// agreement. Contradicting documents are ignored. The kind of a notice, and conclusions from place
// names, are not read from documents.
func (r *reading) readDocuments() {
	if len(r.notice.Documents) > mostDocuments {
		r.limit("documents")
	}
	found := make([][]Value, len(r.set.fields)) // by document, in the order of the reading
	contradicted := make([]bool, len(r.set.fields))
	for _, d := range r.notice.Documents[:min(mostDocuments, len(r.notice.Documents))] {
		for _, v := range r.inDocument(d) {
			i := r.set.named[v.Field]
			switch {
			case len(found[i]) == 0 || found[i][0].Label == v.Label:
				found[i] = append(found[i], v)
			case !slices.ContainsFunc(found[i], func(o Value) bool { return same(o.Norm, v.Norm) }):
				contradicted[i] = true
			}
		}
	}
	var more []Value
	things := r.set.item >= 0 && slices.ContainsFunc(r.result.Values,
		func(v Value) bool { return r.set.Named(v.Field).form.many })
	for i, values := range found {
		if things && r.set.fields[i].form.many {
			continue // things of the notice differ from those of its documents
		}
		name := r.set.fields[i].Name
		of := func(o Value) bool { return o.Field == name }
		if said := slices.IndexFunc(r.result.Values, of); said >= 0 {
			for k := range r.result.Values {
				v := &r.result.Values[k]
				if v.Field == name && slices.ContainsFunc(values,
					func(o Value) bool { return o.Lot == v.Lot && same(o.Norm, v.Norm) }) {
					v.Agree++
				}
			}
			continue
		}
		doubted := slices.IndexFunc(r.result.Doubtful, of)
		if contradicted[i] || len(values) == 0 || doubted >= 0 &&
			!same(r.result.Doubtful[doubted].Norm, values[0].Norm) {
			continue
		}
		if doubted >= 0 {
			r.result.Doubtful = slices.DeleteFunc(r.result.Doubtful, of)
		}
		more = append(more, values...)
	}
	if len(more) == 0 {
		return
	}
	r.result.Values = append(r.result.Values, more...)
	slices.SortStableFunc(r.result.Values, func(a, b Value) int { return r.set.named[a.Field] - r.set.named[b.Field] })
}

// inDocument returns the sure values of a document. Each has the document's name as label and no
// place.
func (r *reading) inDocument(d Document) []Value {
	in := &reading{set: r.set, notice: &Notice{URL: r.notice.URL, Published: r.notice.Published, Text: d.Text},
		title: r.title, head: fold(""), text: fold(d.Text),
		kind: r.kind, found: make([][]Value, len(r.set.fields)), result: &Result{}}
	if len(d.Text) > maxText {
		r.limit("text of a document")
	}
	in.readLines()
	in.readSentences()
	in.settle()
	var out []Value
	for _, v := range in.result.Values {
		if v.Field == "kind" || v.Source == FromNames || v.Sure-lessSure < ofDocuments {
			continue
		}
		v.Sure -= lessSure
		v.Source, v.Label, v.From, v.To, v.Table, v.Row, v.Column = FromAttachment, d.Name, 0, 0, 0, 0, 0
		out = append(out, v)
	}
	return out
}
