package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"angler/store/schema"
	"angler/store/sealed"
)

// Lookup returns the id of a canonical URL.
func (w *Workspace) Lookup(canonical string) (id uint64, ok bool) {
	k := KeyOf(canonical)
	_ = w.db.View(func(tx sealed.Tx) error {
		id, ok = w.seen.id(tx.Bucket(schema.IDs), k)
		return nil
	})
	return id, ok
}

// URL returns one known URL, or nil if the id is unknown. Like every reader it treats a damaged row
// as missing, and Damage counts it.
func (w *Workspace) URL(id uint64) (*URL, error) {
	return get(w, schema.URLs, id, decodeURL)
}

// Page returns one stored page, or nil if it was never fetched.
func (w *Workspace) Page(id uint64) (*Page, error) {
	return get(w, schema.Pages, id, decodePage)
}

// Notice returns one harvested notice, or nil.
func (w *Workspace) Notice(id uint64) (*Notice, error) {
	return get(w, schema.Notices, id, DecodeNotice)
}

func get[T any](w *Workspace, bucket []byte, id uint64, decode func(uint64, []byte) (*T, error)) (row *T, err error) {
	err = w.db.View(func(tx sealed.Tx) error { row = find(tx.Bucket(bucket), id, decode); return nil })
	return row, err
}

// find decodes the row of an id; nil if it is missing or damaged.
func find[T any](b sealed.Bucket, id uint64, decode func(uint64, []byte) (*T, error)) *T {
	return sealed.Find(b, schema.IDKey(id), func(_, v []byte) (*T, error) { return decode(id, v) })
}

// EachURL calls f for every known id of ids, in their order. f runs outside of any transaction, so
// it may read and write the store.
func (w *Workspace) EachURL(ids []uint64, f func(*URL)) error {
	return each(w, schema.URLs, ids, decodeURL, f)
}

// EachPage is EachURL for pages.
func (w *Workspace) EachPage(ids []uint64, f func(*Page)) error {
	return each(w, schema.Pages, ids, decodePage, f)
}

// each reads rows in chunks and calls f between the transactions. A reader that starts a second one
// while a writer waits to grow the file would deadlock both.
func each[T any](w *Workspace, bucket []byte, ids []uint64, decode func(uint64, []byte) (*T, error), f func(*T)) error {
	var rows []*T
	return w.chunks(ids, func(tx sealed.Tx, id uint64) error {
		if row := find(tx.Bucket(bucket), id, decode); row != nil {
			rows = append(rows, row)
		}
		return nil
	}, func() error {
		for _, row := range rows {
			f(row)
		}
		rows = rows[:0]
		return nil
	})
}

// chunks calls f for each id, in transactions of scanChunk ids, and between after each of them.
func (w *Workspace) chunks(ids []uint64, f func(tx sealed.Tx, id uint64) error, between func() error) error {
	for chunk := range slices.Chunk(ids, scanChunk) {
		err := w.db.View(func(tx sealed.Tx) error {
			for _, id := range chunk {
				if err := f(tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		trimMapping(w.db, few)
		if stop := between(); err != nil || stop != nil {
			return cmp.Or(err, stop)
		}
	}
	return nil
}

// scanChunk is the number of rows read per transaction, so that a long scan does not keep freed
// pages from reuse.
const scanChunk = 4096

// scan yields all sound rows of a bucket ordered by id; Damage counts the others. It ends with an
// error if a page of the database is unreadable.
func scan[T any](w *Workspace, bucket []byte, decode func(uint64, []byte) (*T, error)) iter.Seq2[*T, error] {
	return scanFrom(w, nil, bucket, func(_ sealed.Bucket, id uint64, v []byte) (*T, error) { return decode(id, v) })
}

var errStopped = errors.New("the caller wants no more rows")

// scanFrom is scan from a key on, for rows that need others of the same transaction.
func scanFrom[T any](w *Workspace, from, bucket []byte,
	decode func(b sealed.Bucket, id uint64, v []byte) (*T, error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		rows, stopped := make([]*T, 0, scanChunk), false
		err := w.db.Walk(sealed.Walk{Bucket: bucket, From: from, N: scanChunk,
			Row: func(b sealed.Bucket, k, v []byte) error {
				id, err := boundID(k, w.last.Load())
				var row *T
				if err == nil {
					row, err = decode(b, id, v)
				}
				if err != nil {
					b.Spoiled(k, err)
					return nil
				}
				rows = append(rows, row)
				return nil
			},
			Between: func() error {
				trimMapping(w.db, few)
				for _, row := range rows {
					if stopped = !yield(row, nil); stopped {
						return errStopped
					}
				}
				rows = rows[:0]
				return nil
			}})
		if err != nil && !stopped { // a caller that stopped gets no error of later rows
			yield(nil, err)
		}
	}
}

// URLs yields every known URL in order of discovery. Rows that change meanwhile are seen before or
// after their change.
func (w *Workspace) URLs() iter.Seq2[*URL, error] { return scan(w, schema.URLs, decodeURL) }

// Notices yields every notice in order of discovery.
func (w *Workspace) Notices() iter.Seq2[*Notice, error] { return scan(w, schema.Notices, DecodeNotice) }

// Counted is a stored page with its encoded term vectors: empty if it has none (a redirect),
// Uncounted if they are lost.
type Counted struct {
	*Page
	Terms []byte
}

// Uncounted replaces lost term vectors, which must be counted again from the page's body.
const Uncounted = "\x00"

// Counted yields every stored page with its term vectors.
func (w *Workspace) Counted() iter.Seq2[*Counted, error] {
	return scanFrom(w, nil, schema.Pages, countedPage)
}

// CountedOf is Counted for the stored pages among ids, in their order.
func CountedOf(w *Workspace, ids []uint64) iter.Seq2[*Counted, error] {
	return func(yield func(*Counted, error) bool) {
		for _, id := range ids {
			var p *Counted
			err := w.db.View(func(tx sealed.Tx) error {
				b := tx.Bucket(schema.Pages)
				p = find(b, id, func(id uint64, v []byte) (*Counted, error) { return countedPage(b, id, v) })
				return nil
			})
			if (err != nil || p != nil) && !yield(p, err) {
				return
			}
		}
	}
}

func countedPage(pages sealed.Bucket, id uint64, v []byte) (*Counted, error) {
	p, err := decodePage(id, v)
	row := pages.Beside(schema.Terms).Get(schema.IDKey(id))
	if row == nil {
		row = []byte(Uncounted)
	}
	return &Counted{p, bytes.Clone(row)}, err
}

// Reread is a stored page that was read again from its body, with its new row and term vectors.
type Reread struct {
	Page  *Page
	Terms []byte
}

// PutReread stores pages that were read again, with the words they need. A page that was fetched
// meanwhile, so that its Hash differs, stays as it is. kept tells which pages were stored.
func (w *Workspace) PutReread(pages []Reread) (kept []bool, err error) {
	slices.SortFunc(pages, func(a, b Reread) int { return cmp.Compare(a.Page.ID, b.Page.ID) })
	_, err = w.update(func(c *commit) error {
		kept = make([]bool, len(pages))
		rows, terms := c.tx.Bucket(schema.Pages), c.tx.Bucket(schema.Terms)
		for i, p := range pages {
			key := schema.IDKey(p.Page.ID)
			now, err := decodePage(p.Page.ID, rows.Get(key))
			if err != nil || now.Hash != p.Page.Hash {
				continue
			}
			p.Page.ETag, p.Page.LastModified, p.Page.Fetched, p.Page.History = now.ETag, now.LastModified, now.Fetched, now.History
			if err := rows.Put(key, appendPage(make([]byte, 0, 256), p.Page)); err != nil {
				return err
			}
			if err := terms.Put(key, p.Terms); err != nil {
				return err
			}
			kept[i] = true
			c.changed = append(c.changed, p.Page.ID)
		}
		return nil
	})
	return kept, err
}

// TermsOf returns one page's term vectors, nil when it has none.
func (w *Workspace) TermsOf(id uint64) []byte { return w.value(schema.Terms, schema.IDKey(id)) }

// value returns a copy of one value, or nil.
func (w *Workspace) value(bucket, key []byte) (v []byte) {
	_ = w.db.View(func(tx sealed.Tx) error {
		v = append(v, tx.Bucket(bucket).Get(key)...)
		return nil
	})
	return v
}

// Host returns the value that PutHosts stored for a host, or nil.
func (w *Workspace) Host(name string) []byte { return w.value(schema.Hosts, []byte(name)) }

// PutHosts stores data about hosts. It can be learned again, so it need not be part of a page's
// transaction.
func (w *Workspace) PutHosts(hosts map[string][]byte) error {
	if len(hosts) == 0 {
		return nil
	}
	return w.Write(func(tx sealed.Tx) error {
		b := tx.Bucket(schema.Hosts)
		for name, v := range hosts {
			if err := b.Put([]byte(name), v); err != nil {
				return err
			}
		}
		return nil
	})
}

// OutLinks returns the targets of a page's links in page order, duplicates
// included.
func (w *Workspace) OutLinks(id uint64) (ids []uint64, err error) {
	err = w.db.View(func(tx sealed.Tx) error {
		return decodeLinks(tx.Bucket(schema.Links).Get(schema.IDKey(id)),
			func(t uint64, _ bool) { ids = append(ids, t) })
	})
	return ids, err
}

// pageLinks are the targets of one page's links, in page order.
type pageLinks struct {
	ID      uint64
	Targets []uint64
}

// Links yields the links of every stored page in order of discovery.
func (w *Workspace) Links() iter.Seq2[*pageLinks, error] {
	return scan(w, schema.Links, func(id uint64, v []byte) (*pageLinks, error) {
		l := &pageLinks{ID: id, Targets: make([]uint64, 0, len(v)/2)}
		last := w.last.Load()
		return l, decodeLinks(v, func(t uint64, _ bool) {
			if t <= last {
				l.Targets = append(l.Targets, t)
			}
		})
	})
}

// NoticeIDs returns the ids of all notices, ascending, without reading them.
func (w *Workspace) NoticeIDs() ([]uint64, error) {
	var ids []uint64
	for id, err := range scan(w, schema.Notices, func(id uint64, _ []byte) (*uint64, error) { return &id, nil }) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, *id)
	}
	return ids, nil
}

// Words returns the stored lexicon, indexed by term id. A damaged word is replaced by a placeholder
// that LostWord recognises.
func (w *Workspace) Words() (words []string, err error) {
	known := w.known // words of the checkpoint, which are not read again
	err = w.db.View(func(tx sealed.Tx) error {
		n := wordCount(tx, len(known))
		words = append(make([]string, 0, n), known...)
		for i := len(known); i < n; i++ {
			words = append(words, lostWordAt(i))
		}
		b := tx.Bucket(schema.Words)
		c := b.Cursor()
		for k, v := c.Seek(binary.BigEndian.AppendUint32(nil, uint32(len(known)))); k != nil; k, v = c.Next() {
			if len(k) != 4 || binary.BigEndian.Uint32(k) >= uint32(n) {
				b.Spoiled(k, errRow)
				continue
			}
			words[binary.BigEndian.Uint32(k)] = string(v)
		}
		return nil
	})
	return words, err
}

// lostPrefix starts the placeholder of a lost word; no text contains it.
const lostPrefix = "\x00lost "

// lostWordAt returns the placeholder of the lost word with number i.
func lostWordAt(i int) string { return lostPrefix + strconv.Itoa(i) }

// LostWord reports whether s is the placeholder of a word lost by damage.
func LostWord(s string) bool { return strings.HasPrefix(s, lostPrefix) }

// Body returns a page's body as fetched. It is nil if none is stored or its hash differs from the
// one in the page's row. limit bounds the decompressed size in bytes.
func (w *Workspace) Body(id uint64, limit int) (body []byte, err error) {
	var z []byte
	var p *Page
	k := schema.IDKey(id)
	err = w.db.View(func(tx sealed.Tx) error {
		v, err := lookPacked(tx.Bucket(schema.Bodies), k)
		if z = append(z, v...); errors.Is(err, errPack) {
			tx.Bucket(schema.Bodies).Spoiled(k, err)
		}
		p = find(tx.Bucket(schema.Pages), id, decodePage)
		return nil
	})
	if err != nil || len(z) == 0 || p == nil {
		return nil, err
	}
	if body, err = checkBody(p, z, limit); errors.Is(err, errSpoiledBody) {
		w.db.Tally.Add(schema.Bodies, k, err)
		return nil, nil
	}
	return body, err
}

// bodyMatches returns an error that names the fault of a body; nil means sound, or too long to check.
func (w *Workspace) bodyMatches(p *Page, z []byte) error {
	if _, err := checkBody(p, z, w.set.Crawl.MaxBodyMB<<20); errors.Is(err, errSpoiledBody) {
		return err
	}
	return nil
}

var errSpoiledBody = errors.New("the body is not the one that was stored")

// checkBody decompresses a body and compares its hash with the page's row; a row without a hash
// accepts any body.
func checkBody(p *Page, z []byte, limit int) ([]byte, error) {
	body, err := Decompress(z, limit)
	switch {
	case errors.Is(err, ErrTooLong):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errSpoiledBody, err)
	case p.Hash != Key{} && p.Hash != KeyOf(body):
		return nil, errSpoiledBody
	}
	return body, nil
}

// State returns the value that PutState stored under a name, or nil.
func (w *Workspace) State(name string) []byte { return w.value(schema.State, []byte(name)) }

// PutState stores data that can be learned again; nil removes it.
func (w *Workspace) PutState(name string, v []byte) error {
	return w.Write(func(tx sealed.Tx) error {
		if v == nil {
			return tx.Bucket(schema.State).Delete([]byte(name))
		}
		return tx.Bucket(schema.State).Put([]byte(name), v)
	})
}
