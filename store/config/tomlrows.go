package config

import (
	"bytes"
	"strings"
)

// This file changes the rows of an array of tables: [[notify]], [[notify]] …

// rowSpan locates a row of a document: its header line, then its keys.
type rowSpan struct{ from, body, to int }

// rowsOf finds the rows of an array of tables. Lines between the last key of a row and the next
// header belong to the next header.
func rowsOf(doc []byte, table string) []rowSpan {
	var out []rowSpan
	open := false
	for l := range lines(doc) {
		switch {
		case l.head:
			head, _, _ := strings.Cut(strings.TrimLeft(l.text, "[ \t"), "]")
			if open = strings.HasPrefix(l.text, "[[") && strings.TrimSpace(head) == table; open {
				out = append(out, rowSpan{l.at, l.next, l.next})
			}
		case open:
			out[len(out)-1].to = l.next
		}
	}
	return out
}

// editRow replaces or adds the value of a key in row number row, counted from 0. Comments and
// layout stay; a document without that row is unchanged.
func editRow(doc []byte, table string, row int, key, lit string) []byte {
	return inRow(doc, table, row, func(keys []byte) []byte { return edit(keys, key, lit) })
}

// removeRowKey deletes a key of a row.
func removeRowKey(doc []byte, table string, row int, key string) []byte {
	return inRow(doc, table, row, func(keys []byte) []byte { return remove(keys, key) })
}

func inRow(doc []byte, table string, row int, change func([]byte) []byte) []byte {
	rows := rowsOf(doc, table)
	if row >= len(rows) {
		return doc
	}
	r := rows[row]
	head := doc[:r.body]
	if r.body > 0 && doc[r.body-1] != '\n' { // last line of the document
		head = append(bytes.Clone(head), '\n')
	}
	return bytes.Join([][]byte{head, change(bytes.Clone(doc[r.body:r.to])), doc[r.to:]}, nil)
}

// removeRow deletes a row of a document with the comments among its keys.
func removeRow(doc []byte, table string, row int) []byte {
	rows := rowsOf(doc, table)
	if row >= len(rows) {
		return doc
	}
	return bytes.Join([][]byte{doc[:rows[row].from], bytes.TrimLeft(doc[rows[row].to:], "\r\n")}, nil)
}

// addRow adds a row after the last one, or at the end; keys are lines "key = value".
func addRow(doc []byte, table, keys string) []byte {
	at := len(doc)
	if rows := rowsOf(doc, table); len(rows) > 0 {
		at = rows[len(rows)-1].to
	}
	head := bytes.TrimRight(doc[:at], "\r\n")
	rest := doc[at:]
	text := "[[" + table + "]]\n" + strings.TrimRight(keys, "\n") + "\n"
	if len(head) > 0 {
		text = "\n\n" + text
	}
	return bytes.Join([][]byte{head, []byte(text), rest}, nil)
}
