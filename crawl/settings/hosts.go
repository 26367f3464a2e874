package settings

import (
	"fmt"
	"slices"
	"strings"

	"angler/store/config"
	"angler/store/secrets"
)

// This file masks and restores the settings of single hosts, [host."…"].

// hostRows returns the rows of the hosts with masked secrets.
func hostRows(s *config.Settings) []config.Row {
	rows := s.HostRows()
	for i := range rows {
		if _, name, ok := config.SplitHostKey(rows[i].Key); ok {
			rows[i].Value = maskHost(name, rows[i].Value)
		}
	}
	return rows
}

// maskHost masks the secrets in a host's setting: values of headers and login fields, and a proxy's password. Names
// and sources of values stay.
func maskHost(name, value string) string {
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

// unmaskHost restores the values masked by maskHost, each from the first settings that have it.
func unmaskHost(known []*config.Settings, key, value string) string {
	host, name, ok := config.SplitHostKey(key)
	if !ok {
		return value
	}
	var was func(h config.Host) []string
	switch name {
	case "proxy":
		return unmaskProxy(known, value, func(s *config.Settings) string { return s.Host[host].Proxy })
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

// unmaskProxy restores a proxy's password from the first settings with the same masked address.
func unmaskProxy(known []*config.Settings, value string, proxy func(*config.Settings) string) string {
	for _, s := range known {
		if p := proxy(s); strings.TrimSpace(value) == secrets.RedactAddress(p) {
			return p
		}
	}
	return value
}

// unprefixed removes the path of a host's setting from an error text.
func unprefixed(key, text string) string {
	if host, name, ok := config.SplitHostKey(key); ok {
		return strings.TrimPrefix(strings.TrimPrefix(text, config.Name+": "+config.HostsKey+": "),
			fmt.Sprintf("%q: %s: ", host, name))
	}
	return text
}
