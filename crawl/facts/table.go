package facts

import (
	"fmt"
	"strconv"

	"angler/crawl/fields"
	"angler/store/export/table"
)

// Columns are those of the fields in force, their heads in English or with zh in Chinese; an
// analyst's own have the head that they were given.
func (k *Extractor) Columns(lang string) []table.Column {
	var out []table.Column
	for _, f := range k.Set().Fields() {
		kind := map[fields.Type]table.Kind{fields.Money: table.Money, fields.Number: table.Number, fields.Time: table.Time}[f.Type]
		out = append(out, table.Column{Name: f.Name, Title: f.Heading(lang != "zh"), Kind: max(kind, table.Text)})
	}
	return out
}

// TableValues returns the values of a notice by the names of their columns.
func (k *Extractor) TableValues(id uint64) (map[string]table.Value, error) {
	s, err := k.Of(id)
	if err != nil || s == nil {
		return nil, err
	}
	return TableValues(s.Plain()), nil
}

// TableValues are the values of a notice as tables have them, by the names of fields.
func TableValues(v fields.PlainNotice) map[string]table.Value {
	out := map[string]table.Value{}
	for i := range v.Set.Fields() {
		f := &v.Set.Fields()[i]
		switch plain := v.Plain(f); len(plain) {
		case 0:
		case 1:
			out[f.Name] = tableValue(f, fmt.Sprint(plain[0]))
		default:
			out[f.Name] = table.JSONOf(plain, len(plain))
		}
	}
	return out
}

func tableValue(f *fields.Field, text string) table.Value {
	switch f.Type {
	case fields.Money, fields.Number:
		if x, err := strconv.ParseFloat(text, 64); err == nil && f.Type == fields.Money {
			return table.MoneyOf(x)
		} else if err == nil {
			return table.NumberOf(x)
		}
	case fields.Time:
		return table.DateOf(text)
	}
	return table.TextOf(text)
}
