package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"angler/store/modes"
)

// This file changes single values of angler.toml. The rest of the file stays as it is, including
// comments.

// Row is one setting as an editor shows it.
type Row struct {
	Key     string // "crawl.depth"
	Value   string // as typed: text bare, lists as ["a", "b"]
	Comment string
	Kind    string // "text", "number", "list", "switch", "time"

	Default string   // value of a new workspace
	Choices []string // the allowed values; nil: any value of the kind
	Later   bool     // a change takes effect at the next opening
}

// Rows lists all settings in the order of the file.
func (s *Settings) Rows() []Row {
	var out []Row
	eachSetting(reflect.ValueOf(s).Elem(), "", func(key string, tag reflect.StructTag, v reflect.Value) {
		out = append(out, Row{Key: key, Value: typed(v), Comment: tag.Get("comment"), Kind: kindOf(v)})
	})
	usual, i := Default(), 0
	eachSetting(reflect.ValueOf(&usual).Elem(), "", func(_ string, _ reflect.StructTag, v reflect.Value) {
		out[i].Default = typed(v)
		i++
	})
	return out
}

// Items parses a list in the form of Row.Value.
func Items(value string) (items []string, err error) {
	if _, err := list(value); err != nil {
		return nil, err
	}
	var doc struct{ X []string }
	err = toml.Unmarshal([]byte("X = "+value), &doc)
	return doc.X, err
}

// ListOf returns items in the form of Row.Value.
func ListOf(items []string) string { return typed(reflect.ValueOf(items)) }

// With returns the settings with one value changed, or an error that says why the value is wrong.
// It writes nothing.
func (s Settings) With(key, value string) (Settings, error) {
	if action, ok := strings.CutPrefix(key, KeyOf("")); ok {
		return s.withKeys(action, value)
	}
	if name, ok := strings.CutPrefix(key, NotifyOf("")); ok {
		return s.withNotify(name, value)
	}
	if key == HostsKey {
		return s.withHosts(value)
	}
	if host, name, ok := SplitHostKey(key); ok {
		return s.withHost(host, name, value)
	}
	lit, err := s.literal(key, value)
	if err != nil {
		return s, err
	}
	doc := key + " = " + lit
	if table, name, ok := strings.Cut(key, "."); ok {
		doc = "[" + table + "]\n" + name + " = " + lit
	}
	// A list is replaced, not appended to: no old element may remain.
	c := s
	if err := toml.Unmarshal([]byte(doc), &c); err != nil {
		return s, fmt.Errorf("%s: %s", key, Wrong(err))
	}
	return c, c.Validate()
}

// literal returns a typed value as TOML.
func (s *Settings) literal(key, value string) (lit string, err error) {
	err = fmt.Errorf("no setting is called %s", key)
	eachSetting(reflect.ValueOf(s).Elem(), "", func(k string, _ reflect.StructTag, v reflect.Value) {
		if k != key {
			return
		}
		err = nil
		value = strings.TrimSpace(value)
		switch kindOf(v) {
		case "text", "time":
			lit = quote(value)
		case "list":
			lit, err = list(value)
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
			list[i] = quote(x[i])
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
func eachSetting(v reflect.Value, prefix string, f func(key string, tag reflect.StructTag, v reflect.Value)) {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("toml"), ",")
		if t := v.Field(i).Type(); t.Kind() == reflect.Map || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
			continue // keys of the workbench, hosts, fields and alerts have their own tables
		}
		if v.Field(i).Kind() == reflect.Struct {
			eachSetting(v.Field(i), prefix+name+".", f)
			continue
		}
		f(prefix+name, tag, v.Field(i))
	}
}

// Edit changes the settings of the file at path from s to to and keeps every comment. It returns
// the file's settings afterwards, which include edits that people made meanwhile. If s equals to,
// it returns s. After an error the file is unchanged.
func (s *Settings) Edit(path string, to *Settings) (Settings, error) {
	if err := to.Validate(); err != nil {
		return *s, err
	}
	old := map[string]string{}
	eachSetting(reflect.ValueOf(s).Elem(), "", func(key string, _ reflect.StructTag, v reflect.Value) { old[key] = typed(v) })
	doc, err := os.ReadFile(path)
	if err != nil {
		return *s, fmt.Errorf("cannot read %s (%v); check its permissions", path, modes.Cause(err))
	}
	changed := false
	for _, row := range to.Rows() {
		if row.Value == old[row.Key] {
			continue
		}
		if items, err := Items(row.Value); row.Kind == "list" && err == nil {
			if edited, ok := editList(doc, row.Key, items); ok {
				doc, changed = edited, true
				continue
			}
		}
		lit, err := to.literal(row.Key, row.Value)
		if err != nil {
			return *s, fmt.Errorf("%s: %w", row.Key, err)
		}
		doc, changed = edit(doc, row.Key, lit), true
	}
	doc, rekeyed := editKeys(doc, s.Keys, to.Keys)
	doc, retold := editNotify(doc, s.Notify, to.Notify)
	doc, rehosted, err := editHosts(doc, s.Host, to.Host)
	if err != nil {
		return *s, err
	}
	if !changed && !rekeyed && !rehosted && !retold {
		return *s, nil
	}
	now, err := parse(path, doc)
	if err != nil { // the file became unreadable since it was opened
		return *s, fmt.Errorf("%w; correct the file first", err)
	}
	return now, modes.Replace(path, doc)
}
