package search

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"angler/crawl/filter"
	"angler/store"
)

// This file searches words in stored notices. Rows are rarely decoded: most words occur literally
// in the JSON, and a row without the word needs no decoding. A row costs about 3 µs.

// rowMatcher is a word prepared for searching rows.
type rowMatcher struct {
	filter.Word
	plain []byte // literal part of every match in JSON; nil = none known
	sure  bool   // a match of plain proves that the row holds the word
	ascii bool   // plain is lower-case ASCII
}

func matcherFor(w filter.Word) rowMatcher {
	l := rowMatcher{Word: w}
	if w.Near > 0 {
		return l
	}
	// The longest run of Chinese, or of ASCII letters and digits, occurs literally in JSON.
	han, ascii := "", ""
	for _, part := range strings.FieldsFunc(w.Text, func(r rune) bool { return !isHan(r) }) {
		if len(part) > len(han) {
			han = part
		}
	}
	for _, part := range strings.FieldsFunc(w.Text, func(r rune) bool { return kind(r) != narrow }) {
		if len(part) > len(ascii) {
			ascii = part
		}
	}
	switch {
	case han != "":
		l.plain, l.sure = []byte(han), han == w.Text
	case ascii != "":
		l.plain, l.ascii = []byte(ascii), true
	}
	return l
}

func isHan(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

// kelvin is the only non-ASCII character whose lower case is ASCII.
var kelvin = []byte("\u212a")

// in reports whether address, title or text of a row holds the word.
func (l *rowMatcher) in(row []byte, buf *[]byte) bool {
	for _, name := range shownParts {
		part := partOf(row, name)
		if len(part) == 0 {
			continue
		}
		if l.plain != nil {
			held := false
			if l.ascii {
				*buf = lowered((*buf)[:0], part)
				held = bytes.Contains(*buf, l.plain) || bytes.Contains(part, kelvin)
			} else {
				held = bytes.Contains(part, l.plain)
			}
			if !held {
				continue
			}
			if l.sure {
				return true
			}
		}
		var s string
		if json.Unmarshal(part, &s) == nil && l.In(s) {
			return true
		}
	}
	return false
}

func lowered(buf, b []byte) []byte {
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

// shownParts are the searched parts of a row, most likely first.
var shownParts = [...]string{`"title":"`, `"text":"`, `"url":"`}

// partOf returns a string of a row with its quotes. The first occurrence of its name is the right
// one, because quotes within strings are escaped.
func partOf(row []byte, name string) []byte {
	i := bytes.Index(row, []byte(name))
	if i < 0 {
		return nil
	}
	from := i + len(name) - 1
	for at := from + 1; ; {
		n := bytes.IndexByte(row[at:], '"')
		if n < 0 {
			return nil
		}
		at += n
		slashes := 0
		for row[at-1-slashes] == '\\' {
			slashes++
		}
		at++
		if slashes%2 == 0 {
			return row[from:at]
		}
	}
}

// scanPart is the number of rows per goroutine.
const scanPart = 4096

// scan searches words in the rows of notices, in ascending order of ids; nil = all. It calls found
// for each match, never concurrently.
func (s *Search) scan(ctx context.Context, ids []uint64, words []filter.Word, found func(word int, id uint64)) error {
	looks := make([]rowMatcher, len(words))
	for i, x := range words {
		looks[i] = matcherFor(x)
	}
	if ids == nil {
		var err error
		if ids, err = s.Store.NoticeIDs(); err != nil {
			return err
		}
	}
	documents, err := s.someDocuments()
	if err != nil {
		return err
	}
	if err := s.loadValues(ctx); err != nil {
		return err
	}
	values := s.someValues()
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(min(4, runtime.GOMAXPROCS(0)))
	for part := range slices.Chunk(ids, scanPart) {
		group.Go(func() error {
			type hit struct {
				word int
				id   uint64
			}
			var hits []hit
			buf := make([]byte, 0, 8<<10)
			var further []uint64 // notices whose documents are searched outside of the transaction
			err := store.NoticeRows(ctx, s.Store, part, func(id uint64, row []byte) error {
				n := 0
				var says []value
				if values {
					says = s.valuesOf(id)
				}
				for i := range looks {
					if looks[i].in(row, &buf) || inValues(says, words[i]) {
						hits = append(hits, hit{i, id})
						n++
					}
				}
				if documents && n < len(looks) && mayHaveDocuments(row) {
					further = append(further, id)
				}
				return nil
			})
			if err == nil {
				err = s.scanDocuments(ctx, further, words,
					func(word int, id uint64) { hits = append(hits, hit{word, id}) })
			}
			mu.Lock()
			defer mu.Unlock()
			for _, h := range hits {
				found(h.word, h.id)
			}
			return err
		})
	}
	return group.Wait()
}

// hanOnly reports whether a word has Chinese characters only.
func hanOnly(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !isHan(r) })
}
