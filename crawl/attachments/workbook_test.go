package attachments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// inline makes a cell of text. ref is its name; "" leaves the attribute out.
func inline(ref, text string) string {
	if ref != "" {
		ref = ` r="` + ref + `"`
	}
	return `<c` + ref + ` t="inlineStr"><is><t>` + text + `</t></is></c>`
}

func TestCells(t *testing.T) {
	for _, c := range []struct{ name, rows, text string }{
		{"cells and rows without a name", `<row>` + inline("", "项目编号") + inline("", "ZB-1") + `</row><row><c/>` + inline("", "乙") + `</row>`, "项目编号\tZB-1\n\t乙"},
		{"rows without a name", `<row>` + inline("A1", "甲") + inline("C1", "乙") + `</row><row>` + inline("B2", "丙") + `</row>`, "甲\t\t乙\n\t丙"},
		{"cells without a name behind one with a name", `<row r="4">` + inline("B4", "甲") + inline("", "乙") + `</row>`, "\t甲\t乙"},
		{"columns beyond 64", `<row r="1">` + inline("A1", "甲") + inline("BZ1", "乙") + inline("CA1", "丙") + inline("XFD1", "丁") + `</row>`, "甲" + strings.Repeat("\t", 64) + "乙\t丙\t丁"},
		{"an empty name", `<row r="">` + inline("", "甲") + `<c r="" t="inlineStr"><is><t>乙</t></is></c></row>`, "甲\t乙"},
		{"a column that no sheet has", `<row r="1">` + inline("A1", "甲") + inline("ZZZZ1", "乙") + `</row><row r="2">` + inline("A2", "丙") + `</row>`, "甲\t乙\n丙"},
		{"columns without rows", `<row r="x">` + inline("A", "甲") + inline("B", "r=&quot;&quot;乙") + `</row><row r="99999999"><c r='' t="str"><v>丙</v></c></row>`, "甲\tr=\"\"乙\n丙"},
		{"rows and cells out of order", `<row r="5">` + inline("C5", "甲") + inline("A5", "乙") + `</row><row r="5">` + inline("A5", "丙") + `</row><row r="2">` + inline("A2", "丁") + `</row>`, "\t\t甲\t乙\n丙\n丁"},
		{"rows far apart", `<row r="1">` + inline("A1", "甲") + `</row><row r="1048576">` + inline("A1048576", "乙") + `</row>`, "甲\n乙"},
		{"merged cells", `<row r="1">` + inline("A1", "甲") + `<c r="B1"/></row></sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells><sheetData>`, "甲"},
		{"a formula's last value", `<row r="1"><c r="A1"><f>SUM(B1:C1)</f><v>3</v></c><c r="B1" t="str"><f>T("x")</f><v>合计</v></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1"><f>NOW()</f></c><c r="E1" t="b"><v>1</v></c></row>`, "3\t合计\t\t\tTRUE"},
		{"numbers as they are stored", `<row r="1"><c r="A1"><v>20251209123456</v></c><c r="B1" s="2"><v>902460.5</v></c><c r="C1"><v>-0.1</v></c></row>`, "20251209123456\t902460.5\t-0.1"},
		{"a text in a column of days", `<row r="1"><c r="A1" s="1" t="inlineStr"><is><t>另行通知</t></is></c><c r="B1" s="1"><v>-3</v></c></row>`, "另行通知\t-3"},
		{"runs without their reading", `<row><c t="inlineStr"><is><r><t>单</t></r><r><t>价</t></r><rPh sb="0" eb="1"><t>jia</t></rPh></is></c></row>`, "单价"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := one.Read(t.Context(), xlsx(t, c.rows), "", "")
			if err != nil || got.Text != c.text {
				t.Errorf("%q, cut %q, %v; want %q", got.Text, got.Cut, err, c.text)
			}
		})
	}
}

// bookOf makes a workbook of its part xl/workbook.xml and the rows of its sheets.
func bookOf(t testing.TB, book string, sheets ...string) []byte {
	parts := []string{"[Content_Types].xml", types, "xl/workbook.xml", book}
	rels := ""
	for i, rows := range sheets {
		rels += fmt.Sprintf(`<Relationship Id="rId%d" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
		parts = append(parts, fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
	}
	parts = append(parts, "xl/_rels/workbook.xml.rels", `<Relationships>`+rels+`</Relationships>`,
		"xl/styles.xml", `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`)
	return archive(t, parts...)
}

func TestSheets(t *testing.T) {
	long := strings.Repeat("很长的名称", 10) + `:\/?*[]`
	body := bookOf(t, `<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="`+long+`" r:id="rId1"/><sheet name="同" r:id="rId2"/><sheet name="同" r:id="rId3"/><sheet name="藏" state="veryHidden" r:id="rId4"/></sheets></workbook>`,
		`<row>`+inline("", "甲")+`</row>`, `<row><c s="1"><v>44538</v></c></row>`, `<row>`+inline("", "丙")+`</row>`, `<row>`+inline("", "丁")+`</row>`)
	got, err := one.Read(t.Context(), body, "", "")
	if want := long + "\n甲\n同\n2025-12-09\n同\n丙"; err != nil || got.Text != want || got.Pages != 3 {
		t.Errorf("%q of %d sheets, %v; want %q", got.Text, got.Pages, err, want)
	}
}

// TestMinutes reads every minute of a day as LibreOffice and Excel store it.
func TestMinutes(t *testing.T) {
	var rows, want strings.Builder
	for m := range 24 * 60 {
		fmt.Fprintf(&rows, `<row><c s="3"><v>%v</v></c></row>`, 46000+float64(m)/(24*60))
		at := time.Date(2025, 12, 9, 0, m, 0, 0, time.UTC).Format("2006-01-02 15:04")
		want.WriteString(strings.TrimSuffix(at, " 00:00") + "\n")
	}
	got, err := one.Read(t.Context(), xlsx(t, rows.String()), "", "")
	if err != nil || got.Text+"\n" != want.String() {
		t.Errorf("%.200q, %v", got.Text, err)
	}
}

// shared makes a workbook of shared texts and the rows of a sheet.
func shared(t testing.TB, texts, rows string) []byte {
	return archive(t, "[Content_Types].xml", types, "xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/sharedStrings.xml", `<x:sst xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`+strings.NewReplacer("</", "</x:", "<", "<x:").Replace(texts)+`</x:sst>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
}

// TestFormattedTexts reads texts whose parts have a font or a reading.
func TestFormattedTexts(t *testing.T) {
	got, err := one.Read(t.Context(), shared(t, `<si><r><rPr/><t>甲</t></r><r><rPr></rPr><t>乙</t></r><r><rPr><b/></rPr><t>丙</t></r><r><rPr><sz val="11"/> <rFont val="rPr>"/></rPr ><t xml:space="preserve"> 丁</t></r><rPh sb="0" eb="1"><t>jia</t></rPh><phoneticPr fontId="1"/></si><si><t>戊</t></si>`,
		`<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>`), "", "")
	if err != nil || got.Text != "甲乙丙 丁\t戊" || got.Cut != "" {
		t.Errorf("%q, cut %q, %v", got.Text, got.Cut, err)
	}
}

// TestTornTexts reads the cells whose texts stand before the damage.
func TestTornTexts(t *testing.T) {
	rows := `<row><c t="s"><v>0</v></c><c><v>5</v></c><c t="s"><v>1</v></c><c t="s"><v>-1</v></c></row>`
	for _, rest := range []string{`<si><t>乙</`, `<si><t>` + strings.Repeat("x", 200_000) + `</t></si>`, `<si><t>&nbsp;</t></si>`, strings.Repeat(`<si>`, 600)} {
		got, err := one.Read(t.Context(), shared(t, `<si><t>甲</t><rPh><t>jia</t></rPh></si>`+rest, rows), "", "")
		if err != nil || got.Text != "甲\t5" || got.Cut == "" {
			t.Errorf("before %.20q: %q, cut %q, %v", rest, got.Text, got.Cut, err)
		}
	}
}

// TestHostileWorkbooks bounds the memory, the text and the remains of files that are small
// and unpack to much.
func TestHostileWorkbooks(t *testing.T) {
	if testing.Short() {
		t.Skip("reads one large document after the other; -short leaves it out")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	lim := documentLimits{Pages: 3, Letters: 100_000, Unpacked: 100 << 20, Memory: 64 << 20, Time: 15 * time.Minute}
	r := &documentReader{Limits: lim}
	far := strings.Repeat(`<row>`+inline("XFD1", "x")+`</row>`, 20_000)
	first := `<row><c t="s"><v>0</v></c></row>`
	for _, c := range []struct {
		name string
		body []byte
		cut  bool
	}{
		{"cells far out", xlsx(t, far), true},
		{"one row of empty cells", xlsx(t, `<row>`+strings.Repeat(`<c/>`, 4<<20)+`</row>`), true},
		{"runs without end in one cell", xlsx(t, `<row><c t="inlineStr"><is>`+strings.Repeat(`<r/>`, 4<<20)+`</is></c></row>`), true},
		{"elements in one another", xlsx(t, strings.Repeat(`<row>`, 4<<20)), true},
		{"shared texts without end", shared(t, strings.Repeat(`<si/>`, 4<<20), first), true},
		{"runs without end in one shared text", shared(t, `<si>`+strings.Repeat(`<r/>`, 4<<20)+`</si>`, first), true},
		{"one long text in many cells", shared(t, `<si><t>`+strings.Repeat("x", 90_000)+`</t></si>`, `<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 100_000)+`</row>`), true},
		{"escapes without end", shared(t, `<si><t>`+strings.Repeat("_x0041_", 1<<20)+`</t></si>`, `<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 1000)+`</row>`), true},
		{"entities of entities", xlsx(t, `<row>`+inline("", "&lol9;")+`</row>`), true},
		{"a comment without end", xlsx(t, `<row><!--`+strings.Repeat("x", 90<<20)+`--></row>`), true},
		{"names without end", bookOf(t, `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>`+strings.Repeat(`<definedName/>`, 1<<20), `<row>`+inline("", "x")+`</row>`), false},
		{"sheets without end", bookOf(t, `<workbook xmlns:r="r"><sheets>`+strings.Repeat(`<sheet name="a" r:id="rId1"/>`, 1<<17)+`</sheets></workbook>`, `<row>`+inline("", "x")+`</row>`), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			begun := time.Now()
			got, err := r.Read(context.Background(), c.body, "", "")
			runtime.ReadMemStats(&after)
			t.Logf("%d KB, %d MB allocated, %v: %d bytes, cut %q, %v", len(c.body)>>10, (after.TotalAlloc-before.TotalAlloc)>>20, time.Since(begun).Round(time.Millisecond), len(got.Text), got.Cut, err)
			if len(got.Text) > lim.Letters || errors.Is(err, errTooLong) || c.cut != (got.Cut != "" || err != nil) {
				t.Errorf("%d bytes, cut %q, %v", len(got.Text), got.Cut, err)
			}
			if total := after.TotalAlloc - before.TotalAlloc; total > 4<<30 {
				t.Errorf("%d MB were allocated", total>>20)
			}
		})
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

// TestDamagedWorkbooks spoils a workbook byte by byte: no reading panics.
func TestDamagedWorkbooks(t *testing.T) {
	body := xlsx(t, rows)
	for i := range body {
		torn := append([]byte(nil), body...)
		torn[i] ^= 0x5a
		if _, err := one.Read(t.Context(), torn, "", ""); err != nil && !errors.Is(err, errDamaged) && !errors.Is(err, errNoText) && !errors.Is(err, errEncrypted) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	got, err := one.Read(t.Context(), xlsx(t, `<row>`+inline("", "甲")+`</row><row><c t="inlineStr"><is><t>乙</`), "", "")
	if err != nil || got.Text != "甲" || got.Cut == "" {
		t.Errorf("of a torn sheet %q, cut %q, %v", got.Text, got.Cut, err)
	}
}

// FuzzCells reads any shared texts and rows: no reading panics or gives an unclean text.
func FuzzCells(f *testing.F) {
	f.Add(`<si><t>甲</t></si><si><r><rPr><b/></rPr><t>乙</t></r><rPh><t>yi</t></rPh></si>`, rows)
	f.Add(`<si><t>_x0041_</t></si>`, `<row r="2"><c r="ZZZZ1" t="s"><v>0</v></c><c t="d"><v>2025-12-09</v></c><c t="e"><v>#N/A</v></c></row>`)
	r := &documentReader{Limits: documentLimits{Pages: 5, Letters: 1 << 16, Unpacked: 1 << 20, Memory: 64 << 20, Time: 15 * time.Minute}}
	f.Fuzz(func(t *testing.T, texts, rows string) {
		got, err := r.Read(t.Context(), shared(t, texts, rows), "", "")
		if err == nil && (!utf8.ValidString(got.Text) || strings.ContainsAny(got.Text, "\x1b\x00\r")) {
			t.Errorf("%q", got.Text)
		}
		if err != nil && !errors.Is(err, errDamaged) && !errors.Is(err, errNoText) || err != nil && strings.Contains(err.Error(), "runtime error") {
			t.Errorf("%v", err)
		}
	})
}
