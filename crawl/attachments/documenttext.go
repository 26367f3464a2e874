package attachments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"angler/crawl/htmldoc"
)

// ReaderVersion says by which reader a text was read; another one is to read it again.
const ReaderVersion = 2

// DocumentKind is what a document is by its content.
type DocumentKind string

// The kinds. Those of the first lines have texts.
const (
	PDF  DocumentKind = "pdf"
	DOCX DocumentKind = "docx"
	XLSX DocumentKind = "xlsx"
	PPTX DocumentKind = "pptx"
	ODF  DocumentKind = "odf" // OpenDocument: texts, tables, presentations
	OFD  DocumentKind = "ofd" // GB/T 33190
	DOC  DocumentKind = "doc"
	XLS  DocumentKind = "xls"
	PPT  DocumentKind = "ppt"
	RTF  DocumentKind = "rtf"
	ZIP  DocumentKind = "zip"
	RAR  DocumentKind = "rar"
	HTML DocumentKind = "html"
	TXT  DocumentKind = "text"

	Image     DocumentKind = "image"
	OtherKind DocumentKind = "other"
	EmptyText DocumentKind = "empty"
)

// Why a document gave no text.
var (
	errEncrypted   = errors.New("it is encrypted; ask the publisher for the password")
	errDamaged     = errors.New("it is damaged")
	errNoConverter = errors.New("no converter for its format is installed")
	errNoText      = errors.New("it holds no text")
	errTooLong     = errors.New("reading it took too long")
	errBomb        = errors.New("it unpacks to more than is read")
)

// DocumentLimits bound the reading of one document.
type DocumentLimits struct {
	Pages    int           // of a PDF; sheets; entries of a listing ×10
	Letters  int           // bytes of the text
	Unpacked int64         // bytes of all parts of an archive that are read
	Memory   int           // bytes of PDFium's memory, and of a workbook's row
	Time     time.Duration // of all of it
}

// defaultDocumentLimits suit tender documents: the longest have some 300 pages.
var defaultDocumentLimits = DocumentLimits{Pages: 500, Letters: 4 << 20, Unpacked: 256 << 20, Memory: 256 << 20, Time: 60 * time.Second}

// documentContent is what a document says.
type documentContent struct {
	Kind  DocumentKind
	Text  string // clean; paragraphs and rows separated by '\n', cells by '\t'
	Pages int    // pages, slides, sheets or entries that the document has; 0 = unknown
	Cut   string // the bound at which reading ended; "" = all was read
}

// documentReader reads documents. The zero value works; Close frees what PDFium takes. Safe
// for concurrent use.
type documentReader struct {
	Limits DocumentLimits // defaultDocumentLimits where zero
	// Cache is a folder in which compiled code is kept between two processes; "" = none.
	// A user who may write there is trusted like the program itself.
	Cache string
	// Converters are the programs that read old formats, see Installed; nil = look for
	// them.
	Converters []Converter

	pdf engine
}

// readers bounds how many documents are read at a time in the process: what overruns
// its time keeps its place until it ends.
var readers = make(chan struct{}, 4)

// Read returns a document's text. name may help to tell formats apart that look the
// same inside. With an error, Text.Kind is known all the same.
func (r *documentReader) Read(ctx context.Context, body []byte, name, contentType string) (documentContent, error) {
	lim := r.Limits.or(defaultDocumentLimits)
	kind := documentKindOf(body, name)
	ctx, cancel := context.WithTimeout(ctx, lim.Time)
	defer cancel()
	type answer struct {
		t   documentContent
		err error
	}
	select {
	case readers <- struct{}{}:
	case <-ctx.Done():
		return documentContent{Kind: kind}, ended(ctx)
	}
	done := make(chan answer, 1)
	go func() {
		defer func() { <-readers }()
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("%w: %v", errDamaged, p)
			}
			done <- a
		}()
		a.t, a.err = r.read(&job{ctx: ctx, lim: lim, left: lim.Unpacked}, kind, body, name, contentType)
	}()
	var a answer
	select {
	case a = <-done:
	case <-ctx.Done():
		select { // what ends by itself says more
		case a = <-done:
		case <-time.After(grace):
			a.err = ended(ctx)
		}
	}
	if a.err != nil && ctx.Err() != nil {
		a.err = ended(ctx)
	}
	if a.err == nil && a.t.Text == "" {
		a.err = errNoText
	}
	a.t.Kind = kind
	return a.t, a.err
}

// grace is how long a reader that was told to end may take for it.
const grace = 2 * time.Second

func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errTooLong
	}
	return ctx.Err()
}

func (l DocumentLimits) or(d DocumentLimits) DocumentLimits {
	if l.Pages == 0 {
		l.Pages = d.Pages
	}
	if l.Letters == 0 {
		l.Letters = d.Letters
	}
	if l.Unpacked == 0 {
		l.Unpacked = d.Unpacked
	}
	if l.Memory == 0 {
		l.Memory = d.Memory
	}
	if l.Time == 0 {
		l.Time = d.Time
	}
	return l
}

func (r *documentReader) read(j *job, kind DocumentKind, body []byte, name, contentType string) (documentContent, error) {
	switch kind {
	case PDF:
		return r.pdf.read(j, r.Cache, body)
	case DOCX, PPTX, ODF, OFD:
		return j.markup(kind, body)
	case XLSX:
		return j.workbook(body)
	case DOC, XLS, PPT, RTF:
		return r.convert(j, kind, body)
	case ZIP:
		return j.zipListing(body)
	case RAR:
		return j.rarListing(body)
	case HTML:
		return webPage(body, contentType)
	case TXT:
		return j.plain(body, contentType)
	case EmptyText:
		return documentContent{}, fmt.Errorf("%w: it has no bytes", errDamaged)
	}
	return documentContent{}, errNoText
}

// job is the reading of one document.
type job struct {
	ctx    context.Context
	lim    DocumentLimits
	left   int64 // bytes that may still be unpacked
	b      strings.Builder
	cut    string
	steps  int
	strict bool  // elements ends where XML is not well-formed
	offset int64 // where the token begins that elements reads
}

// full tells whether no more text is wanted.
func (j *job) full() bool { return j.cut != "" }

func (j *job) cutAt(format string, args ...any) {
	if j.cut == "" {
		j.cut = fmt.Sprintf(format, args...)
	}
}

// put adds text as it is found.
func (j *job) put(s string) {
	if room := j.lim.Letters - j.b.Len(); len(s) > room {
		s = strings.ToValidUTF8(s[:max(0, room)], "")
		j.cutAt("%d bytes of text", j.lim.Letters)
	}
	j.b.WriteString(s)
}

// late is the error of a job whose time is over; it looks every thousandth call.
func (j *job) late() error {
	if j.steps++; j.steps%1024 == 0 && j.ctx.Err() != nil {
		return ended(j.ctx)
	}
	return nil
}

// text is what was put, cleaned.
func (j *job) text(pages int) documentContent {
	return documentContent{Text: tidy(j.b.String()), Pages: pages, Cut: j.cut}
}

// tidy cleans a text line by line; blanks at the ends of lines and empty lines are
// left out.
func tidy(s string) string {
	out := make([]byte, 0, len(s))
	for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\f' || r == '\v' }) {
		from, first, blank := len(out), true, true
		for cell := range strings.SplitSeq(line, "\t") {
			if !first {
				out = append(out, '\t')
			}
			first = false
			text, _ := htmldoc.Fold(nil, cell)
			text = bytes.TrimSpace(text)
			blank = blank && len(text) == 0
			out = append(out, text...)
		}
		if blank {
			out = out[:from]
			continue
		}
		out = append(bytes.TrimRight(out, "\t"), '\n')
	}
	return string(bytes.TrimSuffix(out, []byte("\n")))
}
