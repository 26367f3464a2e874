package config

import (
	"fmt"
	"reflect"
)

// Overlay copies to s every setting that differs between before and after. It returns the result
// and the rows of these settings.
func (s *Settings) Overlay(before, after *Settings) (Settings, []Row) {
	out, from := s.Clone(), after.Clone()
	to, was, is := leaves(&out), leaves(before), leaves(&from)
	var changed []Row
	for i, row := range after.Rows() {
		if typed(was[i].v) != row.Value {
			to[i].v.Set(is[i].v)
			changed = append(changed, row)
		}
	}
	for _, table := range []struct {
		key     string
		set     func()
		was, is any
		entries int
	}{
		{"keys", func() { out.Keys = from.Keys }, before.Keys, after.Keys, len(after.Keys)},
		{"fields", func() { out.Fields = from.Fields }, before.Fields, after.Fields, len(after.Fields)},
		{HostsKey, func() { out.Host = from.Host }, before.Host, after.Host, len(after.Host)},
		{"notify", func() { out.Notify = from.Notify }, before.Notify, after.Notify, len(after.Notify)},
	} {
		if !reflect.DeepEqual(table.was, table.is) {
			table.set()
			changed = append(changed, Row{Key: table.key, Value: fmt.Sprintf("%d entries", table.entries)})
		}
	}
	return out, changed
}
