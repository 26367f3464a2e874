// Package xlsx writes a table as an Excel workbook (ECMA-376): typed cells, links,
// a frozen head with a filter, widths that fit.
//
// The sheet is streamed into the zip file as rows come; what is kept of a row is the
// address of its links. It is our own, because the usual library costs every
// start of the program 1.4 ms and 1.3 MB for tables of its formulas, whether
// something is exported or not, and its streaming writer knows no links; tests read with
// that library and with LibreOffice what is written here.
//
// The texts were written by strangers. They are inline strings, which are never
// calculated, and marked so that they stay texts when somebody edits the cell; what
// XML forbids is left out; a text that is too long for a cell is cut and ends in …
package xlsx

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"fmt"
	"io"
	"strconv"
	"time"

	"angler/store/export/table"
)

// Bounds of Excel.
const (
	maxRows  = 1 << 20 // of a sheet, its head among them
	maxCell  = 32_767  // UTF-16 units of a cell
	maxLinks = 65_000  // of a sheet; Excel takes 65,530
	maxLink  = 2_000   // bytes of an address
)

// measured rows are held back to find out how wide the columns are.
const measured = 100

// Writer writes a workbook. It is for one goroutine.
type Writer struct {
	zip     *zip.Writer
	name    string
	columns []table.Column
	first   [][]table.Value // held back until the widths are known
	widths  []int
	begun   bool // the widths are known

	w      *bufio.Writer // the sheet under way
	sheets int
	row    int // of the sheet, the head is 1
	links  []link
	most   int // rows of a sheet
	b      []byte
	places []string // names of the columns: A, B …
}

type link struct{ ref, url string }

// New begins a workbook with one sheet of the given name and columns.
func New(w io.Writer, name string, columns []table.Column) (*Writer, error) {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	x := &Writer{zip: z, name: sheetName(name), columns: columns, most: maxRows, widths: make([]int, len(columns))}
	for i, c := range columns {
		x.widths[i] = max(10, width(c.Head())+4) // the filter's button stands beside the head
		x.places = append(x.places, place(i))
	}
	return x, nil
}

// Row adds a row.
func (x *Writer) Row(values []table.Value) error {
	if !x.begun {
		for i, v := range values {
			x.widths[i] = max(x.widths[i], min(wanted(v), 60))
		}
		x.first = append(x.first, append([]table.Value(nil), values...))
		if len(x.first) < measured {
			return nil
		}
		return x.begin()
	}
	return x.put(values)
}

// begin writes what was held back.
func (x *Writer) begin() error {
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

// open begins the next sheet.
func (x *Writer) open() error {
	x.sheets++
	out, err := x.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", x.sheets))
	if err != nil {
		return err
	}
	x.w, x.row, x.links = bufio.NewWriterSize(out, 1<<16), 1, x.links[:0]
	b := append(x.b[:0], declaration...)
	b = append(b, `<worksheet xmlns="`+spreadsheet+`" xmlns:r="`+relations+`"><sheetViews><sheetView workbookViewId="0"`...)
	if x.sheets == 1 {
		b = append(b, ` tabSelected="1"`...)
	}
	b = append(b, `><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>`...)
	if len(x.columns) > 0 {
		b = append(b, `<cols>`...)
		for i, w := range x.widths {
			b = fmt.Appendf(b, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, w+2)
		}
		b = append(b, `</cols>`...)
	}
	b = append(b, `<sheetData><row r="1">`...)
	for i, c := range x.columns {
		b = x.text(b, i, styleHead, c.Head())
	}
	x.b = append(b, `</row>`...)
	_, err = x.w.Write(x.b)
	return err
}

// put writes a row.
func (x *Writer) put(values []table.Value) error {
	if x.row == x.most {
		if err := x.end(); err != nil {
			return err
		}
		if err := x.open(); err != nil {
			return err
		}
	}
	x.row++
	b := append(x.b[:0], `<row r="`...)
	b = strconv.AppendInt(b, int64(x.row), 10)
	b = append(b, `">`...)
	for i := range values {
		b = x.cell(b, i, &values[i])
	}
	x.b = append(b, `</row>`...)
	_, err := x.w.Write(x.b)
	return err
}

func (x *Writer) cell(b []byte, i int, v *table.Value) []byte {
	switch v.Kind {
	case table.None:
		return b
	case table.Number, table.Money:
		if v.Number-v.Number != 0 { // no number, or infinite
			return x.text(b, i, styleText, v.String())
		}
		style := styleNumber
		if v.Kind == table.Money {
			style = styleMoney
		}
		return x.number(b, i, style, v.Number)
	case table.Flag:
		b = x.at(b, i, styleNumber)
		b = append(b, ` t="b"><v>`...)
		b = strconv.AppendFloat(b, v.Number, 'f', -1, 64)
		return append(b, `</v></c>`...)
	case table.Time:
		at, ok := serial(v.Time)
		switch {
		case !ok:
		case v.Day:
			return x.number(b, i, styleDay, at)
		case v.Time.Second() == 0 && v.Time.Nanosecond() == 0:
			return x.number(b, i, styleMinute, at)
		default:
			return x.number(b, i, styleSecond, at)
		}
	case table.Link:
		if url, ok := linkable(v.Text); ok && len(x.links) < maxLinks {
			x.links = append(x.links, link{x.places[i] + strconv.Itoa(x.row), url})
			return x.text(b, i, styleLink, v.Text)
		}
	}
	style := styleText
	if calculates(v.Text) {
		style = styleQuoted
	}
	return x.text(b, i, style, v.Text)
}

// at begins a cell; its type and content follow.
func (x *Writer) at(b []byte, i, style int) []byte {
	b = append(b, `<c r="`...)
	b = append(b, x.places[i]...)
	b = strconv.AppendInt(b, int64(x.row), 10)
	b = append(b, `" s="`...)
	b = strconv.AppendInt(b, int64(style), 10)
	return append(b, '"')
}

func (x *Writer) number(b []byte, i, style int, n float64) []byte {
	b = append(x.at(b, i, style), `><v>`...)
	b = strconv.AppendFloat(b, n, 'g', -1, 64)
	return append(b, `</v></c>`...)
}

func (x *Writer) text(b []byte, i, style int, s string) []byte {
	b = append(x.at(b, i, style), ` t="inlineStr"><is><t xml:space="preserve">`...)
	b = appendText(b, s, maxCell)
	return append(b, `</t></is></c>`...)
}

// end closes the sheet under way.
func (x *Writer) end() error {
	b := append(x.b[:0], `</sheetData>`...)
	if len(x.columns) > 0 {
		b = fmt.Appendf(b, `<autoFilter ref="A1:%s%d"/>`, x.places[len(x.places)-1], x.row)
	}
	if len(x.links) > 0 {
		b = append(b, `<hyperlinks>`...)
		for i := range x.links {
			b = fmt.Appendf(b, `<hyperlink ref="%s" r:id="rId%d"/>`, x.links[i].ref, i+1)
		}
		b = append(b, `</hyperlinks>`...)
	}
	b = append(b, `</worksheet>`...)
	x.b = b
	if _, err := x.w.Write(b); err != nil {
		return err
	}
	if err := x.w.Flush(); err != nil || len(x.links) == 0 {
		return err
	}
	b = append(b[:0], declaration...)
	b = append(b, `<Relationships xmlns="`+packaged+`">`...)
	for i := range x.links {
		b = fmt.Appendf(b, `<Relationship Id="rId%d" Type="`+relations+`/hyperlink" Target="`, i+1)
		b = appendText(b, x.links[i].url, maxCell)
		b = append(b, `" TargetMode="External"/>`...)
	}
	x.b = append(b, `</Relationships>`...)
	return x.part(fmt.Sprintf("xl/worksheets/_rels/sheet%d.xml.rels", x.sheets), x.b)
}

// Close writes the rest of the workbook.
func (x *Writer) Close() error {
	if !x.begun {
		if err := x.begin(); err != nil {
			return err
		}
	}
	if err := x.end(); err != nil {
		return err
	}
	for _, p := range x.parts() {
		if err := x.part(p[0], []byte(p[1])); err != nil {
			return err
		}
	}
	return x.zip.Close()
}

func (x *Writer) part(name string, content []byte) error {
	w, err := x.zip.Create(name)
	if err == nil {
		_, err = w.Write(content)
	}
	return err
}

// day0 is the day before which Excel counts days otherwise than people.
var day0 = time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)

// serial is a time as Excel counts it, in days since 1899-12-30, as the clock showed
// it; false for years that Excel does not know.
func serial(t time.Time) (float64, bool) {
	shown := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	if shown.Before(day0) || shown.Year() > 9999 {
		return 0, false
	}
	s := shown.Unix() - day0.Unix()
	return float64(61) + float64(s)/86400, true
}

// place is the name of a column: A … Z, AA …
func place(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}
