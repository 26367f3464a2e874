package config

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"angler/store/secrets"
)

// This file shows and changes the tables [host."…"], an editor's row for each of
// their settings, and one for the list of the hosts.

// HostsKey is the setting that lists the hosts with settings of their own.
const HostsKey = "host"

// HostKey is the setting of a host, as Row.Key names it: host."www.x.cn".delay.
func HostKey(host, name string) string { return HostsKey + "." + strconv.Quote(host) + "." + name }

// SplitHostKey takes the key of a host's setting apart.
func SplitHostKey(key string) (host, name string, ok bool) {
	parts := parts(key)
	if len(parts) != 3 || parts[0] != HostsKey {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// each visits the settings of a host: their names, and whether they are set.
func (h *Host) each() iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		v := reflect.ValueOf(h).Elem()
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("toml"), ",")
			if !yield(name, !v.Field(i).IsZero()) {
				return
			}
		}
	}
}

// field is a setting of a host by its name.
func (h *Host) field(name string) (v reflect.Value, comment string, ok bool) {
	whole := reflect.ValueOf(h).Elem()
	for i := range whole.NumField() {
		tag := whole.Type().Field(i).Tag
		if toml, _, _ := strings.Cut(tag.Get("toml"), ","); toml == name {
			return whole.Field(i), tag.Get("comment"), true
		}
	}
	return v, "", false
}

// hostValue is a setting of a host as it is typed; "" where it is not set.
func hostValue(v reflect.Value) string {
	switch {
	case v.IsZero() && v.Kind() == reflect.Slice:
		return "[]"
	case v.IsZero():
		return ""
	case v.Kind() == reflect.Pointer:
		v = v.Elem()
	}
	return typed(v)
}

func hostKind(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = reflect.Zero(v.Type().Elem())
	}
	return kindOf(v)
}

// HostRows are the list of the hosts and, for each of them, its settings.
func (s *Settings) HostRows() []Row {
	names := slices.Sorted(maps.Keys(s.Host))
	out := []Row{{Key: HostsKey, Value: ListOf(names), Default: "[]", Kind: "list",
		Comment: "hosts with settings of their own: delay, headers, cookies, a login …"}}
	for _, host := range names {
		h := s.Host[host]
		for name := range h.each() {
			v, comment, _ := h.field(name)
			row := Row{Key: HostKey(host, name), Value: hostValue(v), Comment: comment, Kind: hostKind(v)}
			if row.Kind == "list" {
				row.Default = "[]"
			}
			if name == "render" {
				row.Choices = []string{"", renderNever, renderAlways}
			}
			out = append(out, row)
		}
	}
	return out
}

// withHosts returns the settings with another list of hosts: those that are new have
// no settings yet, and those that are missing lose theirs.
func (s Settings) withHosts(value string) (Settings, error) {
	names, err := Items(value)
	if err != nil {
		return s, err
	}
	hosts := map[string]Host{}
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		hosts[name] = s.Host[name].clone()
	}
	s.Host = hosts
	return s, s.Validate()
}

// withHost returns the settings with one of a host's changed; an empty value takes it
// back to that of [crawl].
func (s Settings) withHost(host, name, value string) (Settings, error) {
	h := s.Host[host].clone()
	v, _, ok := h.field(name)
	if !ok {
		return s, fmt.Errorf("no setting is called %s", HostKey(host, name))
	}
	value = strings.TrimSpace(value)
	if v.SetZero(); value != "" && value != "[]" {
		lit, err := hostLiteral(hostKind(v), value)
		if err == nil {
			err = toml.Unmarshal([]byte(name+" = "+lit), &h)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %s", HostKey(host, name), Wrong(err))
		}
	}
	hosts := cloneHosts(s.Host)
	if hosts == nil {
		hosts = map[string]Host{}
	}
	hosts[host] = h
	s.Host = hosts
	return s, s.Validate()
}

func hostLiteral(kind, value string) (string, error) {
	switch kind {
	case "list":
		return list(value)
	case "number":
		if strings.Trim(value, "0123456789") != "" {
			return "", errors.New("write a number")
		}
		return value, nil
	}
	return quote(value), nil
}

// editHosts writes what differs between two tables of hosts into a document.
func editHosts(doc []byte, was, is map[string]Host) (_ []byte, changed bool, err error) {
	for _, host := range slices.Sorted(maps.Keys(was)) {
		if _, stays := is[host]; !stays {
			doc, changed = removeTable(doc, HostsKey+"."+strconv.Quote(host)), true
		}
	}
	for _, host := range slices.Sorted(maps.Keys(is)) {
		before, known := was[host]
		now := is[host]
		if !known {
			doc, changed = addTable(doc, HostsKey+"."+strconv.Quote(host)), true
		}
		for name := range now.each() {
			a, _, _ := before.field(name)
			b, _, _ := now.field(name)
			value := hostValue(b)
			if value == hostValue(a) {
				continue
			}
			changed = true
			if b.IsZero() {
				doc = remove(doc, HostKey(host, name))
				continue
			}
			lit, err := hostLiteral(hostKind(b), value)
			if err != nil {
				return doc, false, fmt.Errorf("%s: %w", HostKey(host, name), err)
			}
			doc = edit(doc, HostKey(host, name), lit)
		}
	}
	return doc, changed, nil
}

// hides are the settings of a host that may hold secrets themselves.
var hides = []string{"headers", "login_fields"}

// HoldsSecrets reports whether headers or fields of a login stand in the settings.
func HoldsSecrets(s *Settings) bool {
	for _, h := range s.Host {
		for _, name := range hides {
			v, _, _ := h.field(name)
			if items, _ := v.Interface().([]string); slices.ContainsFunc(items, func(item string) bool { return Hidden(name, item) != item }) {
				return true
			}
		}
		if secrets.RedactAddress(h.Proxy) != h.Proxy {
			return true
		}
	}
	return false
}

// Hidden is an item of a host's setting without the value that may be a secret. Where a
// value is read from (env:, file:) stays.
func Hidden(setting, item string) string {
	cut, again := ":", ": "
	if setting == "login_fields" {
		cut, again = "=", " = "
	}
	name, value, ok := strings.Cut(item, cut)
	switch value = strings.TrimSpace(value); {
	case !slices.Contains(hides, setting) || ok && value == "":
		return item
	case !ok:
		return secrets.Masked
	case strings.HasPrefix(value, "env:") || strings.HasPrefix(value, "file:"):
		return item
	}
	return strings.TrimSpace(name) + again + secrets.Masked
}

// Redact takes from the text of an angler.toml what the tables of hosts hold of secrets.
// A text that is no TOML comes back as it is.
func Redact(doc []byte) []byte {
	var s Settings
	if toml.Unmarshal(doc, &s) != nil {
		return doc
	}
	for _, host := range slices.Sorted(maps.Keys(s.Host)) {
		h := s.Host[host]
		for _, name := range hides {
			v, _, _ := h.field(name)
			items, shown := v.Interface().([]string), []string(nil)
			for _, item := range items {
				shown = append(shown, Hidden(name, item))
			}
			if slices.Equal(items, shown) {
				continue
			}
			if lit, err := list(ListOf(shown)); err == nil {
				doc = edit(doc, HostKey(host, name), lit)
			}
		}
	}
	return doc
}
