package xlsx

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/store/export/table"
)

// appendText writes a text between tags or quotes: what XML forbids is left out,
// what means something to XML or to Excel is escaped, and what exceeds most UTF-16
// units is cut and ends in an ellipsis.
func appendText(b []byte, s string, most int) []byte {
	units, cut := 0, -1 // cut is where an ellipsis has room
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		instead, wide := "", 1
		switch {
		case r == '&':
			instead = "&amp;"
		case r == '<':
			instead = "&lt;"
		case r == '>':
			instead = "&gt;"
		case r == '"':
			instead = "&quot;"
		case r == '\r' && !strings.HasPrefix(s[i+1:], "\n"):
			instead = "\n"
		case r == '_' && escapes(s[i:]): // Excel would take what follows for one character
			instead, wide = "_x005F_", len("_x005F_")
		case r < ' ' && r != '\n' && r != '\t', r == 0xfffe, r == 0xffff, r == 0x7f:
			wide = 0
		case r > 0xffff:
			wide = 2
		}
		if cut < 0 && units+wide > most-1 {
			cut = len(b)
		}
		if units += wide; units > most {
			return append(b[:cut], "…"...)
		}
		switch {
		case instead != "":
			b = append(b, instead...)
		case wide > 0:
			b = utf8.AppendRune(b, r)
		}
		i += n
	}
	return b
}

// escapes reports whether a text begins like Excel's escape of a character, _x0041_.
// LibreOffice takes fewer digits, too.
func escapes(s string) bool {
	if len(s) < 4 || s[1] != 'x' && s[1] != 'X' {
		return false
	}
	n := 0
	for n < 4 && 2+n < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[2+n]) >= 0 {
		n++
	}
	return n > 0 && 2+n < len(s) && s[2+n] == '_'
}

// formula are the characters at which spreadsheets begin to calculate.
const formula = "=+-@＝＋－＠"

// calculates reports whether a spreadsheet would take a text for a formula if
// somebody typed it.
func calculates(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.C) })
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune(formula, first)
}

// linkable is an address as a link has it; false for what is none that Excel takes.
func linkable(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", false
	}
	s = u.String()
	if len(s) > maxLink {
		return "", false
	}
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return "", false
		}
	}
	return s, true
}

// wanted is how wide a value likes to be, in letters.
func wanted(v table.Value) int {
	switch {
	case v.Kind == table.Money:
		return len(v.String()) + 6
	case v.Kind == table.Time && !v.Day:
		return min(19, width(v.Text))
	}
	line, _, _ := strings.Cut(v.String(), "\n")
	return width(line)
}

// width is how wide a text is in letters; those of East Asia count twice.
func width(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
		if n > 100 {
			break
		}
	}
	return n
}

// sheetName is a name that Excel takes: 31 characters, none that it uses itself.
func sheetName(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) || unicode.IsControl(r) || r > 0xffff || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 28 {
		s = string(r[:28]) // there is room for the number of a second sheet
	}
	if s == "" {
		return "angler"
	}
	return s
}
