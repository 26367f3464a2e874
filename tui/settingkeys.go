package tui

import (
	"errors"
	"maps"
	"strings"

	"angler/store/config"
	"angler/tui/i18n"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the keys of the workbench as fields of the settings form. A pressed key is
// checked against all others, saved in [keys], and in force at once for every viewer of the
// workspace.

// placeNames are the groups of keys in the form, in order.
var placeNames = []struct {
	at   keymap.Place
	name string
}{
	{keymap.Everywhere, "Everywhere"}, {keymap.Panes, "Lists and texts"}, {keymap.Rows, "Marks"},
	{keymap.Pages, "Pages and notices"}, {keymap.Shown, "The page beside a list"},
	{keymap.Home, "Home"}, {keymap.Samples, "Samples"}, {keymap.Features, "Features"}, {keymap.Terms, "domain terms"},
	{keymap.Threshold, "Threshold"}, {keymap.Crawl, "Crawl"}, {keymap.Seeding, "proposed seeds"},
	{keymap.Harvest, "Harvest"}, {keymap.Sourcing, "recipes"}, {keymap.Notices, "notices"}, {keymap.Reader, "reader"},
	{keymap.Label, "Label"}, {keymap.Lab, "Lab"},
}

// keyFields are the actions and their keys, by place.
func keyFields(sh *screen.Shared) []widget.Field {
	var now *keymap.Map
	if m, err := keymap.Change(sh.Snap.Keys); err == nil {
		now = m
	}
	var out []widget.Field
	for _, p := range placeNames {
		group := sh.F("keys · %s", sh.T(p.name))
		for _, e := range keymap.All() {
			if e.Place != p.at {
				continue
			}
			title := sh.T(e.Help)
			if title == e.Help { // a name is shorter
				title = strings.ReplaceAll(e.ID, "_", " ")
			}
			out = append(out,
				widget.Field{Group: group, Name: config.KeyOf(e.ID), Title: title, Value: config.ListOf(now.Keys(e)),
					Default: config.ListOf(e.Keys),
					Usual:   printed(e.Keys), Items: shownKeys(now.Keys(e)), Note: e.Help, Press: true,
					Later: "applies at once"})
		}
	}
	return out
}

func printed(keys []string) string { return strings.Join(shownKeys(keys), "  ") }

// shownKeys returns keys in printed form.
func shownKeys(keys []string) []string {
	return widget.Map(keys, func(k string) string { return keymap.Printed([]string{k}) })
}

// meantKeys converts a value of the form to the settings' form: an action's default keys need no
// entry.
func meantKeys(key, value string) string {
	action, isKey := strings.CutPrefix(key, config.KeyOf(""))
	for _, e := range keymap.All() {
		if isKey && e.ID == action && value == config.ListOf(e.Keys) {
			return "[]"
		}
	}
	return value
}

// checkKeys says why an action cannot have the pressed keys.
func checkKeys(sh *screen.Shared, action, value string) error {
	set := maps.Clone(sh.Snap.Keys)
	if set == nil {
		set = map[string]any{}
	}
	with, err := config.Settings{Keys: set}.With(config.KeyOf(action), meantKeys(config.KeyOf(action), value))
	if err == nil {
		_, err = keymap.Change(with.Keys)
	}
	if c, clashes := errors.AsType[*keymap.Clash](err); clashes {
		other := widget.Either(c.B.ID == action, c.A, c.B)
		return widget.Refusal(sh.F("%s is taken: %s (%s); press another key", c.Key, sh.T(other.Help),
			sh.T(placeName(other.Place))))
	}
	return err
}

// saidKeys names the new keys of an action; "" for a setting that is not a key.
func saidKeys(l *i18n.Lang, key, value string) string {
	action, isKey := strings.CutPrefix(key, config.KeyOf(""))
	keys, err := config.Items(value)
	switch {
	case !isKey || err != nil:
		return ""
	case len(keys) == 0:
		return l.F("%s has its own key again", action)
	}
	return l.F("%s stands on %s", action, printed(keys))
}

func placeName(at keymap.Place) string {
	for _, p := range placeNames {
		if p.at == at {
			return p.name
		}
	}
	return ""
}
