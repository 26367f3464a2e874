package export

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

var columns = []Column{{Name: "title", Title: "标题"}, {Name: "url", Kind: Link}, {Name: "date", Kind: Time},
	{Name: "budget", Title: "预算", Kind: Money}, {Name: "n", Kind: Number}, {Name: "new", Kind: Flag}, {Name: "at", Kind: Time}}

func written(t testing.TB, most int, rows ...[]Value) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := newWorkbook(&b, "招标: notices/2026", columns)
	must(t, err)
	if most > 0 {
		w.most = most
	}
	for _, r := range rows {
		must(t, w.Row(r))
	}
	must(t, w.Close())
	return b.Bytes()
}

func rowOf(title, url, date string, budget float64) []Value {
	return []Value{TextOf(title), LinkOf(url), DateOf(date), MoneyOf(budget), NumberOf(7), FlagOf(true),
		InstantOf(time.Date(2026, 11, 22, 8, 30, 5, 0, time.FixedZone("CST", 8*3600)))}
}

func opened(t *testing.T, b []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(b))
	must(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func TestAnotherLibraryReadsTypedCells(t *testing.T) {
	f := opened(t, written(t, 0, rowOf("招标公告", "http://a.test/条?x=1&y=2", "2026-11-20", 902460.5), rowOf("更正", "ftp://a.test/", "2026-11-20T09:30", .1),
		make([]Value, len(columns))))
	sheet := f.GetSheetName(0)
	if sheet != "招标 notices2026" {
		t.Errorf("the sheet is called %q", sheet)
	}
	rows, err := f.GetRows(sheet)
	if err != nil || len(rows) < 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for at, want := range map[string]string{"A1": "标题", "D1": "预算", "B1": "url", "A2": "招标公告", "B2": "http://a.test/条?x=1&y=2", "C2": "2026-11-20",
		"D2": "902,460.50", "E2": "7", "F2": "TRUE", "G2": "2026-11-22 08:30:05", "C3": "2026-11-20 09:30"} {
		if got, err := f.GetCellValue(sheet, at); got != want || err != nil {
			t.Errorf("%s shows %q, want %q, %v", at, got, want, err)
		}
	}
	for at, want := range map[string]excelize.CellType{"A2": excelize.CellTypeInlineString, "C2": excelize.CellTypeUnset, "D2": excelize.CellTypeUnset, "F2": excelize.CellTypeBool} {
		if got, _ := f.GetCellType(sheet, at); got != want {
			t.Errorf("%s has the type %v, want %v", at, got, want)
		}
	}
	if raw, _ := f.GetCellValue(sheet, "D2", excelize.Options{RawCellValue: true}); raw != "902460.5" {
		t.Errorf("the amount is %q", raw)
	}
	if yes, to, _ := f.GetCellHyperLink(sheet, "B2"); !yes || to != "http://a.test/%E6%9D%A1?x=1&y=2" {
		t.Errorf("the link leads to %q", to)
	}
	if yes, to, _ := f.GetCellHyperLink(sheet, "B3"); yes {
		t.Errorf("a link that no browser should open: %q", to)
	}
	panes, err := f.GetPanes(sheet)
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("panes %+v, %v", panes, err)
	}
	names := f.GetDefinedName()
	if len(names) != 1 || !strings.HasSuffix(names[0].RefersTo, "!$A$1:$G$4") {
		t.Errorf("the filter covers %+v", names)
	}
	if w, _ := f.GetColWidth(sheet, "B"); w < 20 || w > 70 {
		t.Errorf("addresses get %.0f letters", w)
	}
}

// shortEscape is a text that LibreOffice takes for a control character. excelize escapes only
// _x0041_, the only form that Excel reads.
const shortEscape = "_x004_"

// hostileCells maps hostile texts to the content of their cells.
var hostileCells = map[string]string{
	"=cmd|' /C calc'!A0":                    "",
	"+1":                                    "",
	"@SUM(1)":                               "",
	"\t=1+1":                                "",
	"＝1":                                    "",
	"</t></is></c><script>&amp;]]>\"'":      "",
	"bell\x07 esc\x1b[31m null\x00 bad\xff": "bell esc[31m null bad\ufffd",
	"_x0041_ _x004G_ _x005F_x0041_":         "",
	shortEscape:                             "",
	"one\r\ntwo\rthree":                     "one\ntwo\nthree",
	"nonchar \ufffe\uffff":                  "nonchar ",
	"  spaces  ":                            "",
	strings.Repeat("长", 40_000):             strings.Repeat("长", 32_766) + "…",
	strings.Repeat("𠀀", 16_384):             strings.Repeat("𠀀", 16_383) + "…",
	strings.Repeat("x", 32_767):             "",
}

func TestHostileTexts(t *testing.T) {
	for text, want := range hostileCells {
		if want == "" {
			want = text
		}
		b := written(t, 0, rowOf(text, "http://a.test/", "2026-11-20", 1))
		f := opened(t, b)
		sheet := f.GetSheetName(0)
		got, err := f.GetCellValue(sheet, "A2")
		if got != want || err != nil {
			t.Errorf("%.40q (%d) came back as %.40q (%d), %v", text, len(text), got, len(got), err)
		}
		if n := len(utf16.Encode([]rune(got))); n > maxCell {
			t.Errorf("%.20q has %d units", text, n)
		}
		if formula, _ := f.GetCellFormula(sheet, "A2"); formula != "" {
			t.Errorf("%.40q became the formula %q", text, formula)
		}
	}
}

func TestASecondSheetTakesWhatOneCannotHold(t *testing.T) {
	var rows [][]Value
	for i := range 25 {
		rows = append(rows, rowOf(fmt.Sprint(i), "http://a.test/", "2026-11-20", 1))
	}
	f := opened(t, written(t, 11, rows...))
	if n := f.SheetCount; n != 3 {
		t.Fatalf("%d sheets", n)
	}
	for i, want := range []int{11, 11, 6} {
		if yes, to, err := f.GetCellHyperLink(f.GetSheetName(i), "B3"); !yes || to != "http://a.test/" {
			t.Errorf("the link of sheet %d leads to %q, %v", i, to, err)
		}
		if size, err := f.GetSheetDimension(f.GetSheetName(i)); size != "" || err != nil {
			t.Errorf("sheet %d claims the size %s, %v", i, size, err)
		}
		rows, err := f.GetRows(f.GetSheetName(i))
		if err != nil || len(rows) != want || rows[0][0] != "标题" || rows[1][0] != fmt.Sprint(10*i) {
			t.Errorf("sheet %d has %d rows, %v", i, len(rows), err)
		}
	}
}

// FuzzText decodes the XML of a cell with any text: it is equal and bounded.
func FuzzText(f *testing.F) {
	for text := range hostileCells {
		f.Add(text[:min(len(text), 2000)], 100)
	}
	f.Fuzz(func(t *testing.T, s string, most int) {
		if most < 2 || most > 1000 {
			return
		}
		text := cellText(s, most)
		var b bytes.Buffer
		b.WriteString("<t>")
		must(t, xml.EscapeText(&b, []byte(text)))
		b.WriteString("</t>")
		var got struct {
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil || got.Text != text {
			t.Fatalf("%q came back as %q, %v", text, got.Text, err)
		}
		if n := len(utf16.Encode([]rune(got.Text))); n > most {
			t.Errorf("%d units, at most %d", n, most)
		}
	})
}

// TestTemporaryFiles writes more than excelize keeps in memory, completely and with a cancel.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, whole := range []bool{true, false} {
		w, err := NewTable(io.Discard, Options{Format: XLSX, Name: "x"}, columns)
		for range 1000 {
			if err == nil {
				err = w.Row(rowOf(strings.Repeat("x", 30_000), "http://a.test/", "2026-11-20", 1))
			}
		}
		files, _ := os.ReadDir(dir)
		if err != nil || len(files) != 1 {
			t.Errorf("%d temporary files, %v", len(files), err)
		}
		if whole {
			err = w.Close()
		} else {
			Discard(structs[struct{}]{w: w})
		}
		if files, _ := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("%d files are left after Close: %v, %v", len(files), whole, err)
		}
	}
}

func TestAFullDiskIsToldOf(t *testing.T) {
	full := errors.New("no room")
	w, err := newWorkbook(failing{full}, "x", columns)
	for range 20_000 {
		if err == nil {
			err = w.Row(rowOf(strings.Repeat("长", 100), "http://a.test/", "2026-11-20", 1))
		}
	}
	if err == nil {
		err = w.Close()
	}
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// BenchmarkNotices writes 10,000 notices with their texts and fields.
func BenchmarkNotices(b *testing.B) {
	text := strings.Repeat("一、项目编号：ABC-2026-001 二、预算金额：92.28万元。", 60)
	var before, after runtime.MemStats
	var peak uint64
	for b.Loop() {
		runtime.ReadMemStats(&before)
		w, err := newWorkbook(io.Discard, "notices", append(columns, Column{Name: "text"}))
		must(b, err)
		for i := range 10_000 {
			must(b, w.Row(append(rowOf("招标公告", fmt.Sprintf("http://a.test/%d", i), "2026-11-20", 1.5), TextOf(text))))
		}
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapSys)
		must(b, w.Close())
	}
	b.ReportMetric(float64(peak)/(1<<20), "MB-heap")
}

// TestPartsAreXML decodes every part. Excel repairs a sheet whose columns are out of order.
func TestPartsAreXML(t *testing.T) {
	b := written(t, 0, rowOf("a", "http://a.test/?<\">", "2026-11-20", 1))
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	var order []string
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		d := xml.NewDecoder(r)
		for err == nil {
			var token xml.Token
			token, err = d.Token()
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "col" {
				order = append(order, e.Attr[0].Value)
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if got := strings.Join(order, " "); got != "1 2 3 4 5 6 7" {
		t.Errorf("the columns are in the order %s", got)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
