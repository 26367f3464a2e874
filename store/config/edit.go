package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
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
	usual := Default()
	defaults := leaves(&usual)
	for i, l := range leaves(s) {
		out = append(out, Row{Key: l.key, Value: typed(l.v), Comment: l.tag.Get("comment"), Kind: kindOf(l.v),
			Default: typed(defaults[i].v)})
	}
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
	l, ok := leafOf(&s, key)
	if !ok {
		return s, fmt.Errorf("no setting is called %s", key)
	}
	lit, err := literal(kindOf(l.v), strings.TrimSpace(value))
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

// literal returns a value of a kind, as typed, as TOML.
func literal(kind, value string) (string, error) {
	switch kind {
	case "text", "time":
		return quote(value), nil
	case "list":
		return list(value)
	case "switch":
		if value != "true" && value != "false" {
			return "", errors.New("write true or false")
		}
	default:
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return "", errors.New("write a number")
		}
	}
	return value, nil
}

// typed returns a value in the form of Row.Value; "" for a nil pointer.
func typed(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case *Duration:
		if x == nil {
			return ""
		}
		return typed(v.Elem())
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

// kindOf returns the Row.Kind of a value.
func kindOf(v reflect.Value) string {
	switch v.Interface().(type) {
	case Duration, *Duration:
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

// leaf is one setting of a settings struct; a change of v changes the struct.
type leaf struct {
	key string
	tag reflect.StructTag
	v   reflect.Value
}

// leaves returns the settings of the struct at a pointer in their order.
func leaves(of any) (all []leaf) {
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		f, tag := v.Field(i), v.Type().Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("toml"), ",")
		switch t := f.Type(); {
		case t.Kind() == reflect.Map || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
			// keys of the workbench, hosts, fields and alerts have their own tables
		case t.Kind() == reflect.Struct:
			for _, l := range leaves(f.Addr().Interface()) {
				all = append(all, leaf{name + "." + l.key, l.tag, l.v})
			}
		default:
			all = append(all, leaf{name, tag, f})
		}
	}
	return all
}

// leafOf returns one setting of the struct at a pointer.
func leafOf(of any, key string) (l leaf, ok bool) {
	all := leaves(of)
	i := slices.IndexFunc(all, func(l leaf) bool { return l.key == key })
	if i < 0 {
		return l, false
	}
	return all[i], true
}

// Edit changes the settings of the file at path from s to to and keeps every comment. It returns
// the file's settings afterwards, which include edits that people made meanwhile. If s equals to,
// it returns s. After an error the file is unchanged.
func (s *Settings) Edit(path string, to *Settings) (Settings, error) {
	if err := to.Validate(); err != nil {
		return *s, err
	}
	doc, err := os.ReadFile(path)
	if err != nil {
		return *s, fmt.Errorf("cannot read %s (%v); check its permissions", path, modes.Cause(err))
	}
	changed, old := false, leaves(s)
	for i, row := range to.Rows() {
		if row.Value == typed(old[i].v) {
			continue
		}
		if items, err := Items(row.Value); row.Kind == "list" && err == nil {
			if edited, ok := editList(doc, row.Key, items); ok {
				doc, changed = edited, true
				continue
			}
		}
		lit, err := literal(row.Kind, row.Value)
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
