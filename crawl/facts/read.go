package facts

import (
	"cmp"
	"math"

	"angler/crawl/notices"

	"angler/crawl/page"
	"angler/crawl/page/fields"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	stored "angler/store/facts"
)

// This file reads one notice, and turns rows into what people see.

// made is what was read of one notice.
type made struct {
	row   *stored.Row
	pairs []fields.Pair
}

// material is what one notice is read from. whole tells that its page is among it, or the
// tables that were kept of the page.
func (k *Keeper) material(n *store.Notice, documents []fields.Document) (out fields.Notice, whole bool) {
	out = fields.Notice{Title: n.Title, URL: n.URL, Text: n.Text, Documents: documents}
	if d := (page.Date{Time: n.Date, Precision: page.Precision(n.Precision)}); !d.IsZero() && !d.Guessed() {
		out.Published = n.Date
	}
	for _, a := range n.Attachments {
		out.Attachments = append(out.Attachments, a.Name)
	}
	p, err := k.Reader.Stored(n.ID, page.Options{Tables: true})
	if err == nil && p == nil {
		p = k.Reader.Remains(n.ID, n.URL)
	}
	if p != nil {
		out.Tables, out.Head = p.Tables, p.Head
	}
	return out, p != nil
}

// read reads a notice; nil when there is none.
func (k *Keeper) read(id uint64) (*made, error) {
	was, seal, err := stored.Get(k.Store, id)
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
	host := urls.HostOf(n.URL)
	k.mu.Lock()
	set, stamp := k.hosts.setOf(host, k.set), stored.Stamp{Version: fields.Version, Set: k.print, Notice: seal, Rules: k.hosts.print(host), Files: printOf(documents)}
	k.mu.Unlock()
	if len(set.Fields()) == 0 {
		return &made{row: &stored.Row{ID: id, Stamp: stamp, Host: host, Sketch: k.sketch(n)}}, nil
	}
	in, whole := k.material(n, documents)
	r := set.Extract(in)
	if !whole && was != nil && was.Stamp.Notice == seal {
		keepTables(set, r, was)
	}
	locate(n.Text, r.Values)
	locate(n.Text, r.Doubtful)
	m := &made{row: &stored.Row{ID: id, Stamp: stamp, Host: host, Values: toStored(r.Values), Doubtful: toStored(r.Doubtful), Limits: r.Limits}, pairs: set.Pairs(in)}
	m.row.Hints = hints(set, m.pairs, r.Values)
	m.row.Sketch = k.sketch(n)
	return m, nil
}

// keepTables adds to what was read without the page of a notice what its tables have said
// before, of fields of which nothing else is read: programs of before have let bodies go
// without a trace.
func keepTables(set *fields.Set, r *fields.Result, was *stored.Row) {
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

// sketch is what a notice is compared and checked by.
func (k *Keeper) sketch(n *store.Notice) stored.Sketch {
	x := notices.SimhashOf(n.Text)
	return stored.Sketch{Words: x.Words, Figures: x.Figures, Long: x.Long, Families: uint32(k.Checks().Look(n.Title, n.Text)), Size: uint32(min(len(n.Text), math.MaxUint32))}
}

// Bounds of hints.
const (
	mostHints   = 24  // of a notice are kept
	mostUnknown = 120 // labels are compared with its values
)

// hints finds labels that the set does not know and that stand before what a field says
// or could say. What stands behind a label is read once for each type of values.
func hints(set *fields.Set, pairs []fields.Pair, values []fields.Value) []stored.Hint {
	var out []stored.Hint
	seen := map[[2]string]bool{}
	unknown := 0
	for i := range pairs {
		p := &pairs[i]
		if p.Field != "" {
			continue
		}
		if unknown++; unknown > mostUnknown || len(out) >= mostHints {
			break
		}
		read := map[fields.Type]*fields.Value{}
		for f := range values {
			v := &values[f]
			field := set.Named(v.Field)
			key := [2]string{p.Label, v.Field}
			if !teachable(field) || seen[key] {
				continue
			}
			got, known := read[field.Type]
			if !known {
				if x, ok := set.Behind(field, p); ok {
					got = &x
				}
				read[field.Type] = got
			}
			switch {
			case got == nil:
			case fields.SameValue(got, v):
				out, seen[key] = append(out, stored.Hint{Label: p.Label, Field: v.Field, Same: true}), true
			case (field.Type != fields.Time || got.Clock) && !severalOf(values, v.Field):
				out, seen[key] = append(out, stored.Hint{Label: p.Label, Field: v.Field}), true
			}
		}
	}
	return out[:min(len(out), mostHints)]
}

// teachable are the fields whose values are told apart from others by what they look
// like.
func teachable(f *fields.Field) bool {
	return f != nil && (f.Type == fields.Org || f.Type == fields.Money || f.Type == fields.Time || f.Name == "number")
}

func severalOf(values []fields.Value, field string) bool {
	n := 0
	for i := range values {
		if values[i].Field == field {
			n++
		}
	}
	return n > 1
}

func toStored(list []fields.Value) []stored.Value {
	out := make([]stored.Value, len(list))
	for i, v := range list {
		out[i] = stored.Value{Field: v.Field, Lot: v.Lot, Text: v.Text, Norm: v.Norm, Source: string(v.Source), Label: v.Label, Doubt: v.Doubt,
			From: v.From, To: v.To, Table: v.Table, Row: v.Row, Column: v.Column, Agree: v.Agree, Sure: v.Sure, Clock: v.Clock}
	}
	return out
}

func fromStored(list []stored.Value) []fields.Value {
	out := make([]fields.Value, len(list))
	for i, v := range list {
		out[i] = fields.Value{Field: v.Field, Lot: v.Lot, Text: v.Text, Norm: v.Norm, Source: fields.Source(v.Source), Label: v.Label, Doubt: v.Doubt,
			From: v.From, To: v.To, Table: v.Table, Row: v.Row, Column: v.Column, Agree: v.Agree, Sure: v.Sure, Clock: v.Clock}
	}
	return out
}

// said is what a row says, with what people have corrected.
func (k *Keeper) said(row *stored.Row) *view.Said {
	s := &view.Said{ID: row.ID, Read: &fields.Result{Values: fromStored(row.Values), Doubtful: fromStored(row.Doubtful), Limits: row.Limits},
		Corrected: k.Decisions.State().Corrected[row.ID],
		Sketch: view.Sketch{Simhash: notices.Simhash{Words: row.Sketch.Words, Figures: row.Sketch.Figures, Long: row.Sketch.Long},
			Families: notices.Families(row.Sketch.Families), Size: row.Sketch.Size, Known: row.Stamp.Version > 0}}
	k.mu.Lock()
	s.Set, s.Rules = k.set, k.hosts.rules(row.Host)
	k.mu.Unlock()
	if s.Result = s.Read; len(s.Corrected) > 0 {
		s.Result = overlay(s)
	}
	return s
}

// compared is said with what the host's other notices make of how sure the values are.
func (k *Keeper) compared(row *stored.Row) *view.Said {
	k.mu.Lock()
	for i := range row.Values {
		if v := &row.Values[i]; v.Label != "" && k.hosts.usual(row.Host, v.Label, v.Field) {
			v.Sure = min(.99, v.Sure+.03)
		}
	}
	k.mu.Unlock()
	return k.said(row)
}

// overlay puts what people have said in the place of what was read.
func overlay(s *view.Said) *fields.Result {
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
