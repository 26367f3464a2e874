package attachments

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

// Bounds of a workbook. All shared strings are in memory, and one cell.
const (
	maxCells    = 200_000  // cells with a value
	maxPart     = 64 << 20 // bytes of a sheet or of the shared strings
	maxStrings  = 1 << 18  // shared strings
	maxElements = 1 << 20  // elements of a row or of all shared strings
	maxCell     = 100_000  // bytes of a cell; Excel allows 32,767 characters
	maxTabs     = 64       // columns that keep their distance
)

// workbook reads an XLSX file.
type workbook struct {
	*job
	strings []string // shared
	days    []bool   // by the number of a style: it shows a day
	cells   int

	since1904 bool // dates count from 1904-01-01
}

// workbook writes a line per row, cells separated by tabs. Numbers have at most 15 digits, as in Excel, and dates are
// formatted. A formula gives its last value.
func (j *job) workbook(body []byte) (documentContent, error) {
	z, err := parts(body)
	if err != nil {
		return documentContent{}, err
	}
	by := map[string]*zip.File{}
	for _, f := range z.File {
		by[f.Name] = f
	}
	if by["xl/workbook.xml"] == nil {
		return documentContent{}, fmt.Errorf("%w, or a binary workbook, which is not read", errDamaged)
	}
	w := &workbook{job: j}
	sheets, err := w.sheets(by)
	if err == nil {
		err = w.styles(by["xl/styles.xml"])
	}
	if err == nil {
		err = w.sharedStrings(by["xl/sharedStrings.xml"])
	}
	if err != nil {
		return documentContent{}, err
	}
	broken := j.cut
	j.cut = "" // damaged shared strings do not stop the reading of cells
	for i, s := range sheets {
		if j.full() {
			break
		}
		if i == j.lim.Pages {
			j.cutAt("%d of %d sheets", i, len(sheets))
			break
		}
		if len(sheets) > 1 {
			j.put(s.name + "\n")
		}
		if err := w.sheet(by[s.part]); err != nil {
			return j.text(len(sheets)), err
		}
	}
	t := j.text(len(sheets))
	t.Cut = cmp.Or(t.Cut, broken)
	if t.Text == "" && t.Cut != "" {
		return t, fmt.Errorf("%w: %s", errDamaged, t.Cut)
	}
	return t, nil
}

// each calls elements on a part; nil = a missing part.
func (w *workbook) each(f *zip.File, start func(xml.StartElement), text func(string), end func(string)) error {
	if f == nil {
		return nil
	}
	r, err := w.part(f)
	if err != nil {
		return err
	}
	defer r.Close()
	return w.elements(r, start, text, end)
}

type sheet struct{ name, part string }

// sheets returns the visible sheets with their parts.
func (w *workbook) sheets(by map[string]*zip.File) ([]sheet, error) {
	target := map[string]string{}
	none := func(string) {}
	err := w.each(by["xl/_rels/workbook.xml.rels"], func(e xml.StartElement) {
		if t := attr(e, "Target"); e.Name.Local == "Relationship" && len(target) < 10_000 {
			if !strings.HasPrefix(t, "/") {
				t = "/xl/" + t
			}
			target[attr(e, "Id")] = strings.TrimPrefix(path.Clean(t), "/")
		}
	}, none, none)
	if err != nil {
		return nil, err
	}
	var out []sheet
	err = w.each(by["xl/workbook.xml"], func(e xml.StartElement) {
		switch e.Name.Local {
		case "workbookPr":
			v := attr(e, "date1904")
			w.since1904 = v == "1" || v == "true"
		case "sheet":
			if s := attr(e, "state"); s == "" || s == "visible" {
				id := ""
				for _, a := range e.Attr {
					if a.Name.Local == "id" && a.Name.Space != "" {
						id = a.Value
					}
				}
				if p := target[id]; p != "" && len(out) < 10_000 {
					out = append(out, sheet{attr(e, "name"), p})
				}
			}
		}
	}, none, none)
	return out, err
}

// styles notes which styles of cells show a day.
func (w *workbook) styles(f *zip.File) error {
	days := map[string]bool{}
	for _, r := range [][2]int{{14, 17}, {22, 22}, {27, 31}, {34, 36}, {50, 54}, {57, 58}} {
		for i := r[0]; i <= r[1]; i++ {
			days[strconv.Itoa(i)] = true
		}
	}
	in := false
	return w.each(f, func(e xml.StartElement) {
		switch e.Name.Local {
		case "numFmt":
			if len(days) < 10_000 {
				days[attr(e, "numFmtId")] = dayFormat(attr(e, "formatCode"))
			}
		case "cellXfs":
			in = true
		case "xf":
			if in && len(w.days) < 1<<16 {
				w.days = append(w.days, days[attr(e, "numFmtId")])
			}
		}
	}, func(string) {}, func(name string) { in = in && name != "cellXfs" })
}

// dayFormat reports whether a number format shows a year or a day.
func dayFormat(code string) bool {
	plain, quoted, bracket := make([]byte, 0, len(code)), false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case !quoted && !bracket:
			plain = append(plain, c|0x20)
		}
	}
	return slices.ContainsFunc(plain, func(c byte) bool { return c == 'y' || c == 'd' }) &&
		!strings.Contains(string(plain), "general")
}

// texts calls elements on a part with rows or shared strings, up to its first bound or damage. cell holds the text of the
// present cell or shared string, without the readings of its characters.
func (w *workbook) texts(f *zip.File, cell *strings.Builder, start func(xml.StartElement), end func(string)) error {
	if f == nil {
		return nil
	}
	r, err := w.part(f)
	if err != nil {
		return err
	}
	defer r.Close()
	in := &io.LimitedReader{R: r, N: maxPart}
	elements, inText, readings := 0, false, 0
	w.strict = true
	err = w.elements(in, func(e xml.StartElement) {
		switch e.Name.Local {
		case "row":
			elements = 0
		case "si", "c":
			cell.Reset()
		case "rPh":
			readings++
		}
		if elements++; elements > maxElements {
			w.cutAt("%d elements of a row or of the shared texts", maxElements)
		}
		inText = readings == 0 && (e.Name.Local == "t" || e.Name.Local == "v")
		start(e)
	}, func(s string) {
		if !inText {
			return
		}
		if cell.WriteString(s); cell.Len() > maxCell {
			w.cutAt("%d bytes of a cell", maxCell)
		}
	}, func(name string) {
		if inText = false; name == "rPh" {
			readings--
		}
		end(name)
	})
	w.strict = false
	if in.N == 0 {
		w.cut = fmt.Sprintf("%d MB of a sheet", maxPart>>20)
	}
	return err
}

// sharedStrings reads the texts that cells refer to by their number.
func (w *workbook) sharedStrings(f *zip.File) error {
	var text strings.Builder
	return w.texts(f, &text, func(xml.StartElement) {}, func(name string) {
		if name != "si" || w.full() {
			return
		}
		if w.strings = append(w.strings, unescaped(text.String())); len(w.strings) > maxStrings {
			w.cutAt("%d texts", maxStrings)
		}
	})
}

var escapeForm = regexp.MustCompile(`_x[0-9a-fA-F]{4}_`)

// unescaped replaces the escapes _xHHHH_ of characters by these.
func unescaped(s string) string {
	return escapeForm.ReplaceAllStringFunc(s, func(x string) string {
		n, _ := strconv.ParseUint(x[2:6], 16, 16)
		if utf16.IsSurrogate(rune(n)) {
			return ""
		}
		return string(rune(n))
	})
}

// sheet writes the rows of one sheet. Rows are counted, whatever their numbers, and a cell without a valid name follows
// the one before it. Columns far to the right lose their distance, so that a small file gives no long line.
func (w *workbook) sheet(f *zip.File) error {
	var text strings.Builder
	var cell xml.StartElement
	column, last := 0, -1 // column of the cell, from 1, and of the last one with a text, from 0
	return w.texts(f, &text, func(e xml.StartElement) {
		switch e.Name.Local {
		case "row":
			column, last = 0, -1
		case "c":
			cell = e.Copy()
			column++
			if n, _, err := excelize.CellNameToCoordinates(attr(e, "r")); err == nil {
				column = n
			}
		}
	}, func(name string) {
		switch name {
		case "row":
			if last >= 0 {
				w.put("\n")
			}
		case "c":
			s := strings.Join(strings.Fields(w.value(cell, text.String())), " ")
			if s == "" {
				return
			}
			if w.cells++; w.cells > maxCells {
				w.cutAt("%d cells", maxCells)
				return
			}
			at := max(column-1, last+1)
			tabs := min(at, maxTabs) - max(0, min(last, maxTabs))
			if last >= 0 {
				tabs = max(tabs, 1)
			}
			last = at
			w.put(strings.Repeat("\t", tabs) + s)
		}
	})
}

// value returns what a cell shows for its stored text; "" for an error.
func (w *workbook) value(cell xml.StartElement, s string) string {
	switch attr(cell, "t") {
	case "s":
		if n, _ := strconv.Atoi(strings.TrimSpace(s)); s != "" && n >= 0 && n < len(w.strings) {
			return w.strings[n]
		}
		return ""
	case "inlineStr":
		return unescaped(s)
	case "b":
		return strings.NewReplacer("0", "FALSE", "1", "TRUE").Replace(s)
	case "e":
		return ""
	case "d":
		if at, err := time.Parse("2006-01-02T15:04:05Z", s); err == nil {
			return dayText(at)
		}
		return s
	case "str":
		return s
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	if style, _ := strconv.Atoi(attr(cell, "s")); style > 0 && style < len(w.days) && w.days[style] {
		at, err := excelize.ExcelDateToTime(x, w.since1904)
		if err != nil || x < 1 || x >= 2958466 {
			return strconv.FormatFloat(math.Round(x*1e7)/1e7, 'f', -1, 64)
		}
		return dayText(at)
	}
	out := strconv.FormatFloat(x, 'f', -1, 64)
	long := strings.ContainsAny(s, ".Ee") || len(strings.Trim(s, "+-0")) > 15
	if len(out)-strings.Count(out, ".") > 15 && long {
		return strconv.FormatFloat(x, 'G', 15, 64)
	}
	return out
}

// dayText returns a day, with its time unless that is midnight.
func dayText(t time.Time) string {
	return strings.TrimSuffix(t.Round(time.Second).Format("2006-01-02 15:04"), " 00:00")
}
