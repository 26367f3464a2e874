package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"angler/store/modes"
	"angler/store/tomledit"
)

// This file changes single values of angler.toml and leaves the rest of the
// file, people's comments included, as it is.

// SettingRow is one setting as an editor shows it.
type SettingRow struct {
	Key     string // "crawl.depth"
	Value   string // as it is typed: text bare, lists as ["a", "b"]
	Comment string
	Kind    string // "text", "number", "list", "switch", "time"
}

// Rows lists all settings in the order of the file.
func (s *Settings) Rows() []SettingRow {
	var out []SettingRow
	eachSetting(reflect.ValueOf(s).Elem(), "", func(key, comment string, v reflect.Value) {
		out = append(out, SettingRow{Key: key, Value: typed(v), Comment: comment, Kind: kindOf(v)})
	})
	return out
}

// With returns the settings with one value changed, or an error that says what
// is wrong with it. Nothing is written.
func (s Settings) With(key, value string) (Settings, error) {
	lit, err := s.literal(key, value)
	if err != nil {
		return s, err
	}
	doc := key + " = " + lit
	if table, name, ok := strings.Cut(key, "."); ok {
		doc = "[" + table + "]\n" + name + " = " + lit
	}
	// A list is replaced, never appended to: what it was must not shine through.
	c := s
	if err := toml.Unmarshal([]byte(doc), &c); err != nil {
		return s, fmt.Errorf("%s: %s", key, strings.TrimPrefix(err.Error(), "toml: "))
	}
	return c, c.Validate()
}

// literal is the TOML of a typed value.
func (s *Settings) literal(key, value string) (lit string, err error) {
	err = fmt.Errorf("no setting is called %s", key)
	eachSetting(reflect.ValueOf(s).Elem(), "", func(k, _ string, v reflect.Value) {
		if k != key {
			return
		}
		err = nil
		value = strings.TrimSpace(value)
		switch kindOf(v) {
		case "text", "time":
			lit = tomledit.Quote(value)
		case "list":
			lit, err = tomledit.List(value)
		case "switch":
			if lit = value; value != "true" && value != "false" {
				err = errors.New("write true or false")
			}
		default:
			if _, e := strconv.ParseFloat(value, 64); e != nil {
				err = errors.New("write a number")
			}
			lit = value
		}
	})
	return lit, err
}

func typed(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case Duration:
		b, _ := x.MarshalText() // cannot fail
		return string(b)
	case []string:
		list := make([]string, len(x))
		for i := range x {
			list[i] = tomledit.Quote(x[i])
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

func kindOf(v reflect.Value) string {
	switch v.Interface().(type) {
	case Duration:
		return "time"
	case []string:
		return "list"
	case bool:
		return "switch"
	case string:
		return "text"
	}
	return "number"
}

// eachSetting visits every leaf of a settings struct.
func eachSetting(v reflect.Value, prefix string, f func(key, comment string, v reflect.Value)) {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("toml"), ",")
		if v.Field(i).Kind() == reflect.Struct {
			eachSetting(v.Field(i), prefix+name+".", f)
			continue
		}
		f(prefix+name, tag.Get("comment"), v.Field(i))
	}
}

// ChangeSettings changes settings in the file and in force, in one step and
// with every comment kept, or changes nothing.
func (w *Workspace) ChangeSettings(change func(*Settings)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	set := w.set.Clone()
	change(&set)
	if err := set.Validate(); err != nil {
		return err
	}
	old := map[string]string{}
	eachSetting(reflect.ValueOf(&w.set).Elem(), "", func(key, _ string, v reflect.Value) { old[key] = typed(v) })
	path := filepath.Join(w.dir, settingsFile)
	doc, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot read %s (%v); check its permissions", path, modes.Cause(err))
	}
	changed := false
	for _, row := range set.Rows() {
		if row.Value == old[row.Key] {
			continue
		}
		lit, err := set.literal(row.Key, row.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Key, err)
		}
		doc, changed = tomledit.Edit(doc, row.Key, lit), true
	}
	if !changed {
		return nil
	}
	now, err := parseSettings(path, doc)
	if err != nil { // someone has broken the file since it was opened
		return fmt.Errorf("%w; correct the file first", err)
	}
	if err := modes.Replace(path, doc); err != nil {
		return err
	}
	w.set = now
	return nil
}
