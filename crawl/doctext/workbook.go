package doctext

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds of a workbook.
const (
	mostCells   = 200_000 // that have a value
	mostStrings = 1 << 20 // of the table that cells share
	mostColumns = 1 << 14
)

// workbook is what the cells of an XLSX file refer to.
type workbook struct {
	*job
	shared []string // texts
	dates  []bool   // by style: whether numbers are days
	since  time.Time
	cells  int
}

// workbook reads an XLSX file sheet by sheet: a line per row, cells separated by tabs.
// Numbers stand as they are stored, days as dates; of a formula stands what it gave
// last.
func (j *job) workbook(body []byte) (Text, error) {
	z, err := parts(body)
	if err != nil {
		return Text{}, err
	}
	w := &workbook{job: j, since: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	by := map[string]*zip.File{}
	for _, f := range z.File {
		by[f.Name] = f
	}
	if by["xl/workbook.xml"] == nil {
		return Text{}, fmt.Errorf("%w, or a binary workbook, which is not read", ErrDamaged)
	}
	sheets, err := w.sheets(by)
	if err == nil {
		err = w.strings(by["xl/sharedStrings.xml"])
	}
	if err == nil {
		err = w.styles(by["xl/styles.xml"])
	}
	if err != nil {
		return Text{}, err
	}
	broken := j.cut
	j.cut = "" // of a damaged table of strings the cells are read all the same
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
	if t.Cut == "" {
		t.Cut = broken
	}
	if t.Text == "" && t.Cut != "" {
		return t, fmt.Errorf("%w: %s", ErrDamaged, t.Cut)
	}
	return t, nil
}

// each calls elements on a part, which may be missing.
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

// sheets lists the visible sheets with the parts that hold them.
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
			if v := attr(e, "date1904"); v == "1" || v == "true" {
				w.since = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
			}
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

// strings reads the texts that cells share; readings of characters are left out.
func (w *workbook) strings(f *zip.File) error {
	var b strings.Builder
	reading, inText := 0, false
	return w.each(f, func(e xml.StartElement) {
		switch e.Name.Local {
		case "si":
			b.Reset()
		case "rPh":
			reading++
		case "t":
			inText = reading == 0
		}
	}, func(s string) {
		if inText {
			b.WriteString(s)
		}
	}, func(name string) {
		switch name {
		case "t":
			inText = false
		case "rPh":
			reading--
		case "si":
			if len(w.shared) >= mostStrings {
				w.cutAt("%d texts", mostStrings)
				return
			}
			w.shared = append(w.shared, b.String())
		}
	})
}

// styles finds out which styles show numbers as days.
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
			if in && len(w.dates) < 1<<16 {
				w.dates = append(w.dates, days[attr(e, "numFmtId")])
			}
		}
	}, func(string) {}, func(name string) { in = in && name != "cellXfs" })
}

// dayFormat tells whether a number format shows a year or a day.
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
	return slices.ContainsFunc(plain, func(c byte) bool { return c == 'y' || c == 'd' }) && !strings.Contains(string(plain), "general")
}

// sheet writes the rows of one sheet.
func (w *workbook) sheet(f *zip.File) error {
	var row, value strings.Builder
	kind, style, column, want := "", 0, 0, 0
	inValue, inInline := false, false
	return w.each(f, func(e xml.StartElement) {
		switch e.Name.Local {
		case "row":
			row.Reset()
			column = 0
		case "c":
			value.Reset()
			kind = attr(e, "t")
			style, _ = strconv.Atoi(attr(e, "s"))
			if want = columnOf(attr(e, "r")); want < 0 {
				want = column
			}
		case "v":
			inValue = true
		case "t":
			inInline = true
		}
	}, func(s string) {
		if (inValue || inInline) && value.Len() < w.lim.Letters {
			value.WriteString(s)
		}
	}, func(name string) {
		switch name {
		case "v":
			inValue = false
		case "t":
			inInline = false
		case "c":
			s := w.shown(kind, style, value.String())
			if s == "" {
				return
			}
			if w.cells++; w.cells > mostCells {
				w.cutAt("%d cells", mostCells)
			}
			for ; column < want && column < 64; column++ { // a table is not that wide: what stands far out is put close
				row.WriteByte('\t')
			}
			column = max(column, want)
			row.WriteString(strings.Join(strings.Fields(s), " "))
		case "row":
			if row.Len() > 0 {
				w.put(row.String())
				w.put("\n")
			}
		}
	})
}

// columnOf is the column of a cell's name, 0 for A; -1 when it has none.
func columnOf(name string) int {
	n := 0
	for i := 0; i < len(name) && name[i] >= 'A' && name[i] <= 'Z'; i++ {
		if n = n*26 + int(name[i]-'A') + 1; n > mostColumns {
			return -1
		}
	}
	return n - 1
}

// shown is a cell's value as text.
func (w *workbook) shown(kind string, style int, v string) string {
	switch kind {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && i >= 0 && i < len(w.shared) {
			return w.shared[i]
		}
		return ""
	case "str", "inlineStr":
		return v
	case "d":
		return v
	case "b":
		if v == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "e":
		return ""
	}
	x, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return v
	}
	if style >= 0 && style < len(w.dates) && w.dates[style] && x >= 1 && x < 2958466 {
		at := w.since.Add(time.Duration(math.Round(x*86400)) * time.Second)
		if at.Hour() == 0 && at.Minute() == 0 {
			return at.Format(time.DateOnly)
		}
		return at.Format("2006-01-02 15:04")
	}
	if len(v) > 15 && math.Abs(x) < 1e15 { // Excel shows 15 digits: 0.30000000000000004 is 0.3
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64); err == nil {
			return strconv.FormatFloat(y, 'f', -1, 64)
		}
	}
	return v
}
