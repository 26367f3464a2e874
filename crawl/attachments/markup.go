package attachments

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// part opens a part of a ZIP document. Its unpacked bytes count against the job's limit.
func (j *job) part(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errEncrypted
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errDamaged, err)
	}
	return &unpacking{r, j}, nil
}

// unpacking returns errBomb once a job has unpacked too much.
type unpacking struct {
	io.ReadCloser
	j *job
}

func (u *unpacking) Read(p []byte) (int, error) {
	if err := u.j.ctx.Err(); err != nil {
		return 0, ended(u.j.ctx)
	}
	n, err := u.ReadCloser.Read(p)
	if u.j.left -= int64(n); u.j.left < 0 {
		return 0, errBomb
	}
	return n, err
}

// parts opens a document's archive.
func parts(body []byte) (*zip.Reader, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errDamaged, err)
	}
	return z, nil
}

// maxXMLDepth bounds the nesting of elements.
const maxXMLDepth = 512

// elements calls start, text and end for the tokens of an XML part. A bound or damage ends it
// without an error and sets cut. It returns an error if the job's time is over.
func (j *job) elements(r io.Reader, start func(xml.StartElement), text func(string), end func(name string)) error {
	d := xml.NewDecoder(r)
	d.Strict = j.strict
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth := 0
	for {
		if err := j.checkTime(); err != nil {
			return err
		}
		t, err := d.RawToken()
		if err == io.EOF || j.full() {
			return nil
		}
		if err != nil {
			switch {
			case errors.Is(err, errBomb):
				j.cutAt("%d MB unpacked", j.lim.Unpacked>>20)
			case j.ctx.Err() != nil:
				return ended(j.ctx)
			default:
				j.cutAt("it is damaged behind here")
			}
			return nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				j.cutAt("%d elements in one another", maxXMLDepth)
				return nil
			}
			start(t)
		case xml.CharData:
			text(string(t))
		case xml.EndElement:
			depth--
			end(t.Name.Local)
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// markup reads formats with text in XML elements: Word, PowerPoint, OpenDocument and OFD.
func (j *job) markup(kind documentKind, body []byte) (documentContent, error) {
	z, err := parts(body)
	if err != nil {
		return documentContent{}, err
	}
	files := j.textParts(kind, z)
	if len(files) == 0 {
		return documentContent{}, fmt.Errorf("%w: the part with its text is missing", errDamaged)
	}
	pages := 0
	if kind == PPTX || kind == OFD {
		pages = len(files)
	}
	for i, f := range files {
		if j.full() {
			break
		}
		if i == j.lim.Pages {
			j.cutAt("%d of %d pages", i, len(files))
			break
		}
		r, err := j.part(f)
		if err != nil {
			if i == 0 {
				return documentContent{}, err
			}
			continue
		}
		err = j.body(kind, r)
		r.Close()
		if err != nil {
			return j.text(pages), err
		}
		j.put("\n")
	}
	t := j.text(pages)
	if t.Text == "" && t.Cut != "" {
		return t, fmt.Errorf("%w: %s", errDamaged, t.Cut)
	}
	return t, nil
}

// textParts returns the parts of an archive with the document's text, in order.
func (j *job) textParts(kind documentKind, z *zip.Reader) []*zip.File {
	var out []*zip.File
	for _, f := range z.File {
		name := f.Name
		ok := false
		switch kind {
		case DOCX:
			name = strings.TrimPrefix(name, "word/")
			ok = name != f.Name && (strings.HasPrefix(name, "document") || strings.HasPrefix(name, "footnotes") ||
				strings.HasPrefix(name, "header") || strings.HasPrefix(name, "footer")) &&
				strings.HasSuffix(name, ".xml")
		case PPTX:
			ok = strings.HasPrefix(name, "ppt/slides/slide") && strings.HasSuffix(name, ".xml")
		case ODF:
			ok = name == "content.xml"
		case OFD:
			ok = strings.Contains(name, "/Pages/") && strings.HasSuffix(name, "Content.xml")
		}
		if ok {
			out = append(out, f)
		}
	}
	rank := func(f *zip.File) int {
		if kind == DOCX {
			return slices.IndexFunc([]string{"word/header", "word/document", "word/footnotes", "word/footer"},
				func(s string) bool { return strings.HasPrefix(f.Name, s) })
		}
		return number(f.Name)
	}
	slices.SortStableFunc(out, func(a, b *zip.File) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// number returns the last number in a part's name.
func number(name string) int {
	end := strings.LastIndexAny(name, "0123456789") + 1
	begin := end
	for begin > 0 && name[begin-1] >= '0' && name[begin-1] <= '9' {
		begin--
	}
	n, _ := strconv.Atoi(name[begin:end])
	return n
}

// body writes the text of one part. A paragraph is a line, and a table row is a line of cells.
// Paragraphs in a cell are joined.
func (j *job) body(kind documentKind, r io.Reader) error {
	cells, skip, texts := 0, 0, 0
	word := kind == DOCX || kind == PPTX
	start := func(e xml.StartElement) {
		switch name := e.Name.Local; {
		case skip > 0, name == "Fallback", name == "annotation", name == "tracked-changes", name == "del" && word,
			name == "instrText":
			skip++
		case name == "t", name == "TextCode", name == "p" && kind == ODF, name == "h" && kind == ODF:
			texts++
		case name == "tc", name == "table-cell":
			cells++
		case name == "tab":
			j.put(" ")
		case name == "br", name == "cr", name == "line-break":
			j.put(" ")
		case name == "s" && kind == ODF:
			j.put(" ")
		}
	}
	text := func(s string) {
		if texts > 0 && skip == 0 {
			j.put(s)
		}
	}
	end := func(name string) {
		switch {
		case skip > 0:
			skip--
		case name == "t":
			texts--
		case name == "TextCode":
			texts--
			j.put("\n")
		case name == "p", name == "h" && kind == ODF:
			if kind == ODF {
				texts--
			}
			if cells > 0 {
				j.put(" ")
			} else {
				j.put("\n")
			}
		case name == "tc", name == "table-cell":
			cells--
			if cells == 0 {
				j.put("\t")
			}
		case name == "tr", name == "table-row":
			if cells == 0 {
				j.put("\n")
			}
		}
	}
	return j.elements(r, start, text, end)
}
