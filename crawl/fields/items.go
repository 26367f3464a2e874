package fields

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
)

// This file reads notices with several things: prices of goods, posts of an employer. A thing is a
// row of a table, or the lines from one label of things to the next. Value.Lot numbers the things
// from 1 in the order of the notice. It is "" for a single thing.

// maxItems bounds the values of a field in a notice with several things.
const maxItems = 128 // values of a field in such a notice

var (
	noItem          = htmldoc.NewPattern(`^(?:合计|总计|小计|共计|总价|总额|平均|均值|备注|说明|注|/|-|—|无|total|sum|average)`)
	unitBehindPrice = htmldoc.NewPattern(`^\s*/\s*(\p{Han}{1,4}|[A-Za-z]{1,4}[²³23]?)`)
	// unitHead matches the unit in the head of a column of prices: 价格(元/吨).
	unitHead = htmldoc.NewPattern(`[(\[]\s*(?:单位\s*:\s*)?((?:人民币)?元\s*/\s*[^()\[\],，;；]{1,8}?)\s*[)\]]`)
	// priceRange matches a price range: 1.2-1.4元.
	priceRange = htmldoc.NewPattern(`^\s*¥?\s*(\d[\d,]*(?:\.\d+)?)\s*元?\s*[-—–~至]{1,2}\s*¥?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:元\s*(?:/.{1,12})?)?\s*$`)
)

// Itemised reports whether Value.Lot numbers the things of a notice, not the lots of a project.
func (s *Set) Itemised() bool { return s.itemField >= 0 }

// UnitPrice reports whether the values are unit prices. A sum of them has no meaning.
func (f *Field) UnitPrice() bool { return f.form.unitPrice }

// numberItem sets the lot of a place to the number of its thing. It returns false for a value that
// belongs to no thing. Rows of tables are numbered by readItems.
func (r *reading) numberItem(h hit, p *place) bool {
	switch {
	case r.set.itemField < 0 || p.isItemNumber:
	case p.source != FromLine && p.source != FromTable:
		p.lot = ""
	case h.field == r.set.itemField && (p.ctx == inBuyer || p.ctx == inAgent):
		return false // 名称 belongs to them
	default:
		if h.field == r.set.itemField {
			r.items++
			r.lineItem = strconv.Itoa(r.items)
		}
		p.lot = r.lineItem
	}
	return true
}

// readItems reads a row of things under a head: one thing, or several side by side if the head
// repeats. Of several columns of one field it reads the best: 单价 before 报价.
func (r *reading) readItems(t *Table, i int, columns []tableHead, number int, ctx context) {
	row := t.Rows[i]
	wide := headPeriod(columns)
	for from := 0; from < len(columns); from += wide {
		best := map[int]int{} // by field: its column
		for k := from; k < from+wide; k++ {
			h := &columns[k]
			if !h.known || k > from && row[k].id == row[k-1].id {
				continue
			}
			if b, ok := best[h.hit.field]; !ok || h.hit.rank > columns[b].hit.rank {
				best[h.hit.field] = k
			}
		}
		if k, ok := best[r.set.itemField]; ok && (plain(row[k].Text) == "" ||
			noItem.MatchString(strings.ToLower(plainLabelOf(row[k].Text)))) || len(best) == 0 {
			continue
		}
		r.items++
		_, hasUnit := best[r.set.unitField()]
		for k := from; k < from+wide; k++ {
			h := &columns[k]
			if at, ok := best[h.hit.field]; !h.known || !ok || at != k || r.headOf(row[k].Text, ctx).known {
				continue
			}
			p := r.cellPlace(row[k], i, k, number)
			p.label, p.unit, p.ctx, p.lot, p.isItemNumber = h.printed, h.unit, ctx, strconv.Itoa(r.items), true
			r.readValue(h.hit, p)
			if !hasUnit && r.set.fields[h.hit.field].form.unitPrice {
				r.readHeadUnit(h, p)
			}
		}
	}
}

// unitField returns the field of units; -1 without one.
func (s *Set) unitField() int {
	if i, ok := s.fieldIndex["unit"]; ok && s.itemField >= 0 {
		return i
	}
	return -1
}

// readHeadUnit reads the unit in the head of a column of prices.
func (r *reading) readHeadUnit(h *tableHead, p place) {
	f := fold(h.printed)
	if m := unitHead.FindStringSubmatchIndex(f.s); m != nil && r.set.unitField() >= 0 {
		p.f, p.from, p.to, p.row = f, m[2], m[3], h.row+1
		r.readField(r.set.unitField(), p)
	}
}

// readPriceParts reads further parts of a price: its unit (28.5元/公斤), or the ends of a range. It
// reports whether it was a range.
func (r *reading) readPriceParts(field int, v Value, p place, all []Amount) bool {
	if r.set.itemField < 0 || !r.set.fields[field].form.unitPrice {
		return false
	}
	text := p.text()
	if m := priceRange.FindStringSubmatchIndex(text); m != nil && r.set.fields[field].Name == "price" {
		for g, name := range map[int]string{2: "low", 4: "high"} {
			at, ok := r.set.fieldIndex[name]
			norm, good := shiftDecimal(strings.ReplaceAll(text[m[g]:m[g+1]], ",", ""), p.unit.power)
			if one := v; ok && good {
				one.Norm = norm
				r.addAt(at, one, p, m[g], m[g+1])
			}
		}
		return true
	}
	if len(all) > 0 && strings.HasSuffix(text[:all[0].To], "元") && r.set.unitField() >= 0 {
		if m := unitBehindPrice.FindStringSubmatchIndex(text[all[0].To:]); m != nil {
			one, from := v, all[0].To-len("元")
			one.Norm = "元/" + text[all[0].To+m[2]:all[0].To+m[3]]
			r.addAt(r.set.unitField(), one, p, from, all[0].To+m[1])
		}
	}
	return false
}

// readItemTitle reads day and unit from the title of prices: 2026年11月20日水果批发价（元/斤）.
func (r *reading) readItemTitle() {
	if r.set.itemField < 0 || r.set.unitField() < 0 {
		return
	}
	p := place{f: r.title, source: FromTitle, sure: .65}
	if m := unitHead.FindStringSubmatchIndex(r.title.s); m != nil {
		p.from, p.to = m[2], m[3]
		r.readField(r.set.unitField(), p)
	}
	if at, ok := r.set.fieldIndex["date"]; ok && r.set.fields[at].Type == Time {
		p.from, p.to = 0, len(r.title.s)
		r.readField(at, p)
	}
}

// headPeriod returns the number of columns after which a head repeats.
func headPeriod(columns []tableHead) int {
	for p := 2; p <= len(columns)/2; p++ {
		if len(columns)%p != 0 {
			continue
		}
		same, known := true, false
		for k := range columns {
			same = same && plainLabelOf(columns[k].printed) == plainLabelOf(columns[k%p].printed)
			known = known || columns[k].known
		}
		if same && known {
			return p
		}
	}
	return len(columns)
}

// plainLabelOf returns the plain label of a text that is not folded.
func plainLabelOf(s string) string {
	label, _ := plainLabel(fold(s).s)
	return label
}

// itemHead reports whether a row is the head of a table of things although most of its labels are
// unknown. It must name the things, and another field or a word above a figure. No cell of the next
// row may be the label of a field.
func (s *Set) itemHead(heads, next []tableHead) bool {
	things, others := false, 0
	for k := range heads {
		if heads[k].known && heads[k].hit.field == s.itemField {
			things = true
		} else if heads[k].known || k < len(next) && isNumber(next[k].printed) &&
			!strings.ContainsAny(heads[k].printed, "0123456789") {
			others++
		}
	}
	return things && others > 0 && len(next) == len(heads) &&
		!slices.ContainsFunc(next, func(h tableHead) bool { return h.known })
}

// dropSingleNumber removes the numbers if a notice has one thing.
func (r *reading) dropSingleNumber() {
	if r.set.itemField < 0 || r.items != 1 {
		return
	}
	for i := range r.found {
		for k := range r.found[i] {
			r.found[i][k].Lot = ""
		}
	}
}

// items returns the values of each thing as JSON objects; nil for a single thing.
func (v PlainNotice) items() []json.RawMessage {
	if v.Set.itemField < 0 {
		return nil
	}
	things := map[string]*bytes.Buffer{}
	var order []string
	for i := range v.Set.fields {
		f := &v.Set.fields[i]
		for _, value := range v.Result.Of(f.Name) {
			if value.Lot == "" || !f.form.perLot {
				continue
			}
			b := things[value.Lot]
			if b == nil {
				b = bytes.NewBufferString("{")
				things[value.Lot], order = b, append(order, value.Lot)
			}
			one := PlainNotice{v.Set, &Result{Values: []Value{value}}}.Plain(f)
			_ = putMember(b, f.Name, one[0]) // omits a field that JSON cannot encode
		}
	}
	slices.SortStableFunc(order, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	var out []json.RawMessage
	for _, lot := range order {
		out = append(out, append(things[lot].Bytes(), '}'))
	}
	return out
}
