package sshd

import (
	"flag"
	"slices"
	"strings"
)

// filterOf removes a filter from the words of a command. It may contain spaces: it extends from
// --filter to the next option.
func filterOf(words []string) (others []string, filter string) {
	at := slices.IndexFunc(words, func(w string) bool { return w == "--filter" || strings.HasPrefix(w, "--filter=") })
	if at < 0 {
		return words, ""
	}
	end := at + 1
	for end < len(words) && !strings.HasPrefix(words[end], "--") {
		end++
	}
	said := strings.TrimPrefix(strings.TrimPrefix(strings.Join(words[at:end], " "), "--filter"), "=")
	return slices.Concat(words[:at], words[end:]), unquoted(strings.TrimSpace(said))
}

// unquoted removes the quotation marks of a shell around a whole filter, which ssh passes on. Those
// of phrases stay.
func unquoted(s string) string {
	if len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}

// asked parses options before and after a query, which is the rest. -更正 belongs to the query; -o
// of commands that write files is refused.
func asked(flags *flag.FlagSet, line string) (string, error) {
	var rest []string
	for words := strings.Fields(line); len(words) > 0; {
		if words[0] == "--" { // no options from here on
			rest, words = append(rest, words[1:]...), nil
			break
		}
		if w := words[0]; len(w) == 2 && w[0] == '-' && w[1] < 0x80 { // -o: no files are written on the server
			return "", misused(flags.Name())
		}
		if !strings.HasPrefix(words[0], "--") {
			rest, words = append(rest, words[0]), words[1:]
			continue
		}
		if err := flags.Parse(words[:1+valueOf(flags, words)]); err != nil {
			return "", misused(flags.Name())
		}
		words = words[1+valueOf(flags, words):]
	}
	return unquoted(strings.Join(rest, " ")), nil
}

// valueOf returns 1 if the value of the first option is the next word, else 0.
func valueOf(flags *flag.FlagSet, words []string) int {
	f := flags.Lookup(strings.TrimPrefix(words[0], "--"))
	if f == nil || len(words) == 1 {
		return 0
	}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return 0
	}
	return 1
}
