package config

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// This file is about tables whose names have parts in quotes, as [host."www.x.cn"].

// addTable adds an empty table at the end of a document, unless it is there.
func addTable(doc []byte, table string) []byte {
	if _, _, _, end := find(doc, strings.Join(parts(table), sep), ""); end >= 0 {
		return doc
	}
	if len(bytes.TrimSpace(doc)) == 0 {
		return fmt.Appendf(nil, "[%s]\n", table)
	}
	return fmt.Appendf(bytes.TrimRight(doc, "\n"), "\n\n[%s]\n", table)
}

// removeTable takes a table out of a document: its head, what stands in it, and the
// tables below it. Comments above its head stay.
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

// eachTable visits the heads of tables: their names and where their lines begin.
func eachTable(doc []byte, f func(name string, at int) bool) {
	for l := range lines(doc) {
		if l.head && !f(tableOf(l.text), l.at) {
			return
		}
	}
}

// line is a line of a document with what it says: the head of a table, or a key and its
// value, which may take more lines.
type line struct {
	at, next int    // where it begins, and what follows it and its value
	text     string // of its first line, without white space around
	head     bool   // of a table, or of a row of tables
	from, to int    // where its value stands; 0 = it has none
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

// lineEnd is where the line behind a byte begins.
func lineEnd(doc []byte, at int) int {
	if i := bytes.IndexByte(doc[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(doc)
}

// sep joins the parts of a table's name, of which any may hold a dot.
const sep = "\x00"

// tableOf is the name of the table whose head stands in a line.
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

// parts takes a dotted key apart; parts in quotes may hold dots.
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
