// Package records stores the small buckets of a workspace: runs, documents, alerts, requests and
// other rows beside the pages.
//
// Each kind of row is a table. The first row creates its bucket, so older workspaces need no
// upgrade. A damaged row is counted and left out; All lists the buckets for check and repair.
// Functions with a DB run one short transaction, are safe for concurrent use, and return after the
// rows are on disk. Functions with a transaction belong to its goroutine.
package records

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"

	"angler/store/schema"
	"angler/store/sealed"
)

// DB runs transactions on the rows of a workspace; a *store.Workspace is one.
type DB interface {
	View(func(sealed.Tx) error) error
	Write(func(sealed.Tx) error) error
}

// table stores rows of one type: all rows of a bucket, or those with a prefix of keys. Values are
// JSON unless encode and decode are set.
type table[K, V any] struct {
	bucket []byte
	prefix string
	key    func(K) []byte // without the prefix

	encode func(*V) ([]byte, error)
	decode func([]byte) (*V, error)
	pack   func([]byte) []byte          // compresses; nil = no compression
	unpack func([]byte) ([]byte, error) // the reverse, bounded

	// sound reports whether a row fits its key. It may set fields from the key.
	sound func(key []byte, v *V) bool
}

var errForm = errors.New("it does not decode")

// at returns the key of a row in its bucket.
func (t *table[K, V]) at(k K) []byte {
	if t.prefix == "" {
		return t.key(k)
	}
	return append([]byte(t.prefix), t.key(k)...)
}

// read decodes a row.
func (t *table[K, V]) read(key, value []byte) (v *V, err error) {
	rest, ok := bytes.CutPrefix(key, []byte(t.prefix))
	if !ok {
		return nil, errForm
	}
	if t.unpack != nil {
		if value, err = t.unpack(value); err != nil {
			return nil, fmt.Errorf("%w: %v", errForm, err)
		}
	}
	if t.decode != nil {
		v, err = t.decode(value)
	} else if v = new(V); true {
		err = json.Unmarshal(value, v)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errForm, err)
	}
	if !t.sound(rest, v) {
		return nil, errForm
	}
	return v, nil
}

// Check reports a fault in the form of a row.
func (t *table[K, V]) Check(key, value []byte) error {
	_, err := t.read(key, value)
	return err
}

// rows accesses a table within a transaction. A missing bucket reads as empty.
type rows[K, V any] struct {
	sealed.Bucket
	t *table[K, V]
}

func (t *table[K, V]) in(tx sealed.Tx) rows[K, V] { return rows[K, V]{tx.Bucket(t.bucket), t} }

// writable returns the rows for writing. It creates a missing bucket.
func (t *table[K, V]) writable(tx sealed.Tx) (rows[K, V], error) {
	_, err := tx.Raw().CreateBucketIfNotExists(t.bucket)
	return t.in(tx), err
}

// change runs f in a transaction of its own.
func (t *table[K, V]) change(db DB, f func(rows[K, V]) error) error {
	return db.Write(func(tx sealed.Tx) error {
		r, err := t.writable(tx)
		if err != nil {
			return err
		}
		return f(r)
	})
}

// put stores a row. It creates a missing bucket.
func (t *table[K, V]) put(tx sealed.Tx, k K, v *V) error {
	r, err := t.writable(tx)
	if err != nil {
		return err
	}
	return r.put(k, v)
}

// store is put in a transaction of its own.
func (t *table[K, V]) store(db DB, k K, v *V) error {
	return db.Write(func(tx sealed.Tx) error { return t.put(tx, k, v) })
}

// of returns the row of a key; nil if it is missing or damaged.
func (t *table[K, V]) of(db DB, k K) (v *V, err error) {
	err = db.View(func(tx sealed.Tx) error { v = t.in(tx).get(k); return nil })
	return v, err
}

// scan returns the rows whose keys begin with prefix, in the order of keys.
func (t *table[K, V]) scan(db DB, prefix []byte) (list []*V, err error) {
	err = db.View(func(tx sealed.Tx) error { list = t.in(tx).scan(prefix); return nil })
	return list, err
}

func (r rows[K, V]) get(k K) *V { return sealed.Find(r.Bucket, r.t.at(k), r.t.read) }

func (r rows[K, V]) scan(prefix []byte) []*V {
	return sealed.Scan(r.Bucket, append([]byte(r.t.prefix), prefix...), r.t.read)
}

func (r rows[K, V]) put(k K, v *V) (err error) {
	var b []byte
	if r.t.encode != nil {
		b, err = r.t.encode(v)
	} else {
		b, err = json.Marshal(v)
	}
	if err != nil {
		return err
	}
	if r.t.pack != nil {
		b = r.t.pack(b)
	}
	return r.Put(r.t.at(k), b)
}

func (r rows[K, V]) delete(keys ...K) error {
	for _, k := range keys {
		if err := r.Delete(r.t.at(k)); err != nil {
			return err
		}
	}
	return nil
}

// keys returns the keys with a prefix, including those of damaged rows.
func (r rows[K, V]) keys(prefix []byte) (keys [][]byte) {
	if r.Missing() {
		return nil
	}
	prefix = append([]byte(r.t.prefix), prefix...)
	c := r.Bucket.Bucket.Cursor()
	for k, _ := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		keys = append(keys, bytes.Clone(k))
	}
	return keys
}

// find returns the keys of sound rows that match. It reads limit rows from a key on and returns the
// next key; nil at the end.
func (r rows[K, V]) find(from []byte, limit int, match func(*V) bool) (keys [][]byte, next []byte) {
	c := r.Cursor()
	k, value := c.Seek(from)
	for n := 0; k != nil && n < limit; n++ {
		if v, err := r.t.read(k, value); err == nil && match(v) {
			keys = append(keys, bytes.Clone(k))
		}
		k, value = c.Next()
	}
	return keys, bytes.Clone(k)
}

// remove deletes rows by their whole keys.
func (r rows[K, V]) remove(keys [][]byte) error {
	for _, k := range keys {
		if err := r.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// values returns copies of the rows.
func values[V any](list []*V, err error) ([]V, error) {
	var out []V
	for _, v := range list {
		out = append(out, *v)
	}
	return out, err
}

// packS2 compresses a value.
func packS2(v []byte) []byte { return s2.Encode(nil, v) }

// unpackS2 returns a decompressor. A value of more than limit bytes counts as damaged.
func unpackS2(limit int) func([]byte) ([]byte, error) {
	return func(v []byte) ([]byte, error) {
		if n, err := s2.DecodedLen(v); err != nil || n > limit {
			return nil, errForm
		}
		return s2.Decode(nil, v)
	}
}

// asIs and asBytes store bytes without a form.
func asIs(v *[]byte) ([]byte, error)    { return bytes.Clone(*v), nil }
func asBytes(v []byte) (*[]byte, error) { v = bytes.Clone(v); return &v, nil }

func text(s string) []byte { return []byte(s) }

// idOf returns the id in a key of 8 bytes; 0 for another length.
func idOf(key []byte) uint64 {
	if len(key) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key)
}

// Owner is the kind of row in another bucket that a row belongs to.
type Owner int

// The owners.
const (
	alone     Owner = iota
	OfPage          // a URL with the id in its key
	OfNotice        // a notice with the id in its key
	OfAddress       // a URL with a fragment, with the id in its key
)

// Bucket is a bucket of this package.
type Bucket struct {
	Name  []byte
	Owner Owner
	Check func(key, value []byte) error // reports faults in the form of a row
	// consequence of removing a damaged row; "": no other row derives it
	Loss string
}

// All lists the buckets. Files of documents are outside: ReadDocument compares each with its hash.
var All = []Bucket{
	{PersonalBucket, alone, either(readMarks.Check, screens.Check),
		"a notice counts as unread again, a screen begins anew"},
	{RunsBucket, alone, runs.Check, ""},
	{FactsBucket, OfNotice, facts.Check, "the notice is read again"},
	{AnswersBucket, OfNotice, answers.Check, "the model is asked about the notice again"},
	{assistantBucket, alone, assistantUse.Check, "the tokens of that day are not counted"},
	{queriesBucket, alone, queries.Check, "a question is forgotten"},
	{missingBucket, OfPage, missing.Check, "what a page lacks is found at its next change"},
	{HostTraces.bucket, OfPage, HostTraces.Check, "its host is learned from other pages"},
	{TableTraces.bucket, OfPage, TableTraces.Check,
		"fields of its notice that are asked for from now on are read of the text alone"},
	{outboxBucket, alone, either(deliveries.Check, alertStates.Check, toldMarks.Check, firstMarks.Check,
		lastDelivery.Check), ""},
	{VersionsBucket, alone, versions.Check, ""},
	{requestsBucket, OfAddress, requests.Check, "the page is asked for again when its list is read"},
	{documentsBucket, alone, documents.Check, "the document counts as never fetched"},
	{TextsBucket, alone, documentTexts.Check, "the file is read again"},
	{proposalsBucket, alone, either(proposals.Check, questions.Check), "looking for seeds finds it again"},
}

// either checks a row of a bucket with several tables, whose prefixes differ.
func either(checks ...func(key, value []byte) error) func(key, value []byte) error {
	return func(key, value []byte) (err error) {
		for _, check := range checks {
			if err = check(key, value); err == nil {
				return nil
			}
		}
		return err
	}
}

var idKey = schema.IDKey
