package config

import (
	"fmt"
	"reflect"
)

// Overlay copies to s every setting that differs between before and after. It returns the result
// and the rows of these settings.
func (s *Settings) Overlay(before, after *Settings) (Settings, []Row) {
	out, from := s.Clone(), after.Clone()
	leaves := func(s *Settings) (list []reflect.Value) {
		eachSetting(reflect.ValueOf(s).Elem(), "", func(_ string, _ reflect.StructTag, v reflect.Value) { list = append(list, v) })
		return list
	}
	to, was, is := leaves(&out), leaves(before), leaves(&from)
	var changed []Row
	for i, row := range after.Rows() {
		if typed(was[i]) != row.Value {
			to[i].Set(is[i])
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
