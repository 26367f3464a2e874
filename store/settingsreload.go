package store

import "reflect"

// RereadSettings takes up angler.toml as somebody has edited it while the
// workspace is open. check is given what the file says now; what it refuses, or
// cannot be read, changes nothing. It must not call the workspace.
func RereadSettings(w *Workspace, check func(file *Settings) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	file, err := ReadSettings(w.dir)
	if err == nil {
		err = check(&file)
	}
	if err == nil {
		w.set = file
	}
	return err
}

// Overlay returns a copy of s with every setting changed that differs between
// before and after, and the rows of those.
func (s *Settings) Overlay(before, after *Settings) (Settings, []SettingRow) {
	out, from := s.Clone(), after.Clone()
	leaves := func(s *Settings) (list []reflect.Value) {
		eachSetting(reflect.ValueOf(s).Elem(), "", func(_, _ string, v reflect.Value) { list = append(list, v) })
		return list
	}
	to, was, is := leaves(&out), leaves(before), leaves(&from)
	var changed []SettingRow
	for i, row := range after.Rows() {
		if typed(was[i]) != row.Value {
			to[i].Set(is[i])
			changed = append(changed, row)
		}
	}
	return out, changed
}
