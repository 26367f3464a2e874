package crawl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"angler/crawl/reader"
	"angler/store"
	"angler/topic"
)

// This file adds the stored pages to the model when a workspace is opened.

// stored is a stored page.
type stored struct {
	*store.Page
	counted     bool // it has words; false for a redirect
	bad         bool // words are damaged, or contain a lost word
	doc         topic.Doc
	fingerprint uint64
}

// storedPages yields every page of rows.
func storedPages(rows iter.Seq2[*store.Counted, error], words []string) iter.Seq2[*stored, error] {
	lost := func(id uint32) bool { return store.LostWord(words[id]) }
	return func(yield func(*stored, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			p := &stored{Page: row.Page, counted: len(row.Terms) > 0}
			if p.counted {
				p.doc, p.fingerprint, err = reader.StoredDoc(row.Page, row.Terms, len(words))
				p.bad = err != nil || reader.NamesLost(&p.doc, lost)
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// loadPages adds the words of every stored page, from the checkpoint as far as it is valid. A page with damaged or
// lost words is counted again from its body.
func (r *parts) loadPages(ctx context.Context, words []string) error {
	var all visits
	err, rows := r.ws.Recalled, r.ws.Counted()
	if err == nil {
		if all, err = r.recall(len(words)); err == nil {
			rows = store.CountedOf(r.ws, store.Later(r.ws))
		} else if err := store.DiscardCheckpoint(r.ws); err != nil {
			return err
		}
	}
	r.readAll = err != nil
	if r.readAll && !errors.Is(err, fs.ErrNotExist) && r.ws.Counts().Pages > 0 {
		r.events.Note("info", "opening has read every page: %v", err)
	}
	n := 0
	for p, err := range ahead(storedPages(rows, words)) {
		if err != nil {
			return err
		}
		if n++; n%10_000 == 0 {
			r.opt.Progress(fmt.Sprintf("reading %d pages", n))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		all.add(p.Page)
		switch {
		case !p.counted:
			r.decisions.Left(p.ID)
		case p.bad:
			r.decisions.Left(p.ID)
			r.decisions.Uncounted(p.ID)
		default:
			r.decisions.Counted(p.ID, p.doc, p.fingerprint)
		}
	}
	r.decisions.Index.Pack() // removes duplicates of recalled and read pages
	r.enterVisits(all)
	return nil
}

// ahead yields the values of seq up to its first error. seq runs in its own goroutine, up to about a thousand values
// ahead, and ends before the loop over it does.
func ahead[T any](seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	const size, most = 256, 4
	type batch struct {
		values []T
		err    error
	}
	return func(yield func(T, error) bool) {
		batches, over := make(chan batch, most), make(chan struct{})
		defer func() {
			close(over)
			for range batches { // until seq has ended
			}
		}()
		go func() {
			defer close(batches)
			var b batch
			send := func() bool {
				select {
				case batches <- b:
					b = batch{}
					return true
				case <-over:
					return false
				}
			}
			for v, err := range seq {
				if err != nil {
					b.err = err
					break
				}
				if b.values = append(b.values, v); len(b.values) == size && !send() {
					return
				}
			}
			send()
		}()
		for b := range batches {
			for _, v := range b.values {
				if !yield(v, nil) {
					return
				}
			}
			if b.err != nil {
				var none T
				yield(none, b.err)
				return
			}
		}
	}
}
