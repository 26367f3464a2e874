package extract

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"angler/crawl/article"
	"angler/crawl/page"
)

// goldRow is one line of a gold file: a document and its main text, marked by a person. Path is an alias of File. A
// row without a text is left out.
type goldRow struct {
	File string `json:"file"`
	Path string `json:"path"`
	URL  string `json:"url"`
	Text string `json:"text"`
}

// methodRating holds the means of one method over a gold file. An unreadable document counts 0.
type methodRating struct {
	Method  string          `json:"method"`
	First   article.Overlap `json:"without_second_pass"`
	Second  article.Overlap `json:"with_second_pass"`
	Changed int             `json:"changed"` // documents whose text the second pass changed
}

// Comparison holds the ratings of all methods on one gold file (P2, table 2).
type Comparison struct {
	Unit     string         `json:"unit"`      // of the scores
	Pages    int            `json:"pages"`     // documents measured
	WithText int            `json:"with_text"` // gold rows with a text
	LeftOut  int            `json:"left_out"`  // gold rows without a text
	Failed   []string       `json:"failed"`    // unreadable documents with the reasons
	Methods  []methodRating `json:"methods"`
}

// errGold means that a gold file has no usable row.
var errGold = errors.New(
	`no line has a text; a gold file has lines {"file":…,"url":…,"text":…}, the file seen from the gold file's folder`)

// Compare extracts the main texts of a gold file's documents on all processors, without and with P2's second pass.
// It uses Method, or every method if Method is auto. Relative paths start in dir. A trial takes about 5 ms; each
// document needs up to twelve.
func (x *Extractor) Compare(ctx context.Context, gold io.Reader, dir string) (*Comparison, error) {
	c := &Comparison{Unit: article.OverlapUnit, Failed: []string{}}
	rows, err := goldRows(gold, dir, &c.LeftOut)
	if err != nil {
		return nil, err
	}
	c.WithText = len(rows)
	for _, m := range x.compared() {
		c.Methods = append(c.Methods, methodRating{Method: m})
	}
	trials, failed := make([][]trial, len(rows)), make([]error, len(rows))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range rows {
		group.Go(func() error {
			if ctx.Err() == nil {
				trials[i], failed[i] = x.try(rows[i])
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i := range rows { // in the file's order, so that sums are reproducible
		if failed[i] != nil {
			c.Failed = append(c.Failed, fmt.Sprintf("%s: %v", rows[i].File, failed[i]))
			continue
		}
		c.Pages++
		for m := range c.Methods {
			c.Methods[m].add(trials[i][m])
		}
	}
	for m := range c.Methods {
		c.Methods[m].divide(float64(len(rows)))
	}
	return c, nil
}

// compared returns the methods that Compare measures.
func (x *Extractor) compared() []string {
	if x.Method == article.MethodAuto {
		return article.Methods()
	}
	return []string{x.Method}
}

// trial is the result of one method on one document.
type trial struct {
	first, second article.Overlap
	changed       bool
}

// try runs every method on one document.
func (x *Extractor) try(row goldRow) ([]trial, error) {
	src, err := x.source(Document{File: row.File, URL: row.URL})
	if err != nil {
		return nil, err
	}
	text := func(method string, after article.Passes) (string, error) {
		opt := x.options(method)
		opt.Second.After = after
		p, err := page.Parse(src, opt)
		if err != nil {
			return "", err
		}
		return p.Main, nil
	}
	var out []trial
	for _, m := range x.compared() {
		once, err := text(m, article.AfterNone)
		if err != nil {
			return nil, err
		}
		again, err := text(m, article.AfterEvery)
		if err != nil {
			return nil, err
		}
		out = append(out, trial{first: article.OverlapOf(row.Text, once), second: article.OverlapOf(row.Text, again),
			changed: once != again})
	}
	return out, nil
}

func (r *methodRating) add(t trial) {
	for _, s := range []struct {
		sum  *article.Overlap
		part article.Overlap
	}{{&r.First, t.first}, {&r.Second, t.second}} {
		s.sum.P, s.sum.R, s.sum.F1 = s.sum.P+s.part.P, s.sum.R+s.part.R, s.sum.F1+s.part.F1
	}
	if t.changed {
		r.Changed++
	}
}

func (r *methodRating) divide(n float64) {
	for _, s := range []*article.Overlap{&r.First, &r.Second} {
		s.P, s.R, s.F1 = s.P/n, s.R/n, s.F1/n
	}
}

// maxGoldLine is the maximum length of a line in a gold file.
const maxGoldLine = 16 << 20

// goldRows reads a gold file and counts the rows without a text.
func goldRows(gold io.Reader, dir string, leftOut *int) ([]goldRow, error) {
	var rows []goldRow
	err := eachLine("gold file", gold, maxGoldLine, func(_ int, line []byte) error {
		var row goldRow
		err := json.Unmarshal(line, &row)
		row.File = cmp.Or(row.File, row.Path)
		switch {
		case err != nil || row.File == "":
			return errors.New(`expected {"file":…,"url":…,"text":…}`)
		case row.Text == "":
			*leftOut++
			return nil
		case !filepath.IsAbs(row.File):
			row.File = filepath.Join(dir, row.File)
		}
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errGold
	}
	return rows, nil
}
