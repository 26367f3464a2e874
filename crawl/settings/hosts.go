package settings

import (
	"fmt"
	"slices"
	"strings"

	"angler/store/config"
	"angler/store/secrets"
)

// This file is about the settings of single hosts, [host."…"]: what of them is shown.

// hostRows are the rows of the hosts with their secrets hidden.
func hostRows(s *config.Settings) []config.Row {
	rows := s.HostRows()
	for i := range rows {
		if _, name, ok := config.SplitHostKey(rows[i].Key); ok {
			rows[i].Value = hideOf(name, rows[i].Value)
		}
	}
	return rows
}

// hideOf hides what a setting of a host may hold of secrets: the values of headers and
// of the fields of a login, and the password of a proxy. Names, and where a value is
// read from, stay.
func hideOf(name, value string) string {
	switch name {
	case "proxy":
		return secrets.RedactAddress(value)
	case "headers", "login_fields":
		items, err := config.Items(value)
		if err != nil {
			return secrets.Masked
		}
		for i := range items {
			items[i] = config.Hidden(name, items[i])
		}
		return config.ListOf(items)
	}
	return value
}

// meantOfHost puts the values back that hideOf has hidden and that are unchanged, each
// from the first of the settings that has it.
func meantOfHost(known []*config.Settings, key, value string) string {
	host, name, ok := config.SplitHostKey(key)
	if !ok {
		return value
	}
	var was func(h config.Host) []string
	switch name {
	case "proxy":
		return meantProxy(known, value, func(s *config.Settings) string { return s.Host[host].Proxy })
	case "headers":
		was = func(h config.Host) []string { return h.Headers }
	case "login_fields":
		was = func(h config.Host) []string { return h.LoginFields }
	default:
		return value
	}
	items, err := config.Items(value)
	if err != nil {
		return value
	}
	var all []string
	for _, s := range known {
		all = append(all, was(s.Host[host])...)
	}
	for i, item := range items {
		if j := slices.IndexFunc(all, func(w string) bool { return config.Hidden(name, w) == item }); j >= 0 {
			items[i] = all[j]
			all = slices.Delete(all, j, j+1)
		}
	}
	return config.ListOf(items)
}

// meantProxy puts the password of a proxy back, from the first of the settings whose proxy
// is shown so.
func meantProxy(known []*config.Settings, value string, proxy func(*config.Settings) string) string {
	for _, s := range known {
		if p := proxy(s); strings.TrimSpace(value) == secrets.RedactAddress(p) {
			return p
		}
	}
	return value
}

// unprefixed takes the way to a host's setting from what is wrong with it.
func unprefixed(key, text string) string {
	if host, name, ok := config.SplitHostKey(key); ok {
		return strings.TrimPrefix(strings.TrimPrefix(text, config.Name+": "+config.HostsKey+": "), fmt.Sprintf("%q: %s: ", host, name))
	}
	return text
}
