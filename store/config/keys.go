package config

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// This file changes the table [keys]. Its entries are names of actions.

// KeyOf returns the setting that holds the keys of an action.
func KeyOf(action string) string { return "keys." + action }

var actionName = regexp.MustCompile(`^[a-z0-9_]+$`)

// withKeys returns the settings with other keys of one action: a list in the form of Row.Value. An
// empty list restores the default keys.
func (s Settings) withKeys(action, value string) (Settings, error) {
	if !actionName.MatchString(action) {
		return s, fmt.Errorf("no setting is called %s", KeyOf(action))
	}
	items, err := Items(value)
	if err != nil {
		return s, err
	}
	c := s
	if c.Keys = maps.Clone(s.Keys); c.Keys == nil {
		c.Keys = map[string]any{}
	}
	switch len(items) {
	case 0:
		delete(c.Keys, action)
	case 1:
		c.Keys[action] = items[0]
	default:
		list := make([]any, len(items))
		for i, k := range items {
			list[i] = k
		}
		c.Keys[action] = list
	}
	return c, nil
}

// editKeys writes the differences of two tables of keys into a document.
func editKeys(doc []byte, was, is map[string]any) (_ []byte, changed bool) {
	both := maps.Clone(was)
	if both == nil {
		both = map[string]any{}
	}
	maps.Copy(both, is)
	for _, action := range slices.Sorted(maps.Keys(both)) {
		keys, stays := is[action]
		switch {
		case reflect.DeepEqual(was[action], keys):
			continue
		case !stays:
			doc = remove(doc, KeyOf(action))
		default:
			doc = edit(doc, KeyOf(action), literalKeys(keys))
		}
		changed = true
	}
	return doc, changed
}

// literalKeys returns the keys of an action as TOML.
func literalKeys(v any) string {
	list, ok := v.([]any)
	if !ok {
		return quote(fmt.Sprint(v))
	}
	var out []string
	for _, k := range list {
		out = append(out, quote(fmt.Sprint(k)))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
