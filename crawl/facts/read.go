package facts

import (
	"cmp"
	"math"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/notices"
	"angler/crawl/page"
	"angler/store"
	"angler/store/records"
)

// This file reads one notice and overlays corrections.

// material returns the input for extracting a notice. whole means that it includes the notice's
// page or the tables kept of it.
func (k *Extractor) material(n *store.Notice, documents []fields.Document) (out fields.Notice, whole bool) {
	out = fields.Notice{Title: n.Title, URL: n.URL, Text: n.Text, Documents: documents}
	if d := (article.Date{Time: n.Date, Precision: article.DatePrecision(n.Precision)}); !d.IsZero() && !d.Guessed() {
		out.Published = n.Date
	}
	for _, a := range n.Attachments {
		out.Attachments = append(out.Attachments, a.Name)
	}
	p, err := k.Reader.StoredBehind(n.ID, page.Options{Tables: true})
	if err == nil && p == nil {
		p = k.Reader.Remains(n.ID, n.URL)
	}
	if p != nil {
		out.Tables, out.Head = p.Tables, p.Head
	}
	return out, p != nil
}

// read extracts a notice; nil if it does not exist.
func (k *Extractor) read(id uint64) (*records.Facts, error) {
	was, seal, err := records.FactsOf(k.Store, id)
	if err != nil || seal == 0 {
		return nil, err
	}
	n, err := k.Store.Notice(id)
	if err != nil || n == nil {
		return nil, err
	}
	documents, err := k.documentsOf(n)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	set, stamp := k.set, records.FactsStamp{Version: fields.Version, Set: k.print, Notice: seal,
		Files: fingerprintOf(documents)}
	k.mu.Unlock()
	if len(set.Fields()) == 0 {
		return &records.Facts{ID: id, Stamp: stamp, Sketch: k.sketch(n)}, nil
	}
	in, whole := k.material(n, documents)
	r := set.Extract(in)
	if !whole && was != nil && was.Stamp.Notice == seal {
		keepTables(set, r, was)
	}
	locate(n.Text, r.Values)
	locate(n.Text, r.Doubtful)
	return &records.Facts{ID: id, Stamp: stamp, Values: toStored(r.Values), Doubtful: toStored(r.Doubtful),
		Limits: r.Limits, Sketch: k.sketch(n)}, nil
}

// keepTables keeps table values of an earlier extraction, for fields without a value now, if the
// page's body is gone. Earlier versions of the program deleted bodies without keeping their tables.
func keepTables(set *fields.Set, r *fields.Result, was *records.Facts) {
	var out []fields.Value
	old := fromStored(was.Values)
	for i := range set.Fields() {
		name := set.Fields()[i].Name
		if now := r.Of(name); len(now) > 0 {
			out = append(out, now...)
			continue
		}
		for _, v := range old {
			if v.Field == name && v.Table > 0 {
				out = append(out, v)
			}
		}
	}
	r.Values = out
}

// sketch returns the data for comparing and checking a notice.
func (k *Extractor) sketch(n *store.Notice) records.Sketch {
	x := notices.SimhashOf(n.Text)
	return records.Sketch{Words: x.Words, Figures: x.Figures, Long: x.Long,
		Families: uint32(k.Checks().Look(n.Title, n.Text)), Size: uint32(min(len(n.Text), math.MaxUint32))}
}

func toStored(list []fields.Value) []records.FactValue {
	out := make([]records.FactValue, len(list))
	for i, v := range list {
		out[i] = records.FactValue{Field: v.Field, Lot: v.Lot, Text: v.Text, Norm: v.Norm, Source: string(v.Source),
			Label: v.Label, Doubt: v.Doubt,
			From: v.From, To: v.To, Table: v.Table, Row: v.Row, Column: v.Column, Agree: v.Agree, Sure: v.Sure,
			Clock: v.Clock}
	}
	return out
}

func fromStored(list []records.FactValue) []fields.Value {
	out := make([]fields.Value, len(list))
	for i, v := range list {
		out[i] = fields.Value{Field: v.Field, Lot: v.Lot, Text: v.Text, Norm: v.Norm, Source: fields.Source(v.Source),
			Label: v.Label, Doubt: v.Doubt,
			From: v.From, To: v.To, Table: v.Table, Row: v.Row, Column: v.Column, Agree: v.Agree, Sure: v.Sure,
			Clock: v.Clock}
	}
	return out
}

// factsOf returns the values of a row, with corrections.
func (k *Extractor) factsOf(row *records.Facts) *NoticeFacts {
	s := &NoticeFacts{ID: row.ID, Read: &fields.Result{Values: fromStored(row.Values),
		Doubtful: fromStored(row.Doubtful), Limits: row.Limits},
		Corrected: k.Decisions.State().Corrected[row.ID],
		Sketch: Sketch{Simhash: notices.Simhash{Words: row.Sketch.Words, Figures: row.Sketch.Figures,
			Long: row.Sketch.Long},
			Families: notices.Families(row.Sketch.Families), Size: row.Sketch.Size, Known: row.Stamp.Version > 0}}
	k.mu.Lock()
	s.Set = k.set
	k.mu.Unlock()
	if s.Result = s.Read; len(s.Corrected) > 0 {
		s.Result = overlay(s)
	}
	return s
}

// overlay replaces extracted values by corrections.
func overlay(s *NoticeFacts) *fields.Result {
	r := &fields.Result{Values: []fields.Value{}, Limits: s.Read.Limits}
	for i := range s.Set.Fields() {
		f := s.Set.Fields()[i].Name
		if c := s.Corrected[f]; c != nil {
			for _, v := range c.Values {
				v.Field, v.Source, v.Sure = cmp.Or(v.Field, f), fields.FromPerson, 1
				r.Values = append(r.Values, v)
			}
			continue
		}
		r.Values = append(r.Values, s.Read.Of(f)...)
	}
	for _, v := range s.Read.Doubtful {
		if s.Corrected[v.Field] == nil {
			r.Doubtful = append(r.Doubtful, v)
		}
	}
	return r
}
