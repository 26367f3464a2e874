package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"angler/store/secrets"
)

// This file shows and changes the tables [host."…"]: one row of the editor for each setting, and
// one for the list of hosts.

// HostsKey is the setting that lists the hosts with their own settings.
const HostsKey = "host"

// HostKey returns the key of a host's setting, as in Row.Key: host."www.x.cn".delay.
func HostKey(host, name string) string { return HostsKey + "." + strconv.Quote(host) + "." + name }

// SplitHostKey splits the key of a host's setting.
func SplitHostKey(key string) (host, name string, ok bool) {
	parts := parts(key)
	if len(parts) != 3 || parts[0] != HostsKey {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// hostValue returns a setting of a host as typed; "" if it is not set.
func hostValue(v reflect.Value) string {
	if v.IsZero() && v.Kind() != reflect.Slice {
		return ""
	}
	return typed(v)
}

// HostRows returns the list of hosts and, for each host, its settings.
func (s *Settings) HostRows() []Row {
	names := slices.Sorted(maps.Keys(s.Host))
	out := []Row{{Key: HostsKey, Value: ListOf(names), Default: "[]", Kind: "list",
		Comment: "hosts with settings of their own: delay, headers, cookies, a login …"}}
	for _, host := range names {
		h := s.Host[host]
		for _, l := range leaves(&h) {
			row := Row{Key: HostKey(host, l.key), Value: hostValue(l.v), Comment: l.tag.Get("comment"),
				Kind: kindOf(l.v)}
			if row.Kind == "list" {
				row.Default = "[]"
			}
			if l.key == "render" {
				row.Choices = []string{"", renderNever, renderAlways}
			}
			out = append(out, row)
		}
	}
	return out
}

// withHosts returns the settings with another list of hosts. New hosts have no settings yet;
// removed hosts lose theirs.
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

// withHost returns the settings with one setting of a host changed. An empty value restores that of
// [crawl].
func (s Settings) withHost(host, name, value string) (Settings, error) {
	h := s.Host[host].clone()
	l, ok := leafOf(&h, name)
	if !ok {
		return s, fmt.Errorf("no setting is called %s", HostKey(host, name))
	}
	value = strings.TrimSpace(value)
	if l.v.SetZero(); value != "" && value != "[]" {
		lit, err := literal(kindOf(l.v), value)
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

// editHosts writes the differences of two tables of hosts into a document.
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
		old := leaves(&before)
		for i, l := range leaves(&now) {
			key, value := HostKey(host, l.key), hostValue(l.v)
			if value == hostValue(old[i].v) {
				continue
			}
			changed = true
			if l.v.IsZero() {
				doc = remove(doc, key)
				continue
			}
			lit, err := literal(kindOf(l.v), value)
			if err != nil {
				return doc, false, fmt.Errorf("%s: %w", key, err)
			}
			doc = edit(doc, key, lit)
		}
	}
	return doc, changed, nil
}

// hides are the settings of a host whose values may be secrets.
var hides = []string{"headers", "login_fields"}

// texts returns a setting of a host that is a list.
func (h *Host) texts(name string) []string {
	l, _ := leafOf(h, name)
	return l.v.Interface().([]string)
}

// HoldsSecrets reports whether the settings contain headers or fields of a login.
func HoldsSecrets(s *Settings) bool {
	for _, h := range s.Host {
		for _, name := range hides {
			if items := h.texts(name); slices.ContainsFunc(items,
				func(item string) bool { return Hidden(name, item) != item }) {
				return true
			}
		}
		if secrets.RedactAddress(h.Proxy) != h.Proxy {
			return true
		}
	}
	return false
}

// Hidden returns an item of a host's setting without a secret value. References (env:, file:) stay.
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

// Redact removes the secrets of the tables of hosts from the text of an angler.toml. It returns
// text that is not TOML unchanged.
func Redact(doc []byte) []byte {
	var s Settings
	if toml.Unmarshal(doc, &s) != nil {
		return doc
	}
	for _, host := range slices.Sorted(maps.Keys(s.Host)) {
		h := s.Host[host]
		for _, name := range hides {
			items, shown := h.texts(name), []string(nil)
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
