// Package extract reads documents without a workspace: title, date, main text, records and attachments of one file,
// or of a batch on all processors. A document costs one parse and one main text, about 5 ms. A batch holds at most
// four documents per processor in memory. Documents are hostile: an error is in the document's row and does not stop
// the batch.
package extract

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/crawl/view"
)

// Document is one line of a batch list.
type Document struct {
	File string `json:"file"` // path, or "-" for standard input
	URL  string `json:"url"`  // base of its links
}

// Extracted holds the data read from one document.
type Extracted struct {
	File        string               `json:"file"`
	URL         string               `json:"url"`
	Charset     string               `json:"charset"`
	Type        string               `json:"type"`
	Title       string               `json:"title"`
	Date        string               `json:"date"`
	Text        string               `json:"text"`
	Records     []extractedRecord    `json:"records"`
	AnchorRatio float64              `json:"anchor_ratio"`
	Attachments []article.Attachment `json:"attachments,omitempty"`
	Method      string               `json:"method,omitempty"` // method that found the text
	Limits      []string             `json:"limits,omitempty"`
	Blocks      *page.Explanation    `json:"blocks,omitempty"` // if Extractor.Blocks
	// if Extractor.Fields; nil on pages that are not notices
	Fields *noticeValues  `json:"fields,omitempty"`
	Values *fields.Result `json:"values,omitempty"` // if Extractor.Spans
	Error  string         `json:"error,omitempty"`
}

// extractedRecord is one record of a list page.
type extractedRecord struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	Date  string `json:"date"`
}

// Extractor reads documents without a workspace. It is safe for concurrent use.
type Extractor struct {
	Method   string                            // of the main text; "" = auto
	Now      time.Time                         // dates more than two days later are rejected
	Open     func(path string) ([]byte, error) // reads one document
	Second   article.SecondPass                // α and β of P2; zero: the defaults
	Blocks   bool                              // explain every page: block tree, record groups, reasons
	Fields   *fields.Set                       // fields of notices to read; nil = none
	Spans    bool                              // include the positions of values
	resolver *urls.Resolver
}

// New returns an extractor that reads documents with open.
func New(method string, now time.Time, open func(string) ([]byte, error)) (*Extractor, error) {
	if method == "" {
		method = "auto"
	}
	if !slices.Contains(article.Methods(), method) {
		return nil, fmt.Errorf("main text method %q is unknown; choose from: %s", method,
			strings.Join(article.Methods(), ", "))
	}
	return &Extractor{Method: method, Now: now, Open: open, resolver: urls.NewResolver(0)}, nil
}

// noURL is the base of links in a file without an address.
const noURL = "http://file.invalid/"

// Extract reads one document. Errors are in the field Error, so a batch continues.
func (x *Extractor) Extract(doc Document) Extracted {
	out := Extracted{File: doc.File, URL: doc.URL, Records: []extractedRecord{}}
	src, err := x.source(doc)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	opt := x.options(x.Method)
	var p *page.Page
	if x.Blocks {
		p, out.Blocks, err = page.Explain(src, opt)
	} else {
		p, err = page.Parse(src, opt)
	}
	if err != nil {
		out.Error = fmt.Sprintf("%s: %v", doc.File, err)
		return out
	}
	out.Charset, out.Type, out.Title, out.Date = p.Charset, p.Type.String(), cmp.Or(p.Title, p.Head), p.Date.String()
	out.Text, out.Method, out.AnchorRatio, out.Attachments, out.Limits = p.Main, p.MainMethod, view.Round(p.Beta),
		p.Attachments, p.Limits
	if x.Fields != nil {
		if isText(doc.File) {
			out.Type = page.Detail.String()
			out.Fields, out.Text = x.textNotice(src.Body)
			out.Title = out.Fields.title
			d, _ := article.PublicationDateOfText(out.Title+"\n"+out.Text, x.Now)
			out.Date = d.String()
		} else {
			out.Fields = x.readFields(p)
		}
		if x.Spans && out.Fields != nil {
			out.Values = out.Fields.Result()
		}
	}
	for _, r := range p.Records {
		out.Records = append(out.Records, extractedRecord{Title: r.Title, URL: r.URL, Date: r.Date.String()})
	}
	return out
}

// source reads the bytes of a document.
func (x *Extractor) source(doc Document) (page.Source, error) {
	body, err := x.Open(doc.File)
	if err != nil {
		return page.Source{}, err
	}
	base := noURL
	if doc.URL != "" {
		if base, err = x.resolver.Canonical(doc.URL); err != nil {
			return page.Source{}, fmt.Errorf("%q is not a URL; write http://HOST/PATH", doc.URL)
		}
	}
	return page.Source{URL: base, Body: body}, nil
}

func (x *Extractor) options(method string) page.Options {
	return page.Options{Main: method, Second: x.Second, Now: x.Now, Resolver: x.resolver, Tables: x.Fields != nil}
}

// maxListLine is the maximum length of a line in a batch list.
const maxListLine = 1 << 20

// errBatch means that some documents of a batch failed.
var errBatch = errors.New("some documents could not be extracted; see their error fields")

// Batch extracts the documents in list, one JSON line each, on all processors. It writes one JSON line for each to
// w, in the list's order.
func (x *Extractor) Batch(ctx context.Context, list io.Reader, w io.Writer) error {
	workers := runtime.GOMAXPROCS(0)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	order := make(chan chan Extracted, 4*workers) // a result for each document
	var readErr error
	go func() {
		defer close(order)
		var group errgroup.Group
		group.SetLimit(workers)
		readErr = eachLine("batch list", list, maxListLine, func(n int, line []byte) error {
			result := make(chan Extracted, 1)
			select {
			case order <- result:
			case <-ctx.Done():
				return ctx.Err()
			}
			var doc Document
			if err := json.Unmarshal(line, &doc); err != nil || doc.File == "" {
				result <- Extracted{Records: []extractedRecord{}, Error: fmt.Sprintf(`line %d: expected {"file":…,"url":…}`, n)}
				return nil
			}
			group.Go(func() error {
				result <- x.Extract(doc)
				return nil
			})
			return nil
		})
	}()
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	failed := false
	for result := range order {
		select {
		case out := <-result:
			failed = failed || out.Error != ""
			if err := enc.Encode(out); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := cmp.Or(ctx.Err(), readErr); err != nil || !failed {
		return err
	}
	return errBatch
}

// eachLine calls f for every line of a file that is not empty, with its number from 1. Errors name the file and the line.
func eachLine(file string, r io.Reader, longest int, f func(n int, line []byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, longest)
	for n := 1; sc.Scan(); n++ {
		if len(sc.Bytes()) == 0 {
			continue
		}
		if err := f(n, sc.Bytes()); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
