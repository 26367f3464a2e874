package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// upgrade refuses what is damaged or newer, and brings an older database to this
// schema in one transaction.
func upgrade(db *bolt.DB) error {
	var from uint32
	err := db.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			return ErrDamaged
		}
		v := meta.Get(keySchema)
		if len(v) != 4 {
			return ErrDamaged
		}
		if from = binary.BigEndian.Uint32(v); from > Schema {
			return fmt.Errorf("%w (schema %d, this program knows %d); update angler", ErrNewer, from, Schema)
		}
		for _, b := range buckets {
			if tx.Bucket(b) == nil && !(from < 3 && bytes.Equal(b, bucketState)) {
				return fmt.Errorf("%w: bucket %s is missing", ErrDamaged, b)
			}
		}
		return nil
	})
	if err != nil || from == Schema {
		return err
	}
	return db.Update(func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists(bucketState); err != nil {
			return err
		}
		if from < 4 {
			if err := byTopic(tx); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(keySchema, binary.BigEndian.AppendUint32(nil, Schema))
	})
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
