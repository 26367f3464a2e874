package facts

import (
	"angler/crawl/view"
	"angler/store/export/table"
)

// Table is the values as tables have them: a column a field.
type Table struct{ k *Extractor }

// Table returns the values as tables have them.
func (k *Extractor) Table() Table { return Table{k} }

// Columns are those of the fields in force, their heads in English or with zh in Chinese.
func (t Table) Columns(lang string) []table.Column { return view.TableColumns(t.k.Set(), lang) }

// Of returns the values of a notice by the names of their columns.
func (t Table) Of(id uint64) (map[string]table.Value, error) {
	s, err := t.k.Of(id)
	if err != nil || s == nil {
		return nil, err
	}
	return view.TableValues(s.Plain()), nil
}
