// Package maintenance checks and repairs the rows of a workspace, compacts its database, writes
// backups and restores them.
package maintenance

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angler/store"
	"angler/store/schema"
	"angler/store/sealed"
)

// This file verifies every row of a workspace's database, and repairs rows that can be derived from
// others. It reads the database as it is on disk, including the pages of the file. The workspace
// must be idle.
//
// A check reads everything once in short transactions. The number of listed problems bounds its
// memory, whatever the size of the workspace.

// Problem is one broken invariant of the database.
type Problem struct {
	Text string // one line for people
	// Repairs says what Repair does about it; "" means that only a copy of the database helps.
	Repairs string

	fix func(sealed.Tx) error
}

func (p Problem) String() string { return p.Text }

// Checker verifies every row of an idle workspace: its checksum, its form, and its relations. A URL
// is known by its key. A fetched URL has its page; a page has words, links and the body whose hash
// it names. Both ends of a link exist. A label, notice or page belongs to a known URL. A decision
// is the one that the log made last. Checker reads in short transactions and keeps at most ten
// thousand problems a bucket.
type Checker struct {
	Workspace *store.Workspace
	Progress  func(bucket string, rows int) // called now and then; nil: no progress
	MaxBody   int                           // limit of a body in bytes; 0: that of the settings

	// Terms reports what is wrong with the words of a page; lost reports whether the word of a number
	// was lost. nil: a valid checksum is enough.
	Terms func(v []byte, words int, lost func(uint32) bool) error
}

// Checked is the result of a check.
type Checked struct {
	Problems []Problem
	More     int // further problems of the same kinds
	Rows     int // checked rows
	Bodies   int // decompressed and compared with their hash
}

var errRow = errors.New("it does not decode")

// mostOfBucket bounds the problems of a bucket that are listed and repaired at once.
const mostOfBucket = 10_000

// Check checks everything.
func (c Checker) Check() (*Checked, error) {
	k := &checker{Checker: c, rows: store.RowsOf(c.Workspace), of: map[string]int{}}
	if k.MaxBody == 0 {
		k.MaxBody = k.rows.MaxBody()
	}
	for _, f := range []func() error{k.checkMeta, k.checkWords, k.checkURLs, k.checkKeys, k.checkPages, k.checkOwned, k.checkLost, k.checkDecisions, k.checkRest} {
		if err := f(); err != nil {
			return &k.Checked, err
		}
	}
	k.checkCounts()
	return &k.Checked, nil
}

// Repair checks the workspace and rebuilds rows that derive from others. It moves other damaged
// rows aside, and makes pages wait that must be fetched again. It returns the problems found; those
// with empty Repairs remain. The workspace must be opened again afterwards, because counts and the
// seen filter are in memory.
func (c Checker) Repair() (*Checked, error) {
	all := &Checked{}
	known := map[string]bool{}
	for range 100 { // a repair may uncover further problems
		found, err := c.Check()
		if err != nil {
			return all, err
		}
		all.Rows, all.Bodies, all.More = found.Rows, found.Bodies, found.More
		var fixes []Problem
		for _, p := range found.Problems {
			if p.fix != nil {
				fixes = append(fixes, p)
			}
			if !known[p.Text] {
				known[p.Text] = true
				all.Problems = append(all.Problems, p)
			}
		}
		if len(fixes) == 0 {
			return all, nil
		}
		if err := mend(store.RowsOf(c.Workspace), fixes); err != nil {
			return all, err
		}
	}
	return all, errors.New("the repair came to no end; restore the database from a copy")
}

// CheckQuickly checks a workspace as far as package store can.
func CheckQuickly(w *store.Workspace) ([]Problem, error) {
	found, err := Checker{Workspace: w}.Check()
	return found.Problems, err
}

// mend repairs problems, in pieces.
func mend(rows store.Rows, problems []Problem) error {
	for chunk := range slices.Chunk(problems, 256) {
		err := rows.Mend(func(tx sealed.Tx) error {
			for _, p := range chunk {
				if err := p.fix(tx); err != nil {
					return fmt.Errorf("%s: %w", p.Text, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scanChunk is the number of rows read in one transaction.
const scanChunk = 4096

type checker struct {
	Checker
	Checked
	rows      store.Rows
	of        map[string]int // problems by bucket
	n         [store.Complete + 1]int
	npages    int
	words     int
	lostWords map[uint32]bool
	gone      map[uint64]*goneURL // URLs without a row
	packed    store.PackTally     // used parts of packs
}

func (k *checker) report(bucket []byte, repairs string, fix func(sealed.Tx) error, format string, args ...any) {
	if k.of[string(bucket)]++; k.of[string(bucket)] > mostOfBucket {
		k.More++
		return
	}
	k.Problems = append(k.Problems, Problem{fmt.Sprintf(format, args...), repairs, fix})
}

// scan calls f with each sound row of a bucket and bad with each damaged one, in chunks.
func (k *checker) scan(bucket []byte, bad func(key []byte, err error),
	f func(b sealed.Bucket, key, v []byte) error) error {
	n := 0
	for next := []byte{}; next != nil; {
		err := k.rows.DB().View(func(tx sealed.Tx) error {
			b := tx.Bucket(bucket)
			if b.Missing() {
				next = nil
				return nil
			}
			c := b.Cursor()
			c.Each = func(key []byte, err error) { k.Rows++; bad(bytes.Clone(key), err) }
			key, v := c.Seek(next)
			for left := scanChunk; key != nil && left > 0; left-- {
				k.Rows++
				n++
				if err := f(b, key, v); err != nil {
					return err
				}
				key, v = c.Next()
			}
			next = append([]byte(nil), key...)
			return nil
		})
		if err != nil {
			return err
		}
		if k.Progress != nil && next != nil {
			k.Progress(string(bucket), n)
		}
	}
	return nil
}

// name returns the readable form of a key.
func name(bucket, key []byte) string {
	switch {
	case len(key) == 8 && !bytes.Equal(bucket, schema.Hosts):
		return fmt.Sprintf("%s %d", bucket, schema.KeyID(key))
	case len(key) == 4 && bytes.Equal(bucket, schema.Words):
		return fmt.Sprintf("%s %d", bucket, binary.BigEndian.Uint32(key))
	case len(key) == 16 && (bytes.Equal(bucket, schema.IDs) || bytes.Equal(bucket, schema.Samples)):
		return fmt.Sprintf("%s %x", bucket, key[:4])
	}
	return fmt.Sprintf("%s %q", bucket, key)
}

// remove reports a damaged row that can be learned again.
func (k *checker) remove(bucket []byte) func([]byte, error) {
	return func(key []byte, err error) {
		k.report(bucket, "removes it; it is learned again", deleting(bucket, key), "%s is damaged: %v",
			name(bucket, key), err)
	}
}

// aside reports a damaged row that cannot be derived from others.
func (k *checker) aside(bucket []byte) func([]byte, error) {
	return func(key []byte, err error) {
		k.report(bucket, "moves it aside: it is lost",
			func(tx sealed.Tx) error { return moveAside(tx, bucket, key, err) },
			"%s is damaged: %v", name(bucket, key), err)
	}
}

func deleting(bucket, key []byte) func(sealed.Tx) error {
	return func(tx sealed.Tx) error { return tx.Bucket(bucket).Delete(key) }
}

// relisting removes a notice and makes the next harvest look for it.
func relisting(id uint64) func(sealed.Tx) error {
	return func(tx sealed.Tx) error {
		if err := tx.Bucket(schema.State).Put([]byte(store.RelistState), []byte("1")); err != nil {
			return err
		}
		return deleting(schema.Notices, schema.IDKey(id))(tx)
	}
}

func (k *checker) checkMeta() error {
	err := k.scan(schema.Meta, func(key []byte, err error) {
		k.report(schema.Meta, "makes it anew", func(tx sealed.Tx) error { return mendMeta(tx, key) },
			"%s is damaged: %v", name(schema.Meta, key), err)
	}, func(sealed.Bucket, []byte, []byte) error { return nil })
	if err != nil {
		return err
	}
	return k.rows.DB().View(func(tx sealed.Tx) error {
		raw, whole := tx.Raw().Bucket(schema.Meta).Get(schema.KeySchema), tx.Bucket(schema.Meta).Get(schema.KeySealed)
		if len(raw) != 4 || binary.BigEndian.Uint32(raw) != store.Schema || whole != nil && !bytes.Equal(raw, whole) {
			k.report(schema.Meta, "writes it", schema.Put, "the schema is damaged")
		}
		if last := k.rows.LastID(); tx.Bucket(schema.URLs).Sequence() != last ||
			tx.Bucket(schema.Meta).Get(schema.KeyLast) == nil && last > 0 {
			k.report(schema.Meta, "writes it", func(tx sealed.Tx) error { return mendMeta(tx, schema.KeyLast) },
				"the number of the last URL is damaged")
		}
		return nil
	})
}

// mendMeta rebuilds a row of meta from the other rows.
func mendMeta(tx sealed.Tx, key []byte) error {
	meta := tx.Bucket(schema.Meta)
	switch string(key) {
	case string(schema.KeySealed):
		return schema.Put(tx)
	case string(schema.KeyMerged):
		return meta.Put(key, schema.IDKey(0)) // the next opening looks for all keys
	case string(schema.KeyLast):
		return store.Reset(tx)
	}
	return meta.Delete(key)
}

func (k *checker) checkWords() error {
	k.lostWords = map[uint32]bool{}
	if err := k.rows.DB().View(func(tx sealed.Tx) error { k.words = store.WordCount(tx, 0); return nil }); err != nil {
		return err
	}
	next := uint32(0)
	lost := func(i uint32) {
		k.lostWords[i] = true
		k.report(schema.Words, "gives its number up; pages that have it are counted again", func(tx sealed.Tx) error {
			return tx.Bucket(schema.Words).Put(binary.BigEndian.AppendUint32(nil, i), []byte(store.LostWordAt(int(i))))
		}, "word %d is damaged or missing", i)
	}
	err := k.scan(schema.Words, func(key []byte, err error) {
		if len(key) != 4 || binary.BigEndian.Uint32(key) >= uint32(k.words) {
			k.aside(schema.Words)(key, err)
		}
	}, func(_ sealed.Bucket, key, v []byte) error {
		if len(key) != 4 || binary.BigEndian.Uint32(key) >= uint32(k.words) {
			k.aside(schema.Words)(bytes.Clone(key), errRow)
			return nil
		}
		at := binary.BigEndian.Uint32(key)
		for ; next < at; next++ {
			lost(next)
		}
		if next++; store.LostWord(string(v)) {
			k.lostWords[at] = true
		}
		return nil
	})
	for ; next < uint32(k.words); next++ {
		lost(next)
	}
	return err
}

// checkKeys reports keys that lead to no URL or a wrong one.
func (k *checker) checkKeys() error {
	return k.scan(schema.IDs, k.remove(schema.IDs), func(b sealed.Bucket, key, v []byte) error {
		if len(v) == 8 && len(key) == len(store.Key{}) {
			u, err := store.DecodeURL(schema.KeyID(v), b.Beside(schema.URLs).Get(v))
			if err == nil && store.KeyOf(u.URL) == store.Key(key) || err != nil && k.ownedByURL(b, v) {
				return nil
			}
		}
		k.report(schema.IDs, "removes the key", deleting(schema.IDs, bytes.Clone(key)), "key %x leads to no URL",
			key[:min(4, len(key))])
		return nil
	})
}

func (k *checker) checkCounts() {
	c := k.Workspace.Counts()
	if k.rows.Stale() {
		return // the data in memory is outdated
	}
	for s, want := range [...]int{c.Waiting, c.Processing, c.Exception, c.Complete} {
		if k.n[s] != want {
			k.report(nil, "opening the workspace again counts anew", nil, "%d URLs are %v, counted %d", k.n[s],
				store.State(s), want)
		}
	}
	if k.npages != c.Pages {
		k.report(nil, "opening the workspace again counts anew", nil, "%d pages, counted %d", k.npages, c.Pages)
	}
}

// checkRest checks rows that can be learned again, the history of runs, and the sent alerts.
func (k *checker) checkRest() error {
	nothing := func(sealed.Bucket, []byte, []byte) error { return nil }
	return errors.Join(k.scan(schema.Hosts, k.remove(schema.Hosts), nothing),
		k.scan(schema.State, k.remove(schema.State), nothing), k.checkBesides())
}

// checkDecisions checks the decisions of analysts. It restores a damaged decision from the log; one
// that is not in the log is moved aside.
func (k *checker) checkDecisions() error {
	made, whole := map[string]json.RawMessage{}, true
	err := k.scan(schema.Events, func(key []byte, err error) {
		whole = false
		k.aside(schema.Events)(key, err)
	}, func(b sealed.Bucket, key, v []byte) error {
		e := new(store.Event)
		if err := json.Unmarshal(v, e); err != nil || len(key) != 8 {
			whole = false
			k.aside(schema.Events)(bytes.Clone(key), errRow)
			return nil
		}
		for _, c := range e.Changes {
			made[string(store.DecisionKey(c.Topic, c.Kind, c.Key))] = bytes.Clone(c.After)
		}
		return nil
	})
	if err != nil {
		return err
	}
	restore := func(key string, v []byte) func(sealed.Tx) error {
		return func(tx sealed.Tx) error { return tx.Bucket(schema.Decisions).Put([]byte(key), bytes.Clone(v)) }
	}
	bad := func(key []byte, err error) {
		v := made[string(key)]
		delete(made, string(key))
		if v == nil {
			k.aside(schema.Decisions)(key, err)
			return
		}
		k.report(schema.Decisions, "puts it back from the log", restore(string(key), v), "decision %q is damaged: %v",
			key, err)
	}
	err = k.scan(schema.Decisions, bad, func(b sealed.Bucket, key, v []byte) error {
		delete(made, string(key))
		k.checkDecision(b, key, v)
		return nil
	})
	for key, v := range made {
		if v != nil && whole && err == nil {
			k.report(schema.Decisions, "puts it back from the log", restore(key, v), "decision %q is missing", key)
		}
	}
	if err != nil {
		return err
	}
	return k.scan(schema.Samples, k.aside(schema.Samples), func(_ sealed.Bucket, key, v []byte) error {
		s := new(store.Sample)
		if err := json.Unmarshal(v, s); err != nil || len(key) != len(store.Key{}) ||
			store.KeyOf(s.URL) != store.Key(key) {
			k.aside(schema.Samples)(bytes.Clone(key), errRow)
		}
		return nil
	})
}

func (k *checker) checkDecision(b sealed.Bucket, key, v []byte) {
	if !json.Valid(v) {
		k.report(schema.Decisions, "", nil, "%s holds no JSON", key)
	}
	topic, kind, name, ok := store.SplitDecision(key)
	switch {
	case !ok:
		k.report(schema.Decisions, "", nil, "decision %q belongs to no topic; it counts for nothing", key)
	case kind == "label":
		if id, err := strconv.ParseUint(name, 10, 64); err != nil ||
			b.Beside(schema.URLs).Get(schema.IDKey(id)) == nil {
			k.report(schema.Decisions, "", nil, "label of an unknown url %s; it counts for nothing", name)
		}
	case kind == "sample" || kind == "anti":
		k.checkSample(b, topic, kind, name)
	}
}

// checkSample checks that a sample or negative sample has its page, and only one mark.
func (k *checker) checkSample(b sealed.Bucket, topic store.TopicID, kind, u string) {
	if name := store.KeyOf(u); b.Beside(schema.Samples).Get(name[:]) == nil {
		what := strings.Replace(kind, "anti", "negative sample", 1)
		if s := k.crawledSample(b, u); s != nil {
			k.report(schema.Samples, "takes the page as it was crawled", func(tx sealed.Tx) error {
				v, err := json.Marshal(s)
				return errors.Join(err, tx.Bucket(schema.Samples).Put(name[:], v))
			}, "the page of %s %s is missing", what, u)
		} else {
			k.report(schema.Samples, "", nil, "the page of %s %s is missing; mark it again", what, u)
		}
	}
	if kind == "anti" && b.Get(store.DecisionKey(topic, "sample", u)) != nil {
		k.report(schema.Decisions, "", nil, "%s is sample and negative sample; take one mark away", u)
	}
}
