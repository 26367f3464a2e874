package attachments

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"
)

// documentKindOf returns the kind of a document by its content. name, a file name or an address,
// only decides between old Office formats, which share one container.
func documentKindOf(body []byte, name string) documentKind {
	head := body[:min(len(body), 1024)]
	has := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case len(body) == 0:
		return EmptyText
	case bytes.Contains(head, []byte("%PDF-")):
		return PDF
	case has("PK\x03\x04"), has("PK\x05\x06"), has("PK\x07\x08"):
		return zipKind(body)
	case has("Rar!\x1a\x07"):
		return RAR
	case has("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return oleKind(body, name)
	case has("{\\rtf"):
		return RTF
	case has("\xff\xd8\xff"), has("\x89PNG"), has("GIF8"), has("BM") && len(body) > 26 && body[14] == 40,
		has("II*\x00"), has("MM\x00*"),
		has("RIFF") && len(head) > 12 && string(head[8:12]) == "WEBP":
		return Image
	case has("7z\xbc\xaf\x27\x1c"), has("\x1f\x8b"), has("MZ"), has("\x7fELF"), has("CWS"), has("FWS"):
		return OtherKind
	}
	low := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	if bytes.HasPrefix(low, []byte("<")) || bytes.Contains(low, []byte("<html")) ||
		bytes.Contains(low, []byte("<!doctype html")) {
		return HTML
	}
	if plainText(head) {
		return TXT
	}
	return OtherKind
}

// plainText reports whether bytes are text: almost no control characters, or UTF-16 with a byte
// order mark.
func plainText(b []byte) bool {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return true
	}
	control := 0
	for _, c := range b {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			control++
		}
	}
	return control*30 <= len(b) // compressed data has one in nine
}

// zipKind decides by the names of the entries.
func zipKind(body []byte) documentKind {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return ZIP
	}
	types := false
	kind := ZIP
	for _, f := range z.File[:min(len(z.File), 2000)] {
		switch f.Name {
		case "[Content_Types].xml":
			types = true
		case "word/document.xml", "word/document2.xml":
			kind = DOCX
		case "xl/workbook.xml", "xl/workbook.bin":
			kind = XLSX
		case "ppt/presentation.xml":
			kind = PPTX
		case "OFD.xml":
			return OFD
		case "mimetype":
			if r, err := f.Open(); err == nil {
				b, _ := io.ReadAll(io.LimitReader(r, 100))
				r.Close()
				if bytes.HasPrefix(b, []byte("application/vnd.oasis.opendocument.")) {
					return ODF
				}
			}
		}
	}
	if !types {
		return ZIP
	}
	return kind
}

// oleKind searches the container for stream names.
func oleKind(body []byte, name string) documentKind {
	wide := func(s string) []byte {
		b := make([]byte, 0, 2*len(s))
		for _, c := range []byte(s) {
			b = append(b, c, 0)
		}
		return b
	}
	for _, k := range []struct {
		stream string
		kind   documentKind
	}{{"WordDocument", DOC}, {"Workbook", XLS}, {"PowerPoint Document", PPT}} {
		if bytes.Contains(body, wide(k.stream)) {
			return k.kind
		}
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".doc", ".wps", ".dot":
		return DOC
	case ".xls", ".et", ".xlt":
		return XLS
	case ".ppt", ".dps", ".pps":
		return PPT
	}
	return OtherKind
}

// ext returns the usual file ending of a kind, with its dot; "" if there is none.
func (k documentKind) ext() string {
	switch k {
	case PDF, DOCX, XLSX, PPTX, OFD, DOC, XLS, PPT, RTF, ZIP, RAR, HTML:
		return "." + string(k)
	case TXT:
		return ".txt"
	}
	return ""
}
