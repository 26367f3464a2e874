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

// parseWords parses the options among words and returns the other words; ok is false for a wrong
// option. -更正 belongs to a query; -o of commands that write files is refused.
func parseWords(flags *flag.FlagSet, words []string) (rest []string, ok bool) {
	for len(words) > 0 {
		switch w := words[0]; {
		case w == "--": // no options from here on
			return append(rest, words[1:]...), true
		case len(w) == 2 && w[0] == '-' && w[1] < 0x80: // -o: no files are written on the server
			return nil, false
		case !strings.HasPrefix(w, "--"):
			rest, words = append(rest, w), words[1:]
		default:
			n := 1 + valueOf(flags, words)
			if flags.Parse(words[:n]) != nil {
				return nil, false
			}
			words = words[n:]
		}
	}
	return rest, true
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
