package config

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// This file changes single values of a TOML document. The rest of the document, including comments
// and layout, stays. Its functions are pure.

// edit replaces the value of key in a TOML document, or adds it to its
// table. Comments and layout around it stay.
func edit(doc []byte, key, lit string) []byte {
	table, head, name := parted(key)
	line, from, to, end := find(doc, table, name)
	if line >= 0 {
		return bytes.Join([][]byte{doc[:from], []byte(" " + lit), doc[to:]}, nil)
	}
	if end < 0 {
		return fmt.Appendf(bytes.TrimRight(doc, "\n"), "\n\n[%s]\n%s = %s\n", head, name, lit)
	}
	new := fmt.Appendf(nil, "%s = %s\n", name, lit)
	if end > 0 && doc[end-1] != '\n' {
		new = append([]byte("\n"), new...)
	}
	return bytes.Join([][]byte{doc[:end], new, doc[end:]}, nil)
}

// remove deletes key from a TOML document, and the comment after its value.
func remove(doc []byte, key string) []byte {
	table, _, name := parted(key)
	line, _, to, _ := find(doc, table, name)
	if line < 0 {
		return doc
	}
	return bytes.Join([][]byte{doc[:line], doc[lineEnd(doc, to):]}, nil)
}

// parted splits a key into its table as find knows it, the head of the table, and the name in it.
func parted(key string) (table, head, name string) {
	parts := parts(key)
	last := len(parts) - 1
	head = strings.TrimSpace(key)
	if name = parts[last]; last == 0 {
		return "", "", name
	}
	head = strings.TrimSuffix(strings.TrimSuffix(head, name), ".") // names of settings have no quotes
	return strings.Join(parts[:last], sep), head, name
}

// find returns the start of a key's line and the range of its value. Without the key, line is -1
// and end is where it would be inserted; -1 means that the table is missing.
func find(doc []byte, table, name string) (line, from, to, end int) {
	in := ""
	end = -1
	if table == "" {
		end = 0
	}
	for l := range lines(doc) {
		if l.head {
			in = tableOf(l.text)
		}
		if in != table || !l.head && l.from == 0 { // not a key
			continue
		}
		if k, _, _ := strings.Cut(l.text, "="); !l.head && strings.Trim(k, " \t\"'") == name {
			return l.at, l.from, l.to, end
		}
		end = l.next
	}
	return -1, 0, 0, end
}

// valueEnd returns the end of the value that begins at from, before white space and comment.
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

// list writes a list of texts as TOML, one a line; value is a list as typed.
func list(value string) (string, error) {
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
		b.WriteString("\n  " + quote(s) + ",")
	}
	if len(doc.L) > 0 {
		b.WriteString("\n")
	}
	return b.String() + "]", nil
}

// quote writes a string as TOML; go-toml chooses the quotes.
func quote(s string) string {
	b, err := toml.Marshal(map[string]string{"v": s})
	if err != nil {
		return strconv.Quote(s) // invalid UTF-8; the decoder reports it
	}
	return strings.TrimSpace(strings.TrimPrefix(string(b), "v ="))
}
