package facts

import (
	"fmt"
	"strconv"

	"angler/crawl/fields"
	"angler/store/export/table"
)

// Columns returns the columns of the fields in force. Titles are English, or Chinese for "zh"; an
// analyst's fields have the title given.
func (k *Extractor) Columns(lang string) []table.Column {
	var out []table.Column
	for _, f := range k.Set().Fields() {
		kind := map[fields.Type]table.Kind{fields.Money: table.Money, fields.Number: table.Number,
			fields.Time: table.Time}[f.Type]
		out = append(out, table.Column{Name: f.Name, Title: f.Heading(lang != "zh"), Kind: max(kind, table.Text)})
	}
	return out
}

// TableValues returns the values of a notice by column name.
func (k *Extractor) TableValues(id uint64) (map[string]table.Value, error) {
	s, err := k.Of(id)
	if err != nil || s == nil {
		return nil, err
	}
	return TableValues(s.Plain()), nil
}

// TableValues returns the values of a notice for tables, by field name.
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
