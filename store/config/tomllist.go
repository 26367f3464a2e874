package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// editList makes the list of texts that key holds one of items: what is gone is taken
// out with its line, what is new is added at the end, and everything else stays as it is,
// comments within the list too. It reports whether it could: the list must be there, hold
// texts alone, and have what stays in the same order.
func editList(doc []byte, key string, items []string) ([]byte, bool) {
	table, _, name := parted(key)
	line, from, to, _ := find(doc, table, name)
	if line < 0 {
		return doc, false
	}
	from += len(doc[from:to]) - len(bytes.TrimLeft(doc[from:to], " \t"))
	old, ok := elements(doc, from, to)
	if !ok {
		return doc, false
	}
	stay := make([]bool, len(old))
	n := 0 // of items that stay
	for i, e := range old {
		if stay[i] = n < len(items) && e.value == items[n]; stay[i] {
			n++
		}
	}
	for _, item := range items[n:] {
		if slices.ContainsFunc(old, func(e element) bool { return e.value == item }) {
			return doc, false // it would move
		}
	}
	var out bytes.Buffer
	at, last := from, -1
	for i, e := range old {
		if stay[i] {
			last = i
			continue
		}
		begin, end := lineOf(doc, e, old, i)
		if begin < at {
			begin = at
		}
		out.Write(doc[at:begin])
		at = max(at, end)
	}
	out.Write(doc[at : to-1]) // the bracket apart
	list := out.Bytes()
	if len(items) > n {
		if last >= 0 && !old[last].comma {
			i := bytes.LastIndex(list, doc[old[last].from:old[last].to]) + old[last].to - old[last].from
			list = slices.Concat(list[:i], []byte(","), list[i:])
		}
		list = bytes.TrimRight(list, " \t")
		if !bytes.HasSuffix(list, []byte("\n")) {
			list = append(list, '\n')
		}
		for _, item := range items[n:] {
			list = append(list, "  "+quote(item)+",\n"...)
		}
	}
	return slices.Concat(doc[:from], list, doc[to-1:]), true
}

// element is a text of a list: where it stands, and whether a comma follows it.
type element struct {
	from, to int
	after    int // behind its comma
	comma    bool
	value    string
}

// elements are the texts of the list that doc[from:to] is.
func elements(doc []byte, from, to int) (out []element, ok bool) {
	if to-from < 2 || doc[from] != '[' || doc[to-1] != ']' {
		return nil, false
	}
	for i := from + 1; i < to-1; {
		switch c := doc[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '#':
			for i < to-1 && doc[i] != '\n' {
				i++
			}
		case ',':
			if len(out) == 0 || out[len(out)-1].comma {
				return nil, false
			}
			i++
			out[len(out)-1].comma, out[len(out)-1].after = true, i
		case '"', '\'':
			end := i + 1
			for end < to-1 && doc[end] != c && doc[end] != '\n' {
				if c == '"' && doc[end] == '\\' {
					end++
				}
				end++
			}
			if end >= to-1 || doc[end] != c {
				return nil, false
			}
			end++
			var v struct{ X string }
			if toml.Unmarshal([]byte("X = "+string(doc[i:end])), &v) != nil {
				return nil, false
			}
			out = append(out, element{from: i, to: end, after: end, value: v.X})
			i = end
		default:
			return nil, false
		}
	}
	return out, true
}

// lineOf is what goes with an element: its line with what is said of it there, when it
// stands alone on it.
func lineOf(doc []byte, e element, all []element, i int) (from, to int) {
	from, to = e.from, e.after
	begin := bytes.LastIndexByte(doc[:from], '\n') + 1
	end := len(doc)
	if n := bytes.IndexByte(doc[to:], '\n'); n >= 0 {
		end = to + n + 1
	}
	alone := strings.TrimSpace(string(doc[begin:from])) == ""
	rest := strings.TrimSpace(string(doc[to:end]))
	if alone && (rest == "" || rest[0] == '#') && (i+1 >= len(all) || all[i+1].from >= end) {
		return begin, end
	}
	return from, to
}
