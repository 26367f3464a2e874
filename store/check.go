package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file verifies every row of a workspace's database. A repair makes a damaged row again from the
// rows that it derives from. Other damaged rows are moved aside. The workspace must be idle.
//
// A check reads everything once in short transactions. Its memory is one byte a URL and the listed
// problems.

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
	Workspace *Workspace
	Progress  func(bucket string, rows int) // called now and then; nil: no progress

	// Terms reports what is wrong with the words of a page; lost reports whether the word of a number
	// was lost. nil: a valid checksum is enough.
	Terms func(v []byte, words int, lost func(uint32) bool) error
}

// checked is the result of a check.
type checked struct {
	Problems []Problem
	More     int // further problems of the same kinds
	Rows     int // checked rows
	Bodies   int // decompressed and compared with their hash
}

// mostOfBucket bounds the problems of a bucket that are listed and repaired at once.
const mostOfBucket = 10_000

// Check checks everything.
func (c Checker) Check() (*checked, error) {
	k := &checker{Checker: c, w: c.Workspace, of: map[string]int{}, read: map[string]int{}}
	for _, f := range []func() error{k.checkMeta, k.checkWords, k.checkURLs, k.checkKeys, k.checkPages,
		k.checkOwned, k.checkLost, k.checkDecisions, k.checkOthers} {
		if err := f(); err != nil {
			return &k.checked, err
		}
	}
	k.checkCounts()
	return &k.checked, nil
}

// Repair checks the workspace and repairs it. Pages that must be fetched again wait afterwards. It
// returns the problems found; those with empty Repairs remain. The workspace must be opened again
// afterwards, because counts and the seen filter are in memory.
func (c Checker) Repair() (*checked, error) {
	all := &checked{}
	if err := c.Workspace.Write(func(sealed.Tx) error { return nil }); err != nil { // writes the meta page not in force
		return all, err
	}
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
		for chunk := range slices.Chunk(fixes, 256) {
			if err := c.Workspace.mend(chunk); err != nil {
				return all, err
			}
		}
	}
	return all, errors.New("the repair came to no end; restore the database from a copy")
}

// CheckQuickly checks a workspace as far as this package can.
func CheckQuickly(w *Workspace) ([]Problem, error) {
	found, err := Checker{Workspace: w}.Check()
	return found.Problems, err
}

// mend repairs problems in one transaction. The next opening reads all rows, because the checkpoint
// is gone.
func (w *Workspace) mend(problems []Problem) error {
	w.committing.Lock()
	defer w.committing.Unlock()
	w.repaired = true
	return discard(w, func(tx sealed.Tx) error {
		for _, p := range problems {
			if err := p.fix(tx); err != nil {
				return fmt.Errorf("%s: %w", p.Text, err)
			}
		}
		return nil
	})
}

type checker struct {
	Checker
	checked
	w         *Workspace
	of        map[string]int // problems by bucket
	read      map[string]int // rows by bucket
	n         [Complete + 1]int
	words     int
	lostWords map[uint32]bool
	gone      map[uint64]*URL // URLs without a sound row, as far as they are known
	packed    packTally       // used parts of packs
}

func (k *checker) report(bucket []byte, repairs string, fix func(sealed.Tx) error, format string, args ...any) {
	if k.of[string(bucket)]++; k.of[string(bucket)] > mostOfBucket {
		k.More++
		return
	}
	k.Problems = append(k.Problems, Problem{fmt.Sprintf(format, args...), repairs, fix})
}

// repair is what Repair does about a damaged row.
type repair struct {
	does string // for Problem.Repairs
	fix  func(tx sealed.Tx, bucket, key []byte, why error) error
}

var (
	removing   = repair{"removes the row", removeRow}
	learning   = repair{"removes it; it is learned again", removeRow}
	moving     = repair{"moves it aside: it is lost", moveAside}
	refetching = repair{"lets the page wait to be fetched again", fetchAgain}
	recounting = repair{"has its words counted again", countAgain}
	relisting  = repair{"removes it; the next harvest looks through all lists for it", relist}
)

var (
	errMissing = errors.New("it is missing")
	errNoOwner = errors.New("it belongs to no URL")
)

// damaged reports a row and its repair.
func (k *checker) damaged(bucket, key []byte, r repair, why error) {
	key = bytes.Clone(key)
	if why == errNoOwner {
		r = removing
	}
	k.report(bucket, r.does, func(tx sealed.Tx) error { return r.fix(tx, bucket, key, why) },
		"%s is damaged: %v", name(bucket, key), why)
}

// scan calls f with each sound row of a bucket and bad with each damaged one. Rows that f refuses
// are damaged, too.
func (k *checker) scan(bucket []byte, bad func(key []byte, err error),
	f func(b sealed.Bucket, key, v []byte) error) error {
	n := 0
	defer func() { k.Rows, k.read[string(bucket)] = k.Rows+n, n }()
	return k.w.db.Walk(sealed.Walk{Bucket: bucket, N: scanChunk,
		Row: func(b sealed.Bucket, key, v []byte) error {
			n++
			if err := f(b, key, v); err != nil {
				bad(key, err)
			}
			return nil
		},
		Bad: func(key []byte, err error) { n++; bad(key, err) },
		Between: func() error {
			if k.Progress != nil {
				k.Progress(string(bucket), n)
			}
			return nil
		}})
}

// rows checks the rows of a bucket, which are all repaired in one way. sound reports what is wrong
// with a row of a valid checksum.
func (k *checker) rows(bucket []byte, r repair, sound func(b sealed.Bucket, key, v []byte) error) error {
	return k.scan(bucket, func(key []byte, err error) { k.damaged(bucket, key, r, err) }, sound)
}

// sealedRow accepts every row whose checksum is valid.
func sealedRow(sealed.Bucket, []byte, []byte) error { return nil }

// name returns the readable form of a key.
func name(bucket, key []byte) string {
	switch {
	case len(key) == 8 && !bytes.Equal(bucket, schema.Hosts):
		return fmt.Sprintf("%s %d", bucket, schema.KeyID(key))
	case len(key) == len(Key{}) && (bytes.Equal(bucket, schema.IDs) || bytes.Equal(bucket, schema.Samples)):
		return fmt.Sprintf("%s %x", bucket, key[:4])
	}
	return fmt.Sprintf("%s %q", bucket, key)
}

func removeRow(tx sealed.Tx, bucket, key []byte, _ error) error { return tx.Bucket(bucket).Delete(key) }

// bucketLost keeps rows that a repair moved aside: bucket/key → the reason, and the row as it was.
// The first repair that needs it makes it.
var bucketLost = []byte("lost")

type lostRow struct {
	Why string    `json:"why"`
	At  time.Time `json:"at"`
	Row []byte    `json:"row,omitempty"`
}

func lostKey(bucket, key []byte) []byte { return slices.Concat(bucket, []byte{'/'}, key) }

// moveAside moves a row from its bucket to bucketLost.
func moveAside(tx sealed.Tx, bucket, key []byte, why error) error {
	if _, err := tx.Raw().CreateBucketIfNotExists(bucketLost); err != nil {
		return err
	}
	from := tx.Raw().Bucket(bucket)
	v, err := json.Marshal(lostRow{Why: why.Error(), At: time.Now(), Row: from.Get(key)})
	if err != nil {
		return err
	}
	return errors.Join(tx.Bucket(bucketLost).Put(lostKey(bucket, key), v), from.Delete(key))
}

// fetchAgain deletes the stored rows of a page and makes its URL wait.
func fetchAgain(tx sealed.Tx, _, key []byte, _ error) error {
	for _, b := range [][]byte{schema.Pages, schema.Terms, schema.Links} {
		if err := tx.Bucket(b).Delete(key); err != nil {
			return err
		}
	}
	if err := deletePacked(tx.Bucket(schema.Bodies), key); err != nil {
		return err
	}
	urls := tx.Bucket(schema.URLs)
	u := find(urls, schema.KeyID(key), decodeURL)
	if u == nil { // it has its own repair
		return nil
	}
	u.State = Waiting
	u.untroubled()
	return urls.Put(key, appendURL(nil, u))
}

func countAgain(tx sealed.Tx, _, key []byte, _ error) error {
	return tx.Bucket(schema.Terms).Put(key, []byte(Uncounted))
}

// relist removes a notice and makes the next harvest look for it.
func relist(tx sealed.Tx, bucket, key []byte, _ error) error {
	return errors.Join(tx.Bucket(schema.State).Put([]byte(RelistState), []byte("1")), tx.Bucket(bucket).Delete(key))
}

func (k *checker) checkMeta() error {
	anew := repair{"makes it anew", mendMeta}
	if err := k.rows(schema.Meta, anew, sealedRow); err != nil {
		return err
	}
	return k.w.db.View(func(tx sealed.Tx) error {
		raw, whole := tx.Raw().Bucket(schema.Meta).Get(schema.KeySchema), tx.Bucket(schema.Meta).Get(schema.KeySealed)
		if len(raw) != 4 || binary.BigEndian.Uint32(raw) != Schema || whole != nil && !bytes.Equal(raw, whole) {
			k.damaged(schema.Meta, schema.KeySealed, anew, errors.New("it is not the schema of this program"))
		}
		if last := k.w.last.Load(); tx.Bucket(schema.URLs).Sequence() != last ||
			tx.Bucket(schema.Meta).Get(schema.KeyLast) == nil && last > 0 {
			k.damaged(schema.Meta, schema.KeyLast, anew, errors.New("it is not the number of the last URL"))
		}
		return nil
	})
}

// mendMeta rebuilds a row of meta from the other rows.
func mendMeta(tx sealed.Tx, bucket, key []byte, _ error) error {
	meta := tx.Bucket(bucket)
	switch string(key) {
	case string(schema.KeySealed):
		return schema.Put(tx)
	case string(schema.KeyMerged):
		return meta.Put(key, schema.IDKey(0)) // the next opening looks for all keys
	case string(schema.KeyLast):
		last := schema.LastID(tx)
		return errors.Join(tx.Bucket(schema.URLs).SetSequence(last), meta.Put(key, schema.IDKey(last)))
	}
	return meta.Delete(key)
}

func (k *checker) checkCounts() {
	if k.w.repaired {
		return // the data in memory is outdated
	}
	c := k.w.Counts()
	counted := func(n int, of string, want int) {
		if n != want {
			k.report(nil, "opening the workspace again counts anew", nil, "%d %s, counted %d", n, of, want)
		}
	}
	for s, want := range [...]int{c.Waiting, c.Processing, c.Exception, c.Complete} {
		counted(k.n[s], "URLs are "+state(s).String(), want)
	}
	counted(k.read[string(schema.Pages)], "pages", c.Pages)
}

// checkDecisions checks the decisions of analysts and their samples. It restores a damaged decision
// from the log.
func (k *checker) checkDecisions() error {
	made := map[string]json.RawMessage{}
	err := k.rows(schema.Events, moving, func(b sealed.Bucket, key, v []byte) error {
		e := new(Event)
		if err := json.Unmarshal(v, e); err != nil || len(key) != 8 {
			return errRow
		}
		for _, c := range e.Changes {
			made[string(decisionKey(c.Topic, c.Kind, c.Key))] = bytes.Clone(c.After)
		}
		return nil
	})
	if err != nil {
		return err
	}
	bad := func(key []byte, err error) {
		r := moving
		if v := made[string(key)]; v != nil {
			r = repair{"puts it back from the log", func(tx sealed.Tx, bucket, key []byte, _ error) error {
				return tx.Bucket(bucket).Put(key, bytes.Clone(v))
			}}
			delete(made, string(key))
		}
		k.damaged(schema.Decisions, key, r, err)
	}
	err = k.scan(schema.Decisions, bad, func(b sealed.Bucket, key, v []byte) error {
		delete(made, string(key))
		k.checkDecision(b, key, v)
		return nil
	})
	if err != nil {
		return err
	}
	for key, v := range made {
		if v != nil && k.of[string(schema.Events)] == 0 { // without damaged events, the log is complete
			bad([]byte(key), errMissing)
		}
	}
	return k.rows(schema.Samples, moving, func(_ sealed.Bucket, key, v []byte) error {
		s := new(Sample)
		if err := json.Unmarshal(v, s); err != nil || !bytes.Equal(key, keyOfURL(s.URL)) {
			return errRow
		}
		return nil
	})
}

// checkDecision reports a decision without effect, and a sample without its page.
func (k *checker) checkDecision(b sealed.Bucket, key, v []byte) {
	fault := func(format string, args ...any) { k.report(schema.Decisions, "", nil, format, args...) }
	if !json.Valid(v) {
		fault("%s holds no JSON", key)
	}
	topic, kind, of, ok := splitDecision(key)
	switch {
	case !ok:
		fault("decision %q belongs to no topic; it counts for nothing", key)
	case kind == "label":
		if !labelled(b, of) {
			fault("label of an unknown url %s; it counts for nothing", of)
		}
	case kind == "sample" || kind == "anti":
		k.checkSample(b, kind, of)
		if kind == "anti" && b.Get(decisionKey(topic, "sample", of)) != nil {
			fault("%s is sample and negative sample; take one mark away", of)
		}
	}
}

// checkSample checks that a sample or negative sample has its page.
func (k *checker) checkSample(b sealed.Bucket, kind, url string) {
	key := keyOfURL(url)
	if b.Beside(schema.Samples).Get(key) != nil {
		return
	}
	what := "sample"
	if kind == "anti" {
		what = "negative sample"
	}
	s := k.crawledSample(b, url)
	if s == nil {
		k.report(schema.Samples, "", nil, "the page of %s %s is missing; mark it again", what, url)
		return
	}
	k.report(schema.Samples, "takes the page as it was crawled", func(tx sealed.Tx) error {
		v, err := json.Marshal(s)
		return errors.Join(err, tx.Bucket(schema.Samples).Put(key, v))
	}, "the page of %s %s is missing", what, url)
}

// crawledSample makes the material of a sample from the crawled page; nil if there is none.
func (k *checker) crawledSample(b sealed.Bucket, url string) *Sample {
	id, ok, _ := k.w.seen.look(b.Beside(schema.IDs), KeyOf(url))
	if !ok {
		return nil
	}
	p := find(b.Beside(schema.Pages), id, decodePage)
	if p == nil || p.URL != url {
		return nil
	}
	z, err := lookPacked(b.Beside(schema.Bodies), schema.IDKey(id))
	if err != nil || len(z) == 0 || k.w.bodyMatches(p, z) != nil {
		return nil
	}
	return &Sample{URL: url, ContentType: "text/html; charset=" + p.Charset, Body: bytes.Clone(z), Added: p.Fetched}
}
