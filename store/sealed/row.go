package sealed

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"

	bolt "go.etcd.io/bbolt"
)

// Size is how many bytes a checksum adds to a value. A value with that much spare capacity is not
// copied by Put.
const Size = 4

// ErrSeal means that the checksum of a row is wrong.
var ErrSeal = errors.New("its checksum is wrong")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum returns the checksum of a row: CRC-32C over the bucket's name, the key and the value. With
// the name in it, a row found without its tree still shows its bucket.
func Sum(bucket, key, value []byte) uint32 {
	return crc32.Update(crc32.Update(crc32.Checksum(bucket, castagnoli), castagnoli, key), castagnoli, value)
}

// seal appends the checksum to a value.
func seal(bucket, key, value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, Sum(bucket, key, value))
}

// unseal verifies and removes the checksum of a row.
func unseal(bucket, key, row []byte) (value []byte, ok bool) {
	n := len(row) - Size
	if n < 0 {
		return nil, false
	}
	return row[:n:n], binary.LittleEndian.Uint32(row[n:]) == Sum(bucket, key, row[:n])
}

// Tx is a transaction.
type Tx struct {
	tx *bolt.Tx
	db *DB
}

// Raw returns bbolt's transaction, which reads rows as they are in the file.
func (t Tx) Raw() *bolt.Tx { return t.tx }

// Bucket returns a bucket; see Bucket.Missing.
func (t Tx) Bucket(name []byte) Bucket {
	return Bucket{t.tx.Bucket(name), name, t.db, string(name) == t.db.plain}
}

// Bucket is a bucket of rows with checksums.
type Bucket struct {
	*bolt.Bucket
	name  []byte
	db    *DB
	plain bool
}

// Beside returns another bucket of the same transaction.
func (b Bucket) Beside(name []byte) Bucket { return Tx{b.Tx(), b.db}.Bucket(name) }

// Missing reports whether the bucket does not exist. It then reads as empty, and deletions do
// nothing.
func (b Bucket) Missing() bool { return b.Bucket == nil }

// Delete removes a row, if it exists.
func (b Bucket) Delete(key []byte) error {
	if b.Missing() {
		return nil
	}
	return b.Bucket.Delete(key)
}

// Find decodes a row; nil if it is missing or damaged. Damaged rows are counted.
func Find[T any](b Bucket, key []byte, decode func(key, value []byte) (*T, error)) *T {
	v := b.Get(key)
	if v == nil {
		return nil
	}
	row, err := decode(key, v)
	if err != nil {
		b.Spoiled(key, err)
		return nil
	}
	return row
}

// Scan decodes the rows under a prefix in order of keys. It counts and skips damaged ones.
func Scan[T any](b Bucket, prefix []byte, decode func(key, value []byte) (T, error)) (rows []T) {
	c := b.Cursor()
	for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
		row, err := decode(k, v)
		if err != nil {
			b.Spoiled(k, err)
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

// Put stores a value with its checksum. Like bbolt it keeps the slice until the transaction ends,
// and it may write after the slice's end.
func (b Bucket) Put(key, value []byte) error {
	if !b.plain && string(key) != b.db.bare {
		value = seal(b.name, key, value)
	}
	return b.Bucket.Put(key, value)
}

// Get returns a value; nil if its row is missing or damaged. Look tells these apart.
func (b Bucket) Get(key []byte) []byte {
	v, _ := b.Look(key)
	return v
}

// Look returns a value, nil if there is none, or ErrSeal.
func (b Bucket) Look(key []byte) ([]byte, error) {
	if b.Missing() {
		return nil, nil
	}
	row := b.Bucket.Get(key)
	if row == nil {
		return nil, nil
	}
	return b.open(key, row)
}

// Raw is Look without verification: it returns the row as stored, with its checksum. Use it if the
// caller verifies the parts of the row.
func (b Bucket) Raw(key []byte) []byte {
	row := b.Bucket.Get(key)
	b.bounded(row)
	return row
}

// bounded panics if a row is longer than its file: a damaged page would lead outside of it.
func (b Bucket) bounded(row []byte) {
	if len(row) > int(b.Tx().Size()) {
		panic(broken("a row is longer than the file"))
	}
}

func (b Bucket) open(key, row []byte) ([]byte, error) {
	b.bounded(row)
	if b.plain || string(key) == b.db.bare {
		return row, nil
	}
	if v, ok := unseal(b.name, key, row); ok {
		return v, nil
	}
	b.Spoiled(key, ErrSeal)
	return nil, ErrSeal
}

// Spoiled counts a row as damaged whose checksum is right but whose value is wrong.
func (b Bucket) Spoiled(key []byte, why error) { b.db.Tally.Add(b.name, key, why) }

// ForEach calls f for each sound row in the order of keys.
func (b Bucket) ForEach(f func(k, v []byte) error) error {
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if err := f(k, v); err != nil {
			return err
		}
	}
	return nil
}

// Walk is a scan of a bucket in short transactions, because a long one keeps freed pages from reuse.
type Walk struct {
	Bucket  []byte
	From    []byte                                  // the first key; nil: that of the bucket
	N       int                                     // rows of a transaction
	Row     func(b Bucket, key, value []byte) error // gets each sound row, in a transaction
	Bad     func(key []byte, err error)             // gets each damaged row; nil: none
	Between func() error                            // runs after each transaction; an error ends the scan
}

// Walk scans a bucket; a missing one has no rows. It returns the first error.
func (db *DB) Walk(w Walk) error {
	next := w.From
	for more := true; more; {
		err := db.View(func(tx Tx) error {
			b := tx.Bucket(w.Bucket)
			c := b.Cursor()
			c.Each = w.Bad
			key, value := c.Seek(next)
			for n := 0; key != nil && n < w.N; n++ {
				if err := w.Row(b, key, value); err != nil {
					return err
				}
				key, value = c.Next()
			}
			next, more = bytes.Clone(key), key != nil
			return nil
		})
		if stop := w.Between(); err != nil || stop != nil {
			return cmp.Or(err, stop)
		}
	}
	return nil
}

// Cursor returns a cursor over the sound rows.
func (b Bucket) Cursor() *cursor {
	if b.Missing() {
		return &cursor{bucket: b}
	}
	return &cursor{bucket: b, c: b.Bucket.Cursor()}
}

// cursor moves over the sound rows of a bucket.
type cursor struct {
	bucket Bucket
	c      *bolt.Cursor
	at     []byte
	Each   func(key []byte, err error) // if set, called for every skipped row
}

// First moves to the first row.
func (c *cursor) First() (k, v []byte) { return c.Seek(nil) }

// Seek moves to the first row whose key is not before key.
func (c *cursor) Seek(key []byte) (k, v []byte) {
	if c.bucket.Missing() {
		return nil, nil
	}
	c.at = nil
	k, v = c.c.Seek(key)
	return c.settle(k, v, c.c.Next, 1)
}

// Next moves to the next row.
func (c *cursor) Next() (k, v []byte) {
	k, v = c.c.Next()
	return c.settle(k, v, c.c.Next, 1)
}

// Last moves to the last row.
func (c *cursor) Last() (k, v []byte) {
	if c.bucket.Missing() {
		return nil, nil
	}
	c.at = nil
	k, v = c.c.Last()
	return c.settle(k, v, c.c.Prev, -1)
}

// Prev moves to the previous row.
func (c *cursor) Prev() (k, v []byte) {
	k, v = c.c.Prev()
	return c.settle(k, v, c.c.Prev, -1)
}

// settle moves on to a sound row. Keys that do not follow the last one in this order, 1 or -1, would
// cause a loop.
func (c *cursor) settle(k, v []byte, move func() (k, v []byte), order int) ([]byte, []byte) {
	for ; k != nil; k, v = move() {
		if c.at != nil && bytes.Compare(k, c.at) != order {
			panic(broken("the rows of " + string(c.bucket.name) + " are out of order"))
		}
		c.at = k
		value, err := c.bucket.open(k, v)
		if err == nil {
			return k, value
		}
		if c.Each != nil {
			c.Each(k, err)
		}
	}
	return nil, nil
}
