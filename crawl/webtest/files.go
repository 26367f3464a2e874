package webtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// fileTypes maps the endings of attachments to their media types.
var fileTypes = map[string]string{
	".pdf":  "application/pdf",
	".doc":  "application/msword",
	".xls":  "application/vnd.ms-excel",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// file is the k-th attachment of item j of a column.
type file struct {
	col, j, k int
	ext       string
}

// appendFile appends an attachment's path and query without the leading slash. VSB hosts serve every second one
// through download.jsp, whose address hides the type.
func (h *host) appendFile(dst []byte, f file) []byte {
	id, col := h.itemID(f.col, f.j), h.columns+f.col
	switch {
	case h.webplus:
		return fmt.Appendf(dst, "_upload/article/files/c%d/a%d/%d%s", col, id, f.k, f.ext)
	case f.k%2 == 1:
		return fmt.Appendf(dst, "system/_content/download.jsp?urltype=news.DownloadAttachUrl&owner=1326541694&wbfileid=%d",
			(col*idSpan+id)*10+f.k)
	}
	return fmt.Appendf(dst, "__local/c%d/%d-%d%s", col, id, f.k, f.ext)
}

// idSpan exceeds every item's number.
const idSpan = 100_000_000

// findFile is the inverse of appendFile.
func (w *Web) findFile(h *host, path, query string, extra int) (f file, ok bool) {
	var col, id int
	if number, ok := strings.CutPrefix(query[strings.LastIndexByte(query, '&')+1:], "wbfileid="); ok {
		n, err := strconv.ParseInt(number, 10, 63)
		if err != nil || n < 0 {
			return f, false
		}
		col, id, f.k = int(n/10/idSpan), int(n/10%idSpan), int(n%10)
		path += "?" + query
	} else {
		stem, _, _ := strings.Cut(path, ".")
		words := strings.FieldsFunc(stem, func(c rune) bool { return c < '0' || c > '9' })
		if len(words) != 3 {
			return f, false
		}
		var errs [3]error
		col, errs[0] = strconv.Atoi(words[0])
		id, errs[1] = strconv.Atoi(words[1])
		f.k, errs[2] = strconv.Atoi(words[2])
		if errs != [3]error{} {
			return f, false
		}
	}
	f.col = col - h.columns
	if f.col < 0 || f.col >= len(h.plan.columns) {
		return f, false
	}
	if f.j, ok = h.ordinal(f.col, id, h.plan.columns[f.col].items+extra); !ok {
		return f, false
	}
	f.ext = attachmentExt(itemLayout(w.itemTopic(h, f.col, f.j), h.itemKey(f.col, f.j)), f.k)
	return f, f.ext != "" && string(h.appendFile(nil, f)) == path
}

// attachmentExt returns the ending of a layout's k-th attachment, "" if there is none.
func attachmentExt(blocks []block, k int) string {
	for i := range blocks {
		if blocks[i].kind == attachment {
			if k == 0 {
				return blocks[i].ext
			}
			k--
		}
	}
	return ""
}

// fileBody returns a small valid file of the type.
func fileBody(ext string) []byte {
	switch ext {
	case ".pdf":
		return pdf
	case ".docx":
		return docx()
	case ".xlsx":
		return xlsx()
	}
	return ole
}

// ole is the header of a compound document, enough for type detection.
var ole = append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 504)...)

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`

// docx and xlsx are built at first use, because the program imports this package and must start fast.
var (
	docx = sync.OnceValue(func() []byte {
		return pack("word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
			`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>附件</w:t></w:r></w:p></w:body></w:document>`)
	})
	xlsx = sync.OnceValue(func() []byte {
		return pack("xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
			`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>`)
	})
)

// pack returns an Open XML package with one part.
func pack(name, contentType, body string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range [][2]string{
		{"[Content_Types].xml",
			`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/` + name + `" ContentType="` + contentType + `"/></Types>`},
		{"_rels/.rels",
			`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="` + name + `"/></Relationships>`},
		{name, body},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f[0], Method: zip.Deflate, Modified: time.Date(2026, 1, 1,
			0, 0, 0, 0, time.UTC)})
		if err == nil {
			_, err = w.Write([]byte(xmlHead + f[1]))
		}
		if err != nil { // a bytes.Buffer cannot fail
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// pdf is one empty A4 page; readers rebuild the missing cross references.
var pdf = []byte(
	"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
