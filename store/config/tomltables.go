package config

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// This file handles tables whose names have quoted parts, as [host."www.x.cn"].

// addTable appends an empty table to a document, unless it exists.
func addTable(doc []byte, table string) []byte {
	if _, _, _, end := find(doc, strings.Join(parts(table), sep), ""); end >= 0 {
		return doc
	}
	if len(bytes.TrimSpace(doc)) == 0 {
		return fmt.Appendf(nil, "[%s]\n", table)
	}
	return fmt.Appendf(bytes.TrimRight(doc, "\n"), "\n\n[%s]\n", table)
}

// removeTable deletes a table of a document: its head, its content, and its sub-tables. Comments
// above its head stay.
func removeTable(doc []byte, table string) []byte {
	gone := strings.Join(parts(table), sep)
	for {
		from, to := -1, len(doc)
		eachTable(doc, func(name string, at int) bool {
			if from >= 0 {
				to = at
				return false
			}
			if name == gone || strings.HasPrefix(name, gone+sep) {
				from = at
			}
			return true
		})
		if from < 0 {
			return doc
		}
		doc = bytes.Join([][]byte{doc[:from], doc[to:]}, nil)
	}
}

// eachTable calls f with the name and the line start of each table head.
func eachTable(doc []byte, f func(name string, at int) bool) {
	for l := range lines(doc) {
		if l.head && !f(tableOf(l.text), l.at) {
			return
		}
	}
}

// line is a line of a document: the head of a table, or a key with its value, which may take
// several lines.
type line struct {
	at, next int    // its start, and the end of its value
	text     string // of its first line, trimmed
	head     bool   // of a table, or of a row of tables
	from, to int    // range of its value; 0: no value
}

// lines yields the lines of a document that are neither empty nor comments.
func lines(doc []byte) iter.Seq[line] {
	return func(yield func(line) bool) {
		for at := 0; at < len(doc); {
			row := doc[at:]
			if i := bytes.IndexByte(row, '\n'); i >= 0 {
				row = row[:i+1]
			}
			l := line{at: at, next: at + len(row), text: strings.TrimSpace(string(row))}
			at = l.next
			if l.text == "" || l.text[0] == '#' {
				continue
			}
			if l.head = l.text[0] == '['; !l.head {
				if i := bytes.IndexByte(row, '='); i >= 0 {
					l.from = l.at + i + 1
					l.to = valueEnd(doc, l.from)
					l.next = lineEnd(doc, l.to)
				}
			}
			if at = l.next; !yield(l) {
				return
			}
		}
	}
}

// lineEnd returns the start of the next line.
func lineEnd(doc []byte, at int) int {
	if i := bytes.IndexByte(doc[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(doc)
}

// sep joins the parts of a table's name; a part may contain a dot.
const sep = "\x00"

// tableOf returns the name of the table whose head is in a line.
func tableOf(line string) string {
	var quote byte
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ']':
			return strings.Join(parts(strings.Trim(line[:i], "[ \t")), sep)
		}
	}
	return strings.Join(parts(strings.Trim(line, "[ \t")), sep)
}

// parts splits a dotted key; quoted parts may contain dots.
func parts(key string) (parts []string) {
	for key = strings.TrimSpace(key); ; {
		var part string
		if key != "" && (key[0] == '"' || key[0] == '\'') {
			end := 1
			for end < len(key) && key[end] != key[0] {
				if key[0] == '"' && key[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(key))
			part = key[:end]
			var doc struct{ V string }
			if toml.Unmarshal([]byte("V = "+part), &doc) == nil {
				part = doc.V
			}
			key = strings.TrimSpace(key[end:])
			parts = append(parts, part)
			if !strings.HasPrefix(key, ".") {
				return parts
			}
			key = strings.TrimSpace(key[1:])
			continue
		}
		var more bool
		part, key, more = strings.Cut(key, ".")
		parts = append(parts, strings.TrimSpace(part))
		if !more {
			return parts
		}
		key = strings.TrimSpace(key)
	}
}
