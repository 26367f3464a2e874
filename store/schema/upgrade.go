package schema

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"angler/store/sealed"
)

// Put writes the version.
func Put(tx sealed.Tx) error {
	v := binary.BigEndian.AppendUint32(nil, Version)
	if err := tx.Bucket(Meta).Put(KeySealed, bytes.Clone(v)); err != nil {
		return err
	}
	return tx.Bucket(Meta).Put(KeySchema, v)
}

// of reads the schema. If its two rows differ, the one with the checksum is right.
func of(tx sealed.Tx) (uint32, bool) {
	if v := tx.Bucket(Meta).Get(KeySealed); len(v) == 4 {
		whole := binary.BigEndian.Uint32(v)
		if !bytes.Equal(v, tx.Raw().Bucket(Meta).Get(KeySchema)) {
			tx.Bucket(Meta).Spoiled(KeySchema, sealed.ErrSeal)
		}
		return whole, true
	}
	v := tx.Raw().Bucket(Meta).Get(KeySchema)
	if len(v) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(v), true
}

// noting is the first version in which commits note whose rows they change.
const noting = 6

// Upgrade upgrades an older database to this schema and refuses a damaged or newer one. Schema 5
// changes every row, so it is done in pieces; after a kill it continues.
func Upgrade(db *sealed.DB) error {
	var from uint32
	sealing := false
	err := db.View(func(tx sealed.Tx) error {
		if tx.Bucket(Meta).Missing() {
			return fmt.Errorf("%w: bucket meta is missing", sealed.ErrDamaged)
		}
		var ok bool
		if from, ok = of(tx); !ok {
			return fmt.Errorf("%w: its schema is missing", sealed.ErrDamaged)
		}
		if from > Version {
			return fmt.Errorf("%w (schema %d, this program knows %d); update angler", ErrNewer, from, Version)
		}
		for _, b := range Buckets {
			if tx.Bucket(b).Missing() && !(from < 3 && bytes.Equal(b, State)) {
				return fmt.Errorf("%w: bucket %s is missing", sealed.ErrDamaged, b)
			}
		}
		sealing = from >= Sealed && tx.Bucket(Meta).Get(KeySealing) != nil
		return nil
	})
	if err != nil || from >= Sealed && db.ReadOnly() { // its rows need no change
		return err
	}
	if from < Version {
		err = db.Update(func(tx sealed.Tx) error {
			if from < noting {
				if err := Forget(tx); err != nil { // older programs wrote without notes
					return err
				}
			}
			if from < Sealed {
				return BeginSealing(tx, from)
			}
			return Put(tx)
		})
	}
	for done := from >= Sealed && !sealing; !done && err == nil; {
		err = db.Update(func(tx sealed.Tx) (err error) { done, err = SealSome(tx); return err })
	}
	return err
}

// Forget drops the checkpoint of a workspace in a transaction that changes rows without notes.
func Forget(tx sealed.Tx) error {
	if tx.Raw().Bucket(Later) != nil {
		if err := tx.Raw().DeleteBucket(Later); err != nil {
			return err
		}
	}
	for _, k := range [][]byte{KeyCheckpoint, keySeen, keySeenN} {
		if err := tx.Bucket(Meta).Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// BeginSealing sets a database to this schema; only the rows of meta have checksums yet.
func BeginSealing(tx sealed.Tx, from uint32) error {
	if err := MakeBuckets(tx); err != nil {
		return err
	}
	if from < 4 {
		if err := byTopic(tx.Raw()); err != nil {
			return err
		}
	}
	rows := map[string][]byte{}
	err := tx.Raw().Bucket(Meta).ForEach(func(k, v []byte) error {
		rows[string(k)] = bytes.Clone(v)
		return nil
	})
	if err != nil {
		return err
	}
	meta := tx.Bucket(Meta)
	for k, v := range rows {
		if err := meta.Put([]byte(k), v); err != nil {
			return err
		}
	}
	if err := meta.Put(KeyLast, IDKey(borneOut(tx.Bucket(URLs).Bucket.Cursor(), tx.Bucket(URLs).Bucket.Sequence()))); err != nil {
		return err
	}
	if err := meta.Put(KeySealing, []byte{0}); err != nil {
		return err
	}
	return Put(tx)
}

// Bounds of the rows changed in one transaction.
const (
	SealRows  = 4096
	sealBytes = 4 << 20
)

// SealSome adds checksums to the next rows and stores its progress.
func SealSome(tx sealed.Tx) (done bool, err error) {
	meta := tx.Bucket(Meta)
	at := meta.Get(KeySealing)
	if len(at) == 0 || int(at[0]) >= len(Buckets) {
		return true, meta.Delete(KeySealing)
	}
	name, after := Buckets[at[0]], bytes.Clone(at[1:])
	next := []byte{at[0] + 1}
	if !bytes.Equal(name, Meta) && !bytes.Equal(name, Bodies) {
		b := tx.Bucket(name)
		b.FillPercent = 0.9
		keys, values := unsealed(b.Bucket, after)
		for i := range keys {
			if err := b.Put(keys[i], values[i]); err != nil {
				return false, err
			}
		}
		if len(keys) > 0 {
			next = append([]byte{at[0]}, keys[len(keys)-1]...)
		}
	}
	return false, meta.Put(KeySealing, next)
}

// unsealed copies the next rows after a key; "" means from the start.
func unsealed(b *bolt.Bucket, after []byte) (keys, values [][]byte) {
	size := 0
	c := b.Cursor()
	k, v := c.Seek(after)
	if k != nil && len(after) > 0 && bytes.Equal(k, after) {
		k, v = c.Next()
	}
	for ; k != nil && len(keys) < SealRows && size < sealBytes; k, v = c.Next() {
		keys = append(keys, bytes.Clone(k))
		values = append(values, append(make([]byte, 0, len(v)+sealed.Size), v...))
		size += len(k) + len(v)
	}
	return keys, values
}

// byTopic assigns all decisions and learned data to the first topic. Logged events stay as they
// are, see Change.UnmarshalJSON.
func byTopic(tx *bolt.Tx) error {
	values := tx.Bucket(Decisions)
	type row struct{ key, value []byte }
	var rows []row // copied: the bucket changes below
	err := values.ForEach(func(k, v []byte) error {
		rows = append(rows, row{bytes.Clone(k), bytes.Clone(v)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := values.Delete(r.key); err != nil {
			return err
		}
		if err := values.Put(fmt.Appendf(nil, "%d/%s", firstTopic, r.key), r.value); err != nil {
			return err
		}
	}
	const order = "order" // what the link order has learned
	state := tx.Bucket(State)
	learned := state.Get([]byte(order))
	if learned == nil {
		return nil
	}
	learned = bytes.Clone(learned)
	if err := state.Delete([]byte(order)); err != nil {
		return err
	}
	return state.Put(fmt.Appendf(nil, "%s/%d", order, firstTopic), learned)
}

// firstTopic is the number of the only topic of old databases.
const firstTopic = 1
