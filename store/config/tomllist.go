package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// editList changes the list of texts under key to items. It deletes old elements with their lines,
// appends new ones, and keeps the rest, including comments in the list. It returns false if the
// list is missing, holds other values than texts, or the remaining items change their order.
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
			return doc, false // its place would change
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
	out.Write(doc[at : to-1]) // without the bracket
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

// element is the position of a text in a list, and whether a comma follows it.
type element struct {
	from, to int
	after    int // after its comma
	comma    bool
	value    string
}

// elements returns the texts of the list in doc[from:to].
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

// lineOf returns the range to delete with an element: its line with the comment, if it is alone on
// the line.
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
