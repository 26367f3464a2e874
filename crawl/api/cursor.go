package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of the rows of an answer.
const (
	usualRows = 20
	maxRows   = 100
	maxCursor = 64 // bytes
)

// Paging chooses the rows of an answer.
type Paging struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"rows of the answer, 1 to 100; 20 without it"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the answer before, other arguments the same"`
}

// Page describes the part of all rows in an answer.
type Page struct {
	AsOf       time.Time `json:"as_of"` // of the copy of the workspace
	Total      int       `json:"total"`
	Skipped    int       `json:"skipped,omitempty" jsonschema:"rows before the first one of this answer"`
	NextCursor string    `json:"next_cursor,omitempty"`
}

// part is a range of the rows of a request.
type part struct {
	of      [8]byte // hashes of workspace and request, 4 bytes each
	skip, n int
}

// part reads the paging of a request. key identifies the request with its arguments.
func (s *Service) part(p Paging, key ...any) (part, error) {
	out := part{n: p.Limit}
	switch {
	case p.Limit == 0:
		out.n = usualRows
	case p.Limit < 0 || p.Limit > maxRows:
		return out, fmt.Errorf("limit %d is not in 1 to %d", p.Limit, maxRows)
	}
	put := func(at int, text string) {
		sum := sha256.Sum256([]byte(text))
		copy(out.of[at:at+4], sum[:])
	}
	put(0, s.dir)
	put(4, fmt.Sprintf("%q", key))
	if p.Cursor == "" {
		return out, nil
	}
	err := out.read(p.Cursor)
	return out, err
}

var errCursor = errors.New("the cursor is damaged; repeat the question without a cursor")

// read decodes a cursor: workspace, request, number of rows, checksum.
func (p *part) read(cursor string) error {
	if len(cursor) > maxCursor {
		return errCursor
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < len(p.of)+1+4 {
		return errCursor
	}
	body, sum := b[:len(b)-4], sha256.Sum256(b[:len(b)-4])
	skip, n := binary.Uvarint(body[len(p.of):])
	switch {
	case !slices.Equal(sum[:4], b[len(b)-4:]) || n != len(body)-len(p.of) || skip > 1<<40:
		return errCursor
	case !slices.Equal(body[:4], p.of[:4]):
		return errors.New("the cursor is of another workspace; repeat the question without a cursor")
	case !slices.Equal(body[4:8], p.of[4:]):
		return errors.New("the cursor is of another question; repeat this one without a cursor")
	}
	p.skip = int(skip)
	return nil
}

// next returns the cursor after so many rows of total; "" at the end.
func (p *part) next(rows, total int) string {
	if rows == 0 || p.skip+rows >= total {
		return ""
	}
	b := binary.AppendUvarint(slices.Clone(p.of[:]), uint64(p.skip+rows))
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(append(b, sum[:4]...))
}

// rowsOf returns the rows of the part.
func rowsOf[T any](p *part, at time.Time, all []T) ([]T, Page) {
	from := min(p.skip, len(all))
	rows := all[from:min(from+p.n, len(all))]
	return slices.Clone(rows), p.page(at, len(rows), len(all))
}

// page describes an answer with so many rows of total.
func (p *part) page(at time.Time, rows, total int) Page {
	return Page{AsOf: at, Total: total, Skipped: min(p.skip, total), NextCursor: p.next(rows, total)}
}

// holds reports whether a text contains part, ignoring case.
func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
