package facts

import (
	"fmt"
	"strconv"

	"angler/crawl/fields"
	"angler/store/export"
)

// Columns returns the columns of the fields in force. Titles are English, or Chinese for "zh"; an
// analyst's fields have the title given.
func (k *Extractor) Columns(lang string) []export.Column {
	var out []export.Column
	for _, f := range k.Set().Fields() {
		kind := map[fields.Type]export.Kind{fields.Money: export.Money, fields.Number: export.Number,
			fields.Time: export.Time}[f.Type]
		out = append(out, export.Column{Name: f.Name, Title: f.Heading(lang != "zh"), Kind: max(kind, export.Text)})
	}
	return out
}

// TableValues returns the values of a notice by column name.
func (k *Extractor) TableValues(id uint64) (map[string]export.Value, error) {
	s, err := k.Of(id)
	if err != nil || s == nil {
		return nil, err
	}
	return TableValues(s.Plain()), nil
}

// TableValues returns the values of a notice for tables, by field name.
func TableValues(v fields.PlainNotice) map[string]export.Value {
	out := map[string]export.Value{}
	for i := range v.Set.Fields() {
		f := &v.Set.Fields()[i]
		switch plain := v.Plain(f); len(plain) {
		case 0:
		case 1:
			out[f.Name] = tableValue(f, fmt.Sprint(plain[0]))
		default:
			out[f.Name] = export.JSONOf(plain, len(plain))
		}
	}
	return out
}

func tableValue(f *fields.Field, text string) export.Value {
	switch f.Type {
	case fields.Money, fields.Number:
		if x, err := strconv.ParseFloat(text, 64); err == nil && f.Type == fields.Money {
			return export.MoneyOf(x)
		} else if err == nil {
			return export.NumberOf(x)
		}
	case fields.Time:
		return export.DateOf(text)
	}
	return export.TextOf(text)
}
