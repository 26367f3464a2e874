package xlsx

import (
	"fmt"
	"strings"
)

// This file holds the small parts of the workbook beside its sheets.

const (
	declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relations   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packaged    = "http://schemas.openxmlformats.org/package/2006/relationships"
	contents    = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// The styles, by their places in cellXfs.
const (
	styleText = iota
	styleHead
	styleNumber
	styleMoney
	styleDay
	styleMinute
	styleSecond
	styleLink
	styleQuoted // a text that begins like a formula
)

const styles = declaration + `<styleSheet xmlns="` + spreadsheet + `">` +
	`<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm"/><numFmt numFmtId="166" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
	`<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts>` +
	`<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7EEF7"/><bgColor indexed="64"/></patternFill></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="9">` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="49" fontId="2" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>` +
	`</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

// parts are the names and contents of what is written at the end.
func (x *Writer) parts() [][2]string {
	var types, rels, sheets, filters strings.Builder
	for i := 1; i <= x.sheets; i++ {
		name := x.name
		if i > 1 {
			name = fmt.Sprintf("%s %d", x.name, i)
		}
		name = string(appendText(nil, name, maxCell))
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="`+contents+`worksheet+xml"/>`, i)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Type="`+relations+`/worksheet" Target="worksheets/sheet%d.xml"/>`, i, i)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, i, i)
		if len(x.columns) > 0 {
			rows := x.most
			if i == x.sheets {
				rows = x.row
			}
			fmt.Fprintf(&filters, `<definedName name="_xlnm._FilterDatabase" localSheetId="%d" hidden="1">'%s'!$A$1:$%s$%d</definedName>`, i-1, name, x.places[len(x.places)-1], rows)
		}
	}
	if filters.Len() > 0 {
		filters.WriteString("</definedNames>")
	}
	names := strings.Replace(filters.String(), "<definedName ", "<definedNames><definedName ", 1)
	return [][2]string{
		{"[Content_Types].xml", declaration + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + contents + `sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="` + contents + `styles+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", declaration + `<Relationships xmlns="` + packaged + `"><Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", declaration + `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + relations + `"><sheets>` + sheets.String() + `</sheets>` + names + `</workbook>`},
		{"xl/_rels/workbook.xml.rels", declaration + `<Relationships xmlns="` + packaged + `">` + rels.String() + fmt.Sprintf(`<Relationship Id="rId%d" Type="`+relations+`/styles" Target="styles.xml"/>`, x.sheets+1) + `</Relationships>`},
		{"xl/styles.xml", styles},
	}
}
