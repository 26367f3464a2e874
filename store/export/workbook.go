package export

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Bounds of Excel.
const (
	maxRows  = excelize.TotalRows            // of a sheet, including its head
	maxCell  = excelize.TotalCellChars       // UTF-16 units of a cell
	maxLinks = excelize.TotalSheetHyperlinks // of a sheet
	maxLink  = 2_000                         // bytes of an address
)

// measured is the number of rows that determine the widths of columns.
const measured = 100

// workbook writes a table as an Excel workbook: typed cells, links, a frozen head with a filter,
// and fitting widths. excelize keeps each sheet in a temporary file from 16 MB on. Close writes the
// whole workbook.
//
// Strangers wrote the texts. They become inline strings, which are never calculated. A text that
// looks like a formula is marked, so that it stays a text after an edit.
type workbook struct {
	out     io.Writer
	file    *excelize.File
	name    string
	columns []Column
	first   [][]Value // rows held back until the widths are known
	widths  []int
	begun   bool // the widths are known
	style   struct{ head, text, quoted, link, money, day, minute, second int }

	sheet  *excelize.StreamWriter // the current sheet
	sheets int
	row    int // the last row of the sheet; the head is row 1
	most   int // rows of a sheet
	links  []link
	cells  []any
}

type link struct{ ref, url string }

// newWorkbook starts a workbook; it has one sheet with a name and columns.
func newWorkbook(w io.Writer, name string, columns []Column) (*workbook, error) {
	x := &workbook{out: w, file: excelize.NewFile(), name: sheetName(name), columns: columns, most: maxRows,
		widths: make([]int, len(columns)), cells: make([]any, len(columns))}
	x.file.SetZipWriter(func(w io.Writer) excelize.ZipWriter {
		z := zip.NewWriter(w)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
		return z
	})
	for i, c := range columns {
		x.widths[i] = max(10, width(c.head())+4) // room for the filter's button
	}
	return x, x.styles()
}

func (x *workbook) styles() (err error) {
	style := func(s excelize.Style) int {
		id, wrong := x.file.NewStyle(&s)
		if wrong != nil {
			err = wrong
		}
		return id
	}
	at := func(format string) int { return style(excelize.Style{CustomNumFmt: &format}) }
	const text, money = 49, 4 // built-in formats: @ and #,##0.00
	x.style.text = style(excelize.Style{NumFmt: text})
	x.style.head = style(excelize.Style{NumFmt: text, Font: &excelize.Font{Bold: true},
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7EEF7"}}})
	x.style.link = style(excelize.Style{NumFmt: text, Font: &excelize.Font{Underline: "single", Color: "0563C1"}})
	x.style.money = style(excelize.Style{NumFmt: money})
	x.style.day, x.style.minute, x.style.second = at(`yyyy\-mm\-dd`), at(`yyyy\-mm\-dd\ hh:mm`), at(`yyyy\-mm\-dd\ hh:mm:ss`)
	if err != nil {
		return err
	}
	yes, all := true, x.file.Styles.CellXfs
	quoted := all.Xf[x.style.text]
	quoted.QuotePrefix = &yes // excelize.Style has no such field
	x.style.quoted = len(all.Xf)
	all.Xf = append(all.Xf, quoted)
	all.Count++
	return nil
}

// Row adds a row.
func (x *workbook) Row(values []Value) error {
	if x.begun {
		return x.put(values)
	}
	for i, v := range values {
		x.widths[i] = max(x.widths[i], min(wanted(v), 60))
	}
	x.first = append(x.first, append([]Value(nil), values...))
	if len(x.first) < measured {
		return nil
	}
	return x.begin()
}

// begin writes the held-back rows.
func (x *workbook) begin() error {
	x.begun = true
	if err := x.open(); err != nil {
		return err
	}
	for _, row := range x.first {
		if err := x.put(row); err != nil {
			return err
		}
	}
	x.first = nil
	return nil
}

// sheetName returns the name of the current sheet.
func (x *workbook) sheetName() string {
	if x.sheets > 1 {
		return fmt.Sprintf("%s %d", x.name, x.sheets)
	}
	return x.name
}

// open begins the next sheet.
func (x *workbook) open() error {
	x.sheets++
	name := x.sheetName()
	var err error
	if x.sheets == 1 {
		err = x.file.SetSheetName("Sheet1", name)
	} else {
		_, err = x.file.NewSheet(name)
	}
	if err == nil {
		err = x.file.SetSheetDimension(name, "") // excelize writes A1, which some readers trust
	}
	if err == nil {
		x.sheet, err = x.file.NewStreamWriter(name)
	}
	if err == nil {
		err = x.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft",
			Selection: []excelize.Selection{{Pane: "bottomLeft"}}})
	}
	for i, w := range slices.Backward(x.widths) { // SetColWidth prepends each width; Excel needs them in order
		if err == nil {
			err = x.sheet.SetColWidth(i+1, i+1, float64(w+2))
		}
	}
	for i, c := range x.columns {
		x.cells[i] = excelize.Cell{StyleID: x.style.head, Value: cellText(c.head(), maxCell)}
	}
	x.row, x.links = 0, x.links[:0]
	if err != nil {
		return err
	}
	return x.write()
}

// write writes x.cells as the next row.
func (x *workbook) write() error {
	x.row++
	return x.sheet.SetRow(fmt.Sprintf("A%d", x.row), x.cells)
}

// put writes a row, on the next sheet if this one is full.
func (x *workbook) put(values []Value) error {
	if x.row == x.most {
		if err := x.end(); err != nil {
			return err
		}
		if err := x.open(); err != nil {
			return err
		}
	}
	for i := range values {
		x.cells[i] = x.cell(i, &values[i])
	}
	return x.write()
}

// cell returns a value for excelize. nil means an empty cell.
func (x *workbook) cell(i int, v *Value) any {
	switch v.Kind {
	case none:
		return nil
	case Number, Money:
		switch {
		case v.Number-v.Number != 0: // not a number, or infinite
			return excelize.Cell{StyleID: x.style.text, Value: v.String()}
		case v.Kind == Money:
			return excelize.Cell{StyleID: x.style.money, Value: v.Number}
		}
		return v.Number
	case Flag:
		return v.Number != 0
	case Time:
		at, ok := serial(v.Time)
		switch {
		case !ok:
		case v.Day:
			return excelize.Cell{StyleID: x.style.day, Value: at}
		case v.Time.Second() == 0 && v.Time.Nanosecond() == 0:
			return excelize.Cell{StyleID: x.style.minute, Value: at}
		default:
			return excelize.Cell{StyleID: x.style.second, Value: at}
		}
	case Link:
		url, ok := linkable(v.Text)
		ref, err := excelize.CoordinatesToCellName(i+1, x.row+1)
		if ok && err == nil && len(x.links) < maxLinks {
			x.links = append(x.links, link{ref, url})
			return excelize.Cell{StyleID: x.style.link, Value: cellText(v.Text, maxCell)}
		}
	}
	style := x.style.text
	if calculates(v.Text) {
		style = x.style.quoted
	}
	return excelize.Cell{StyleID: style, Value: cellText(v.Text, maxCell)}
}

// end closes the current sheet.
func (x *workbook) end() error {
	if n := len(x.columns); n > 0 {
		last, err := excelize.CoordinatesToCellName(n, x.row)
		if err == nil {
			err = x.file.AutoFilter(x.sheetName(), "A1:"+last, nil)
		}
		if err != nil {
			return err
		}
	}
	if err := x.link(); err != nil {
		return err
	}
	return x.sheet.Flush()
}

// link adds all links of the current sheet. SetCellHyperLink searches all links before it adds one:
// 20,000 links take many seconds.
func (x *workbook) link() error {
	if len(x.links) == 0 {
		return nil
	}
	const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var sheet, rels bytes.Buffer
	fmt.Fprintf(&sheet, `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="%s"><hyperlinks>`, relations)
	fmt.Fprintf(&rels, xml.Header+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i, l := range x.links {
		fmt.Fprintf(&sheet, `<hyperlink ref="%s" r:id="rId%d"/>`, l.ref, i+1)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Type="%s/hyperlink" TargetMode="External" Target="`, i+1,
			relations)
		if err := xml.EscapeText(&rels, []byte(l.url)); err != nil {
			return err
		}
		rels.WriteString(`"/>`)
	}
	sheet.WriteString(`</hyperlinks></worksheet>`)
	rels.WriteString(`</Relationships>`)
	part := fmt.Sprintf("sheet%d.xml", x.sheets)
	open, ok := x.file.Sheet.Load("xl/worksheets/" + part)
	if !ok {
		return fmt.Errorf("links cannot be written: excelize has no part %s; report this as a bug", part)
	}
	x.file.Pkg.Store("xl/worksheets/_rels/"+part+".rels", rels.Bytes())
	return xml.Unmarshal(sheet.Bytes(), open)
}

// Close writes the workbook.
func (x *workbook) Close() error {
	defer x.discard()
	if !x.begun {
		if err := x.begin(); err != nil {
			return err
		}
	}
	if err := x.end(); err != nil {
		return err
	}
	return x.file.Write(x.out)
}

// discard removes the temporary files.
func (x *workbook) discard() { x.file.Close() }

// day0 is the first day that Excel's day numbers count correctly.
var day0 = time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)

// serial returns the Excel number of a time, in days since 1899-12-30 of the shown clock; false for
// years that Excel does not support.
func serial(t time.Time) (float64, bool) {
	shown := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	if shown.Before(day0) || shown.Year() > 9999 {
		return 0, false
	}
	s := shown.Unix() - day0.Unix()
	return float64(61) + float64(s)/86400, true
}

// cellText returns a text without the characters that XML forbids. It cuts a text of more than most
// UTF-16 units and adds an ellipsis.
func cellText(s string, most int) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff || r == 0x7f {
			return -1
		}
		return r
	}, s)
	units, cut := 0, 0 // cut is the end that leaves room for an ellipsis
	for i, r := range s {
		if units < most {
			cut = i
		}
		if units++; r > 0xffff {
			units++
		}
		if units > most {
			return s[:cut] + "…"
		}
	}
	return s
}

// linkable returns an address for a link; false if Excel does not accept it.
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

// wanted returns the preferred width of a value, in letters.
func wanted(v Value) int {
	switch {
	case v.Kind == Money:
		return len(v.String()) + 6
	case v.Kind == Time && !v.Day:
		return min(19, width(v.Text))
	}
	line, _, _ := strings.Cut(v.String(), "\n")
	return width(line)
}

// width returns the width of a text in letters; East Asian letters count twice.
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

// sheetName returns a valid sheet name: 31 characters, without those that Excel reserves.
func sheetName(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\'`, r) || unicode.IsControl(r) || r > 0xffff || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 28 {
		s = string(r[:28]) // leaves room for the number of a second sheet
	}
	if s == "" {
		return "angler"
	}
	return s
}
