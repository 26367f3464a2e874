package i18n

import (
	"strconv"
	"strings"
)

// Terms translates why a URL has its place in the frontier: its source, its failure, and the terms
// of its order with their values, "boosted, anchor .80 parent .61". The values stay.
func (l *Lang) Terms(why string) string {
	if l == nil || l.cat.Terms == nil {
		return why
	}
	var out, name []string
	for part := range strings.SplitSeq(why, ", ") {
		var terms []string
		for _, word := range strings.Fields(part) {
			_, err := strconv.ParseFloat(word, 64)
			t, known := l.cat.Terms[strings.Join(name, " ")]
			if err != nil || !known {
				name = append(name, word)
				continue
			}
			terms, name = append(terms, t+" "+word), nil
		}
		switch rest := strings.Join(name, " "); {
		case rest == "": // only terms
		case rest == "relevant parent": // its name continues after the comma
			name[1] += ","
			continue
		case l.cat.Terms[rest] != "":
			terms = append(terms, l.cat.Terms[rest])
		default:
			terms = append(terms, l.Line(rest))
		}
		out, name = append(out, strings.Join(terms, " ")), nil
	}
	return strings.Join(out, "，")
}
