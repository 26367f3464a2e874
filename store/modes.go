package store

import (
	"angler/store/config"
	"angler/store/modes"
	"angler/store/secrets"
)

// Exposed lists, one a line, the files of a workspace that other users of the machine can read or
// write but should not.
func Exposed(dir string) []string {
	rules := []modes.Rule{
		{Name: HostKeyName, Not: 0o077, Why: "holds the server's private key and can be read by others: chmod 600 it, and make another if others saw it"},
		{Name: CookieKeyName, Not: 0o077, Why: "opens the cookies of the workspace, logins among them, and can be read by others: chmod 600 it"},
		{Name: KeysName, Not: 0o022, Why: "says who may log in and can be written by others: chmod 600 it"},
		{Name: config.Name, Not: 0o022, Why: "says where to crawl and can be written by others: chmod 600 it"},
		{Name: databaseFile, Not: 0o022, Why: "can be written by others: chmod 600 it"},
		{Name: databaseFile, Not: 0o004, Why: "can be read by everybody: chmod 600 it, or chmod 700 the folder, if the pages are not for everybody"},
	}
	if set, err := config.Read(dir); err == nil && (secrets.RedactAddress(set.Crawl.Proxy) != set.Crawl.Proxy ||
		config.HoldsSecrets(&set)) {
		rules = append(rules, modes.Rule{Name: config.Name, Not: 0o044,
			Why: "holds the password of a proxy, or headers and fields of a login, and can be read by others: chmod 600 it"})
	}
	return modes.Exposed(dir, rules)
}
