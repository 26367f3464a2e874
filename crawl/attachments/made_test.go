package attachments

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// madePDF makes a PDF of pages in a Chinese font that is not embedded, as word
// processors made them for long. trailer goes into the trailer's dictionary.
func madePDF(trailer string, pages ...string) []byte {
	var contents [][]byte
	for _, p := range pages {
		var b strings.Builder
		b.WriteString("BT /F1 12 Tf 14 TL 50 780 Td\n")
		for line := range strings.SplitSeq(p, "\n") {
			fmt.Fprintf(&b, "<%X> Tj T*\n", bigEndian(line))
		}
		b.WriteString("ET")
		contents = append(contents, []byte(b.String()))
	}
	return pdfOf(trailer, "", contents...)
}

func bigEndian(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u>>8), byte(u))
	}
	return out
}

// pdfOf makes a PDF of pages with given content streams; filter stands in their
// dictionaries.
func pdfOf(trailer, filter string, contents ...[]byte) []byte {
	var b bytes.Buffer
	var at []int
	obj := func(s string, stream []byte) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(at))
		if stream != nil {
			fmt.Fprintf(&b, "<< /Length %d %s >>\nstream\n", len(stream), s)
			b.Write(stream)
			b.WriteString("\nendstream\nendobj\n")
			return
		}
		b.WriteString(s + "\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n")
	obj("<< /Type /Catalog /Pages 2 0 R >>", nil)
	var kids strings.Builder
	for i := range contents {
		fmt.Fprintf(&kids, "%d 0 R ", 6+2*i)
	}
	obj(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [ %s] >>", len(contents), kids.String()), nil)
	obj("<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [ 4 0 R ] >>", nil)
	obj("<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor 5 0 R >>", nil)
	obj("<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [ -25 -254 1000 880 ] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>", nil)
	for i, c := range contents {
		obj(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 595 842 ] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 7+2*i), nil)
		obj(filter, c)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, trailer, start)
	return b.Bytes()
}

// encrypted is what stands in the trailer of a PDF with an unknown password.
const encrypted = "/ID [ <00112233445566778899AABBCCDDEEFF> <00112233445566778899AABBCCDDEEFF> ] /Encrypt << /Filter /Standard /V 1 /R 2 /P -44 " +
	"/O <000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F> /U <202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F> >>"

// deflated is n times the text, compressed by zlib.
func deflated(t testing.TB, text string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	chunk := []byte(strings.Repeat(text, max(1, (1<<20)/len(text))))
	for left := n * len(text); left > 0; left -= len(chunk) {
		if _, err := z.Write(chunk[:min(left, len(chunk))]); err != nil {
			t.Fatal(err)
		}
	}
	must(t, z.Close())
	return b.Bytes()
}

// archive makes a ZIP archive of names and contents.
func archive(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	deflate, err := flate.NewWriter(nil, flate.BestSpeed) // one entry is closed before the next begins
	must(t, err)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { deflate.Reset(w); return deflate, nil })
	for i := 0; i < len(parts); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: zip.Deflate, NonUTF8: !strings.Contains(parts[i], "/")})
		if err == nil {
			_, err = io.WriteString(w, parts[i+1])
		}
		must(t, err)
	}
	must(t, z.Close())
	return b.Bytes()
}

const (
	types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
	wordX = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>
<w:p><w:r><w:t>采购</w:t></w:r><w:del><w:r><w:delText>旧</w:delText></w:r></w:del><w:ins><w:r><w:t>公告</w:t></w:r></w:ins></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>预算金额</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>90.2</w:t></w:r></w:p><w:p><w:r><w:t>万元</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t xml:space="preserve">截止 </w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>7月18日&amp;9:30</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:t>联系人：</w:t><w:tab/><w:t>张三</w:t><w:br/><w:t>电话</w:t></w:r></w:p></w:body></w:document>`
	wordText = "采购公告\n预算金额\t90.2 万元\n截止\t7月18日&9:30\n联系人： 张三 电话"
)

func docx(t testing.TB, document string) []byte {
	return archive(t, "[Content_Types].xml", types, "word/document.xml", document)
}

// xlsx makes a workbook of one sheet with two shared strings.
func xlsx(t testing.TB, sheetData string) []byte {
	return archive(t, "[Content_Types].xml", types,
		"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="清单" sheetId="1" r:id="rId1"/><sheet name="秘" sheetId="2" state="hidden" r:id="rId2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/sharedStrings.xml", `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>名称</t></si><si><r><t>单</t></r><r><t>价</t></r><rPh><t>jia</t></rPh></si></sst>`,
		"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="177" formatCode="[Red]0.00&quot;day&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="176"/><xf numFmtId="177"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+sheetData+`</sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml", `<worksheet><sheetData><row><c t="inlineStr"><is><t>hidden</t></is></c></row></sheetData></worksheet>`)
}

const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
<row r="2"><c r="A2" t="inlineStr"><is><t>显微镜</t></is></c><c r="B2" s="1"><v>46000</v></c><c r="C2"><v>0.30000000000000004</v></c><c r="D2" s="2"><v>12.5</v></c><c r="E2" s="3"><v>46000.395833333336</v></c></row>`
const rowsText = "名称\t\t单价\n显微镜\t2025-12-09\t0.3\t12.5\t2025-12-09 09:30"
