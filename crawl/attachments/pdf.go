package attachments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// engine is the compiled PDFium, compiled at the first PDF. Every document gets an instance with
// its own memory, so no document sees data of another.
type engine struct {
	mu    sync.Mutex // held while PDFium is compiled or closed
	pool  pdfium.Pool
	cache wazero.CompilationCache
}

// maxParallelPDFs bounds the PDFs read at a time.
const maxParallelPDFs = 2

// open compiles PDFium or loads it from the cache folder. memory is the limit per document, in
// bytes.
func (e *engine) open(folder string, memory int) (pdfium.Pool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool != nil {
		return e.pool, nil
	}
	if folder != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(folder); err == nil {
			if e.pool, err = start(cache, memory); err == nil {
				e.cache = cache
				return e.pool, nil
			}
			cache.Close(context.Background()) // the cache was damaged
		}
	}
	pool, err := start(nil, memory)
	if err == nil {
		e.pool = pool
	}
	return pool, err
}

func start(cache wazero.CompilationCache, memory int) (pdfium.Pool, error) {
	const page = 64 << 10
	c := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(max(256, memory/page))).WithCloseOnContextDone(true)
	if cache != nil {
		c = c.WithCompilationCache(cache)
	}
	return webassembly.Init(webassembly.Config{MaxIdle: 0, MaxTotal: maxParallelPDFs, RuntimeConfig: c,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard})
}

// close frees the compiled code; the next PDF compiles it again.
func (e *engine) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var err error
	if e.pool != nil {
		err = e.pool.Close()
		e.pool = nil
	}
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
		e.cache = nil
	}
	return err
}

// Close frees the compiled PDFium, about 60 MB. The documentReader stays usable.
func (r *documentReader) Close() error { return r.pdf.close() }

// read reads a PDF page by page.
func (e *engine) read(j *job, folder string, body []byte) (documentContent, error) {
	pool, err := e.open(folder, j.lim.Memory)
	if err != nil {
		return documentContent{}, fmt.Errorf("PDFium does not start: %w", err)
	}
	in, err := pool.GetInstanceWithContext(j.ctx)
	if err != nil {
		return documentContent{}, err
	}
	defer in.Close()
	if err := bound(in, j.ctx); err != nil {
		return documentContent{}, err
	}
	doc, err := in.OpenDocument(&requests.OpenDocument{File: &body})
	if err != nil {
		return documentContent{}, pdfError(err)
	}
	n, err := in.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
	if err != nil {
		return documentContent{}, pdfError(err)
	}
	bad := 0
	for i := 0; i < n.PageCount && !j.full(); i++ {
		if i == j.lim.Pages {
			j.cutAt("%d of %d pages", j.lim.Pages, n.PageCount)
			break
		}
		s, err := pageText(j, in, doc.Document, i)
		if j.ctx.Err() != nil {
			return j.text(n.PageCount), ended(j.ctx)
		}
		if err != nil {
			if bad++; bad > 20 { // after a crash every call fails
				break
			}
			continue
		}
		j.put(s)
		j.put("\n")
	}
	t := j.text(n.PageCount)
	if bad > 0 {
		j.cutAt("pages that cannot be read")
		t.Cut = j.cut
	}
	if t.Text == "" {
		if bad > 0 {
			return t, errDamaged
		}
		return t, fmt.Errorf("%w: its %d pages are pictures", errNoText, n.PageCount)
	}
	return t, nil
}

// bound makes calls of an instance end with ctx. The library offers no way to set its Context
// field, so reflection does it.
func bound(in pdfium.Pdfium, ctx context.Context) error {
	v := reflect.Indirect(reflect.ValueOf(in.GetImplementation()))
	if v.Kind() == reflect.Struct {
		if f := v.FieldByName("Context"); f.IsValid() && f.CanSet() && f.Type() == reflect.TypeFor[context.Context]() {
			f.Set(reflect.ValueOf(ctx))
			return nil
		}
	}
	return errors.New("PDFium's time cannot be bounded in this version of its library")
}

// pageText returns the text of a page in PDFium's order.
func pageText(j *job, in pdfium.Pdfium, doc references.FPDF_DOCUMENT, i int) (string, error) {
	p, err := in.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i})
	if err != nil {
		return "", err
	}
	defer in.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: p.Page})
	t, err := in.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &p.Page}})
	if err != nil {
		return "", err
	}
	defer in.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: t.TextPage})
	n, err := in.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: t.TextPage})
	if err != nil || n.Count <= 0 {
		return "", err
	}
	s, err := in.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: t.TextPage, StartIndex: 0,
		Count: min(n.Count, j.lim.Letters)})
	if err != nil {
		return "", err
	}
	return strings.ReplaceAll(s.Text, "\ufffe", ""), nil // U+FFFE marks a hyphen at the end of a line
}

// pdfError translates PDFium's errors.
func pdfError(err error) error {
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return errEncrypted
	case errors.Is(err, pdferrors.ErrFormat), errors.Is(err, pdferrors.ErrFile), errors.Is(err, pdferrors.ErrPage),
		errors.Is(err, pdferrors.ErrUnknown):
		return errDamaged
	}
	return fmt.Errorf("%w: %v", errDamaged, err)
}
