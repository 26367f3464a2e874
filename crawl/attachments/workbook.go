package attachments

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// Bounds of a workbook. excelize keeps all shared strings and one row of cells in memory.
const (
	maxCells    = 200_000  // cells with a value
	maxPart     = 64 << 20 // bytes of a sheet or of the shared strings
	maxStrings  = 1 << 18  // shared strings
	maxElements = 1 << 20  // elements of all shared strings
	maxRow      = 400_000  // elements of a row
	maxCell     = 100_000  // bytes of a cell; Excel allows 32,767 characters
	escapeCost  = 64       // bytes charged for an escape _xHHHH_: excelize copies the text at each
	maxTabs     = 64       // columns that keep their distance
)

// The only sheet of workbook.book, and the parts that excelize reads.
const (
	onlySheet   = "Sheet1"
	sheetPart   = "xl/worksheets/sheet1.xml"
	stringsPart = "xl/sharedStrings.xml"
)

// workbook reads an XLSX file with excelize. It unzips the parts within the job's bounds and loads
// one sheet at a time into an empty workbook of excelize. excelize.OpenReader would unpack all
// parts at once and reject sheet names of more than 31 letters.
type workbook struct {
	*job
	book    *excelize.File
	strings int // number of shared strings
	longest int // bytes of the longest shared string
	cells   int

	since1904 bool // dates count from 1904-01-01
}

// workbook writes a line per row, cells separated by tabs. Numbers stay as stored, dates are
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
	w := &workbook{job: j, book: excelize.NewFile()}
	defer w.book.Close()
	w.book.Sheet.Delete(sheetPart) // or Rows would write this empty sheet over the loaded one
	sheets, err := w.sheets(by)
	if err == nil {
		err = w.styles(by["xl/styles.xml"])
	}
	if err == nil {
		err = w.load(by[stringsPart], stringsPart)
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
	if t.Cut == "" {
		t.Cut = broken
	}
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

// dayMark prefixes a date's number, so that cellText can tell it from other numbers.
const dayMark = "\ue000"

// styles gives excelize two number formats: one marks dates, the other keeps the stored digits.
// excelize's own date formats take about 60 µs per cell.
func (w *workbook) styles(f *zip.File) error {
	days := map[string]bool{}
	for _, r := range [][2]int{{14, 17}, {22, 22}, {27, 31}, {34, 36}, {50, 54}, {57, 58}} {
		for i := r[0]; i <= r[1]; i++ {
			days[strconv.Itoa(i)] = true
		}
	}
	format, noFormat := `"`+dayMark+`"0.0000000;"`+dayMark+`"-0.0000000`, -1
	id, err := w.book.NewStyle(&excelize.Style{CustomNumFmt: &format})
	if err != nil {
		return err
	}
	all := w.book.Styles.CellXfs
	day := all.Xf[id]
	plain := day
	plain.NumFmtID = &noFormat
	all.Xf = nil
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
			switch {
			case !in || len(all.Xf) >= 1<<16:
			case days[attr(e, "numFmtId")]:
				all.Xf = append(all.Xf, day)
			default:
				all.Xf = append(all.Xf, plain)
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

// load unzips a part for excelize, up to the first broken bound or damage.
func (w *workbook) load(f *zip.File, name string) error {
	w.book.Pkg.Delete(name)
	if f == nil {
		return nil
	}
	r, err := w.part(f)
	if err != nil {
		return err
	}
	defer r.Close()
	most := min(maxRow, w.lim.Memory/(w.longest+256)) // each cell of a row may hold the longest string
	if name == stringsPart {
		most = maxElements
	}
	var b bytes.Buffer
	elements, size, inCell := 0, 0, false
	var kept []byte          // bytes for excelize, up to offset taken
	var taken, skipped int64 // skipped is the start of skipped formatting; 0 = none
	whole, end := 0, ""      // length of kept before the last shared string, and the closing tag of the table
	keep := func(to int64) {
		if kept == nil {
			kept = b.Bytes()[taken:to:to]
		} else {
			kept = append(kept, b.Bytes()[taken:to]...)
		}
		taken = to
	}
	w.strict = true // excelize reads strictly
	err = w.elements(io.TeeReader(io.LimitReader(r, maxPart), &b), func(e xml.StartElement) {
		if skipped > 0 {
			return
		}
		switch e.Name.Local {
		case "rPr", "rPh":
			skipped = w.offset
		case "row":
			blankName(b.Bytes()[w.offset:])
		case "c":
			if _, _, err := excelize.CellNameToCoordinates(attr(e, "r")); err != nil {
				blankName(b.Bytes()[w.offset:])
			}
			size, inCell = 0, true
		case "sst":
			end = "</sst>"
			if e.Name.Space != "" {
				end = "</" + e.Name.Space + ":sst>"
			}
		case "si":
			keep(w.offset)
			if !inCell {
				whole = len(kept)
			}
			size, inCell = 0, true
		}
		if elements++; elements > most {
			w.cutAt("%d elements of a row or of the shared texts", most)
		}
	}, func(s string) {
		if skipped > 0 {
			return
		}
		if size += len(s) + escapeCost*strings.Count(s, "_x"); inCell && size > maxCell {
			w.cutAt("%d bytes of a cell", maxCell)
		}
	}, func(name string) {
		switch name {
		case "rPr", "rPh":
			if skipped > 0 {
				keep(skipped)
				taken = w.offset + endTag(b.Bytes()[w.offset:], name)
			}
			skipped = 0
		case "row":
			elements = 0
		case "c":
			inCell = false
		case "si":
			inCell = false
			w.longest = max(w.longest, size)
			if w.strings++; w.strings > maxStrings {
				w.cutAt("%d texts", maxStrings)
			}
		}
	})
	w.strict = false
	if b.Len() == maxPart {
		w.cut = fmt.Sprintf("%d MB of a sheet", maxPart>>20)
	}
	switch {
	case w.cut == "":
		keep(int64(b.Len()))
	case name != stringsPart:
		keep(max(taken, w.offset))
	case whole > 0: // excelize reads no string of a truncated table
		kept = append(kept[:whole], end...)
	default:
		kept = nil
	}
	w.book.Pkg.Store(name, kept)
	return err
}

// named matches the name of a row or a cell in its tag.
var named = regexp.MustCompile(`\sr\s*=\s*("[^"]*"|'[^']*')`)

// blankName removes the name from the tag at the start of a text. excelize counts rows and cells
// without a name. It would join rows that are out of order, and drop a row at a bad name.
func blankName(tag []byte) {
	end := bytes.IndexByte(tag, '>')
	if at := named.FindIndex(tag[:max(0, end)]); at != nil {
		copy(tag[at[0]:at[1]], bytes.Repeat([]byte(" "), at[1]-at[0]))
	}
}

// endTag returns the length of name's end tag at the start of a text; 0 if there is none.
func endTag(text []byte, name string) int64 {
	tag, _, _ := bytes.Cut(text, []byte(">"))
	if !bytes.HasPrefix(tag, []byte("</")) || !bytes.HasSuffix(bytes.TrimSpace(tag), []byte(name)) {
		return 0 // <rPr/>
	}
	return int64(len(tag)) + 1
}

// sheet writes the rows of one sheet.
func (w *workbook) sheet(f *zip.File) error {
	if err := w.load(f, sheetPart); err != nil || f == nil {
		return err
	}
	cut := w.cut
	w.cut = "" // the rows before the cut are read
	rows, err := w.book.Rows(onlySheet)
	if err != nil {
		return fmt.Errorf("%w: %v", errDamaged, err)
	}
	for rows.Next() && !w.full() {
		if err := w.checkTime(); err != nil {
			return err
		}
		cells, err := rows.Columns()
		if err != nil {
			w.cutAt("%v", err)
		}
		w.row(cells)
	}
	if err := rows.Close(); err != nil {
		w.cutAt("%v", err)
	}
	if cut != "" {
		w.cutAt("%s", cut)
	}
	return nil
}

// row writes the cells of one row that have a value. Columns far to the right lose their distance,
// so that a small file gives no long line.
func (w *workbook) row(cells []string) {
	w.cells += len(cells) / 256 // reading empty cells takes time, too
	column := -1
	for i, s := range cells {
		s = w.cellText(s)
		if s == "" {
			continue
		}
		if w.cells++; w.cells > maxCells {
			w.cutAt("%d cells", maxCells)
			break
		}
		tabs := min(i, maxTabs) - max(0, min(column, maxTabs))
		if column >= 0 {
			tabs = max(tabs, 1)
		}
		column = i
		w.put(strings.Repeat("\t", tabs))
		w.put(strings.Join(strings.Fields(s), " "))
	}
	if column >= 0 {
		w.put("\n")
	}
}

// cellText returns a cell's text: a date without the time at midnight, "" for an error.
func (w *workbook) cellText(s string) string {
	if number, ok := strings.CutPrefix(s, dayMark); ok {
		x, wrong := strconv.ParseFloat(number, 64)
		at, err := excelize.ExcelDateToTime(x, w.since1904)
		switch {
		case wrong != nil:
			return number
		case err != nil, x < 1, x >= 2958466:
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strings.TrimSuffix(at.Round(time.Second).Format("2006-01-02 15:04"), " 00:00")
	}
	switch s {
	case "#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!":
		return ""
	}
	return s
}
