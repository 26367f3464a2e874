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

// ReaderVersion is the version of the reader. A text of another version is read again.
const ReaderVersion = 2

// documentKind is the type of a document, by content.
type documentKind string

// Kinds of documents. Those before Image have texts.
const (
	PDF  documentKind = "pdf"
	DOCX documentKind = "docx"
	XLSX documentKind = "xlsx"
	PPTX documentKind = "pptx"
	ODF  documentKind = "odf" // OpenDocument text, spreadsheet, presentation
	OFD  documentKind = "ofd" // GB/T 33190
	DOC  documentKind = "doc"
	XLS  documentKind = "xls"
	PPT  documentKind = "ppt"
	RTF  documentKind = "rtf"
	ZIP  documentKind = "zip"
	RAR  documentKind = "rar"
	HTML documentKind = "html"
	TXT  documentKind = "text"

	Image     documentKind = "image"
	OtherKind documentKind = "other"
	EmptyText documentKind = "empty"
)

// Reasons for a document without text.
var (
	errEncrypted   = errors.New("it is encrypted; ask the publisher for the password")
	errDamaged     = errors.New("it is damaged")
	errNoConverter = errors.New("no converter for its format is installed")
	errNoText      = errors.New("it holds no text")
	errTooLong     = errors.New("reading it took too long")
	errBomb        = errors.New("it unpacks to more than is read")
)

// documentLimits bounds the reading of one document.
type documentLimits struct {
	Pages    int           // pages of a PDF, sheets, or tens of entries of a listing
	Letters  int           // bytes of the text
	Unpacked int64         // bytes of all unpacked parts
	Memory   int           // bytes of PDFium's memory and of a workbook's row
	Time     time.Duration // total time
}

// defaultDocumentLimits suit tender documents: the longest have about 300 pages.
var defaultDocumentLimits = documentLimits{Pages: 500, Letters: 4 << 20, Unpacked: 256 << 20, Memory: 256 << 20,
	Time: 60 * time.Second}

// documentContent is the text of a document.
type documentContent struct {
	Kind  documentKind
	Text  string // clean; paragraphs and rows separated by '\n', cells by '\t'
	Pages int    // pages, slides, sheets or entries; 0 = unknown
	Cut   string // bound that ended reading; "" = complete
}

// documentReader reads documents. The zero value works; Close frees PDFium's memory. It is safe for
// concurrent use.
type documentReader struct {
	Limits documentLimits // zero means defaultDocumentLimits
	// Cache is a folder for compiled code, shared between processes; "" = none. A user with write
	// access to it can run code in this program.
	Cache string
	// Converters reads old formats; nil = Installed.
	Converters []Converter

	pdf engine
}

// readers bounds the documents read at a time per process. A reader past its time keeps its slot
// until it ends.
var readers = make(chan struct{}, 4)

// Read returns a document's text. name helps to distinguish formats with equal content. Kind is set
// even with an error.
func (r *documentReader) Read(ctx context.Context, body []byte, name, contentType string) (documentContent, error) {
	lim := r.Limits
	if lim == (documentLimits{}) {
		lim = defaultDocumentLimits
	}
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
		select { // prefer the reader's own result
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

// grace is the time a canceled reader has to end.
const grace = 2 * time.Second

func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errTooLong
	}
	return ctx.Err()
}

func (r *documentReader) read(j *job, kind documentKind, body []byte, name, contentType string) (documentContent,
	error) {
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
	lim    documentLimits
	left   int64 // bytes that may still be unpacked
	b      strings.Builder
	cut    string
	steps  int
	strict bool // elements stops at XML that is not well-formed
}

// full reports whether a bound was reached.
func (j *job) full() bool { return j.cut != "" }

func (j *job) cutAt(format string, args ...any) {
	if j.cut == "" {
		j.cut = fmt.Sprintf(format, args...)
	}
}

// put appends text, up to the bound.
func (j *job) put(s string) {
	if room := j.lim.Letters - j.b.Len(); len(s) > room {
		s = strings.ToValidUTF8(s[:max(0, room)], "")
		j.cutAt("%d bytes of text", j.lim.Letters)
	}
	j.b.WriteString(s)
}

// checkTime returns the error of a job whose time is over. It checks every 1024th call.
func (j *job) checkTime() error {
	if j.steps++; j.steps%1024 == 0 && j.ctx.Err() != nil {
		return ended(j.ctx)
	}
	return nil
}

// text returns the cleaned text.
func (j *job) text(pages int) documentContent {
	return documentContent{Text: cleanLines(j.b.String()), Pages: pages, Cut: j.cut}
}

// cleanLines cleans a text line by line. It removes blanks at the ends of lines and empty lines.
func cleanLines(s string) string {
	out := make([]byte, 0, len(s))
	for line := range strings.FieldsFuncSeq(s,
		func(r rune) bool { return r == '\n' || r == '\r' || r == '\f' || r == '\v' }) {
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
