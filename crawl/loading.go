package crawl

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/revisit"
	"angler/store"
	"angler/topic"
)

// This file enters the stored pages into the model when a workspace is opened.

// stored is a page as it was stored.
type stored struct {
	*store.Page
	counted     bool // it has words: it is no redirect
	bad         bool // they are damaged, or name a lost word
	doc         topic.Doc
	fingerprint uint64
}

// storedPages yields every stored page.
func (r *rooms) storedPages(words []string) iter.Seq2[*stored, error] {
	lost := func(id uint32) bool { return store.LostWord(words[id]) }
	return func(yield func(*stored, error) bool) {
		for row, err := range r.ws.Counted() {
			if err != nil {
				yield(nil, err)
				return
			}
			p := &stored{Page: row.Page, counted: len(row.Terms) > 0}
			if p.counted {
				p.doc, p.fingerprint, err = reader.DecodeDoc(row.Terms, len(words))
				p.bad = err != nil || reader.NamesLost(&p.doc, lost)
				p.doc.URL, p.doc.Beta, p.doc.Front, p.doc.Aside = row.URL, row.Beta, page.Front(row.URL), reader.IsBeyond(row.Terms)
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// loadPages enters the words of every stored page. A page whose words are damaged
// or name a lost word is counted again from its body.
func (r *rooms) loadPages(ctx context.Context, words []string) error {
	n := 0
	type fetched struct {
		id uint64
		at int64
	}
	var order []fetched
	visits := revisit.Believed{Now: r.opt.Now()}
	for p, err := range ahead(r.storedPages(words)) {
		if err != nil {
			return err
		}
		if n++; n%10_000 == 0 {
			r.opt.Progress(fmt.Sprintf("reading %d pages", n))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		at := visits.Time(p.Fetched)
		switch {
		case !p.counted:
			continue
		case p.bad:
			r.decisions.Uncounted(p.ID)
		default:
			r.decisions.Counted(p.ID, p.doc, p.fingerprint)
		}
		order = append(order, fetched{p.ID, at.UnixMilli()})
	}
	slices.SortStableFunc(order, func(a, b fetched) int { return cmp.Compare(a.at, b.at) })
	for _, f := range order {
		r.captured.Add(f.id)
	}
	r.tellClock(visits)
	return nil
}

// ahead yields what seq yields, up to its first error. seq runs in a goroutine of its
// own, up to some thousand values ahead, and has ended when the loop over it has.
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

// tellClock says that the clock is wrong, or was when pages were visited.
func (r *rooms) tellClock(visits revisit.Believed) {
	switch {
	case revisit.Behind(visits.Now):
		r.events.Note("error", "the clock says %s, before this program was made: set it, or certificates and dates are not believed", visits.Now.Format(time.DateOnly))
	case visits.Lies > 0:
		r.events.Note("warn", "the clock was ahead: %d visits lie in the future and count as of now", visits.Lies)
	}
}
