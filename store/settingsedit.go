package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"angler/store/modes"
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
			lit = quoteTOML(value)
		case "list":
			lit, err = listTOML(value)
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

func listTOML(value string) (string, error) {
	var doc struct{ L []string }
	if value == "" {
		value = "[]"
	}
	if !strings.HasPrefix(value, "[") {
		return "", errors.New(`write a list: ["one", "two"]`)
	}
	if err := toml.Unmarshal([]byte("L = "+value), &doc); err != nil {
		return "", errors.New(`write a list: ["one", "two"]; in "…" a backslash is written twice, in '…' once`)
	}
	var b strings.Builder
	b.WriteString("[")
	for _, s := range doc.L {
		b.WriteString("\n  " + quoteTOML(s) + ",")
	}
	if len(doc.L) > 0 {
		b.WriteString("\n")
	}
	return b.String() + "]", nil
}

// quoteTOML writes a string as TOML; go-toml chooses the quotes.
func quoteTOML(s string) string {
	b, err := toml.Marshal(map[string]string{"v": s})
	if err != nil {
		return strconv.Quote(s) // invalid UTF-8; decoding it will say so
	}
	return strings.TrimSpace(strings.TrimPrefix(string(b), "v ="))
}

func typed(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case Duration:
		b, _ := x.MarshalText() // cannot fail
		return string(b)
	case []string:
		list := make([]string, len(x))
		for i := range x {
			list[i] = quoteTOML(x[i])
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
		return fmt.Errorf("cannot read %s (%v); check its permissions", path, cause(err))
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
		doc, changed = editTOML(doc, row.Key, lit), true
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

// editTOML replaces the value of key in a TOML document, or adds it to its
// table. Comments and layout around it stay.
func editTOML(doc []byte, key, lit string) []byte {
	table, name, ok := strings.Cut(key, ".")
	if !ok {
		table, name = "", key
	}
	in, at := "", 0
	end := -1 // where a new key of the table would go
	if table == "" {
		end = 0
	}
	for at < len(doc) {
		line := doc[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		text := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(text, "["):
			head, _, _ := strings.Cut(text, "]")
			in = strings.Trim(head, "[ \t")
			at += len(line)
			if in == table {
				end = at
			}
			continue
		case text == "" || text[0] == '#':
			at += len(line)
			continue
		}
		k, _, _ := strings.Cut(text, "=")
		from := at + bytes.IndexByte(doc[at:], '=') + 1
		if from == at { // no key: nothing to change here
			at += len(line)
			continue
		}
		to := valueEnd(doc, from)
		if in == table && strings.Trim(k, " \t\"'") == name {
			return bytes.Join([][]byte{doc[:from], []byte(" " + lit), doc[to:]}, nil)
		}
		at = to
		if i := bytes.IndexByte(doc[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(doc)
		}
		if in == table {
			end = at
		}
	}
	if end < 0 {
		return fmt.Appendf(bytes.TrimRight(doc, "\n"), "\n\n[%s]\n%s = %s\n", table, name, lit)
	}
	new := fmt.Appendf(nil, "%s = %s\n", name, lit)
	if end > 0 && doc[end-1] != '\n' {
		new = append([]byte("\n"), new...)
	}
	return bytes.Join([][]byte{doc[:end], new, doc[end:]}, nil)
}

// valueEnd returns where the value that begins at from ends: before the white
// space and comment that follow it.
func valueEnd(doc []byte, from int) int {
	depth, i, end := 0, from, from
	for i < len(doc) {
		switch c := doc[i]; {
		case c == '"' || c == '\'':
			quote := doc[i : i+1]
			if bytes.HasPrefix(doc[i:], bytes.Repeat(quote, 3)) {
				quote = doc[i : i+3]
			}
			for i += len(quote); i < len(doc) && !bytes.HasPrefix(doc[i:], quote); i++ {
				if c == '"' && doc[i] == '\\' {
					i++
				}
			}
			i = min(len(doc), i+len(quote))
			end = i
			continue
		case c == '#':
			for i < len(doc) && doc[i] != '\n' {
				i++
			}
			continue
		case c == '\n' && depth == 0:
			return end
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if c := doc[i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			end = i + 1
		}
		i++
	}
	return end
}
