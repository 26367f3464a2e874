// Package tomledit changes single values of a TOML document and leaves the rest of
// it, people's comments and layout included, as it is, and reads durations with or
// without a unit. Its functions are pure.
package tomledit

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Edit replaces the value of key in a TOML document, or adds it to its
// table. Comments and layout around it stay.
func Edit(doc []byte, key, lit string) []byte {
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

// List writes a list of texts as TOML, a line each; value is a list as it is typed.
func List(value string) (string, error) {
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
		b.WriteString("\n  " + Quote(s) + ",")
	}
	if len(doc.L) > 0 {
		b.WriteString("\n")
	}
	return b.String() + "]", nil
}

// Quote writes a string as TOML; go-toml chooses the quotes.
func Quote(s string) string {
	b, err := toml.Marshal(map[string]string{"v": s})
	if err != nil {
		return strconv.Quote(s) // invalid UTF-8; decoding it will say so
	}
	return strings.TrimSpace(strings.TrimPrefix(string(b), "v ="))
}
