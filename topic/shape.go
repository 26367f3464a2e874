package topic

import (
	"strings"
	"unicode/utf8"
)

// This file reduces a URL to its shape, a feature of the learner. A shape is the host, the first
// two directories as they are (a site's columns), deeper ones with every run of digits as one '#',
// and the names of the query. info/1023/ holds a thousand pages of one shape, so a page costs an
// index four bytes and a site has few shapes. A shape takes about a microsecond and at most 256
// bytes, whatever the URL.

const (
	rawDirectories = 2
	maxShapeBytes  = 256
	maxSegment     = 20 // runes; longer segments are titles, hashes and keys
	maxSuffix      = 6  // bytes of .html and similar
	maxParameters  = 4
	longSegment    = "LONG"
)

// URLShape returns the shape of an absolute URL; "" for none.
func URLShape(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	url, _, _ = strings.Cut(url, "#")
	path, query, _ := strings.Cut(url, "?")
	var sb strings.Builder
	for i, last := 0, false; !last; i++ {
		var segment string
		var more bool
		segment, path, more = strings.Cut(path, "/")
		last = !more
		segment = strings.ToLower(segment)
		if i > rawDirectories || last && i > 0 {
			segment = mask(segment)
		}
		if i > 0 {
			sb.WriteByte('/')
		}
		if i > 0 {
			segment = short(segment)
		}
		sb.WriteString(segment)
		if sb.Len() > maxShapeBytes {
			// A host this long is an attack, a path this long a trap.
			return sb.String()[:maxShapeBytes-len(longSegment)] + longSegment
		}
	}
	for n := 0; query != "" && n < maxParameters; n++ {
		var parameter string
		parameter, query, _ = strings.Cut(query, "&")
		name, _, _ := strings.Cut(parameter, "=")
		sb.WriteByte("?&"[min(n, 1)])
		sb.WriteString(short(mask(strings.ToLower(name))))
	}
	return sb.String()
}

// short replaces a segment that is too long to be useful; a file keeps its suffix.
func short(segment string) string {
	if len(segment) <= maxSegment || utf8.RuneCountInString(segment) <= maxSegment {
		return segment
	}
	if dot := strings.LastIndexByte(segment, '.'); dot >= 0 && len(segment)-dot <= maxSuffix {
		return longSegment + segment[dot:]
	}
	return longSegment
}

// mask writes every run of digits as one '#'.
func mask(s string) string {
	at := strings.IndexAny(s, "0123456789")
	if at < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:at]...)
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case c < '0' || c > '9':
			b = append(b, c)
		case len(b) == 0 || b[len(b)-1] != '#':
			b = append(b, '#')
		}
	}
	return string(b)
}

// shapeTokens returns the tokens of a shape. They are the host, each directory prefix with digits
// masked (the first two also raw), the names of the directories and of the file, the names of
// parameters, and the number of segments. Directories and files share their names, because sites
// differ in which of the two a column is: zbgg.htm, zbgg/1.htm and zbgg/list.htm are all the list
// zbgg. A file without a name, the 1260.htm of a notice, is its own token.
func shapeTokens(shape string) []string {
	if shape == "" {
		return nil
	}
	path, query, _ := strings.Cut(shape, "?")
	parts := strings.Split(path, "/")
	tokens := append(make([]string, 0, 3*len(parts)+2), "host "+parts[0])
	raw, masked := "", ""
	for i, segment := range parts[1:] {
		m := mask(segment)
		if i == len(parts)-2 {
			if name := stem(m); name != "" {
				tokens = append(tokens, "name "+name)
			} else {
				tokens = append(tokens, "file "+m)
			}
			break
		}
		raw, masked = raw+"/"+segment, masked+"/"+m
		tokens = append(tokens, "path "+masked, "name "+m)
		if i < rawDirectories && raw != masked {
			tokens = append(tokens, "path "+raw)
		}
	}
	for name := range strings.SplitSeq(query, "&") {
		if name != "" {
			tokens = append(tokens, "parameter "+name)
		}
	}
	return append(tokens, "segments "+strings.Repeat("/", min(len(parts)-1, 9)))
}

// stem returns a masked file name without suffix and page number: list for list#.htm, "" for #.htm.
func stem(file string) string {
	if dot := strings.LastIndexByte(file, '.'); dot >= 0 {
		file = file[:dot]
	}
	return strings.TrimRight(file, "#")
}

// shapeColumn returns the column of a shape: its path without the file's suffix and page number.
// All pages of a list are in one column, and so are lists under the same path on several hosts:
// labels of zbgg on one host apply to the others through the shared name.
func shapeColumn(shape string) string {
	path, _, _ := strings.Cut(shape, "?")
	_, path, _ = strings.Cut(path, "/") // the host
	slash := strings.LastIndexByte(path, '/')
	return strings.TrimRight(path[:slash+1]+stem(path[slash+1:]), "/")
}
