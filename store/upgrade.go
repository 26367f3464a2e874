package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"angler/store/sealed"
)

var (
	// keySealed holds the schema once more, under a seal.
	keySealed = []byte("sealed")
	// keySealing: how far rows are sealed, while they are. The number of a bucket,
	// and the last key in it.
	keySealing = []byte("sealing")
)

func putSchema(tx sealed.Tx) error {
	v := binary.BigEndian.AppendUint32(nil, Schema)
	if err := tx.Bucket(bucketMeta).Put(keySealed, bytes.Clone(v)); err != nil {
		return err
	}
	return tx.Bucket(bucketMeta).Put(keySchema, v)
}

// schemaOf reads the schema. Where its two rows differ, the sealed one is right.
func schemaOf(tx sealed.Tx) (uint32, bool) {
	if v := tx.Bucket(bucketMeta).Get(keySealed); len(v) == 4 {
		whole := binary.BigEndian.Uint32(v)
		if !bytes.Equal(v, tx.Raw().Bucket(bucketMeta).Get(keySchema)) {
			tx.Bucket(bucketMeta).Spoiled(keySchema, sealed.ErrSeal)
		}
		return whole, true
	}
	v := tx.Raw().Bucket(bucketMeta).Get(keySchema)
	if len(v) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(v), true
}

// upgrade refuses what is damaged or newer, and brings an older database to this
// schema. What schema 5 changes is every row, so it is done in pieces; a killed
// process goes on where it was.
func upgrade(db *sealed.DB) error {
	var from uint32
	sealing := false
	err := db.View(func(tx sealed.Tx) error {
		if tx.Bucket(bucketMeta).Missing() {
			return fmt.Errorf("%w: bucket meta is missing", ErrDamaged)
		}
		var ok bool
		if from, ok = schemaOf(tx); !ok {
			return fmt.Errorf("%w: its schema is missing", ErrDamaged)
		}
		if from > Schema {
			return fmt.Errorf("%w (schema %d, this program knows %d); update angler", ErrNewer, from, Schema)
		}
		for _, b := range buckets {
			if tx.Bucket(b).Missing() && !(from < 3 && bytes.Equal(b, bucketState)) {
				return fmt.Errorf("%w: bucket %s is missing", ErrDamaged, b)
			}
		}
		sealing = from == Schema && tx.Bucket(bucketMeta).Get(keySealing) != nil
		return nil
	})
	if err != nil || from == Schema && !sealing {
		return err
	}
	if from < Schema {
		if err := db.Update(func(tx sealed.Tx) error { return beginSealing(tx, from) }); err != nil {
			return err
		}
	}
	for done := false; !done; {
		if err := db.Update(func(tx sealed.Tx) (err error) { done, err = sealSome(tx); return err }); err != nil {
			return err
		}
	}
	return nil
}

// beginSealing makes a database one of this schema whose rows are not sealed yet,
// but those of meta.
func beginSealing(tx sealed.Tx, from uint32) error {
	if err := makeBuckets(tx); err != nil {
		return err
	}
	if from < 4 {
		if err := byTopic(tx.Raw()); err != nil {
			return err
		}
	}
	rows := map[string][]byte{}
	err := tx.Raw().Bucket(bucketMeta).ForEach(func(k, v []byte) error {
		rows[string(k)] = bytes.Clone(v)
		return nil
	})
	if err != nil {
		return err
	}
	meta := tx.Bucket(bucketMeta)
	for k, v := range rows {
		if err := meta.Put([]byte(k), v); err != nil {
			return err
		}
	}
	if err := meta.Put(keyLast, idKey(borneOut(tx.Bucket(bucketURLs).Bucket.Cursor(), tx.Bucket(bucketURLs).Bucket.Sequence()))); err != nil {
		return err
	}
	if err := meta.Put(keySealing, []byte{0}); err != nil {
		return err
	}
	return putSchema(tx)
}

// Bounds of the rows that are sealed in one transaction.
const (
	sealRows  = 4096
	sealBytes = 4 << 20
)

// sealSome seals the next rows and notes how far it came.
func sealSome(tx sealed.Tx) (done bool, err error) {
	meta := tx.Bucket(bucketMeta)
	at := meta.Get(keySealing)
	if len(at) == 0 || int(at[0]) >= len(buckets) {
		return true, meta.Delete(keySealing)
	}
	name, after := buckets[at[0]], bytes.Clone(at[1:])
	next := []byte{at[0] + 1}
	if !bytes.Equal(name, bucketMeta) && !bytes.Equal(name, bucketBodies) {
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
	return false, meta.Put(keySealing, next)
}

// unsealed copies the next rows behind a key; "" is before the first one.
func unsealed(b *bolt.Bucket, after []byte) (keys, values [][]byte) {
	size := 0
	c := b.Cursor()
	k, v := c.Seek(after)
	if k != nil && len(after) > 0 && bytes.Equal(k, after) {
		k, v = c.Next()
	}
	for ; k != nil && len(keys) < sealRows && size < sealBytes; k, v = c.Next() {
		keys = append(keys, bytes.Clone(k))
		values = append(values, append(make([]byte, 0, len(v)+sealed.Size), v...))
		size += len(k) + len(v)
	}
	return keys, values
}

// byTopic gives everything that was decided or learned for the only topic to the
// first topic. Logged events stay as they are, see Change.UnmarshalJSON.
func byTopic(tx *bolt.Tx) error {
	values := tx.Bucket(bucketDecisions)
	type row struct{ key, value []byte }
	var rows []row // copies: the bucket changes below
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
		if err := values.Put(fmt.Appendf(nil, "%d/%s", FirstTopic, r.key), r.value); err != nil {
			return err
		}
	}
	const order = "order" // what the link order has learned
	state := tx.Bucket(bucketState)
	learned := state.Get([]byte(order))
	if learned == nil {
		return nil
	}
	learned = bytes.Clone(learned)
	if err := state.Delete([]byte(order)); err != nil {
		return err
	}
	return state.Put(fmt.Appendf(nil, "%s/%d", order, FirstTopic), learned)
}
