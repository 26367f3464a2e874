package schema

import (
	"bytes"
	"encoding/binary"

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

// of reads the version. Where its two rows differ, the sealed one is right.
func of(tx sealed.Tx) (version int, ok bool) {
	plain := tx.Raw().Bucket(Meta).Get(KeySchema)
	if v := tx.Bucket(Meta).Get(KeySealed); len(v) == 4 {
		if !bytes.Equal(v, plain) {
			tx.Bucket(Meta).Spoiled(KeySchema, sealed.ErrSeal)
		}
		return int(binary.BigEndian.Uint32(v)), true
	}
	if len(plain) != 4 {
		return 0, false
	}
	return int(binary.BigEndian.Uint32(plain)), true
}

// Upgrade brings a database to this version, in one transaction, and refuses a damaged
// one and versions that it does not read. It leaves one that is open for reading as it is.
func Upgrade(db *sealed.DB) error {
	var version int
	err := db.View(func(tx sealed.Tx) (err error) { version, err = Known(tx); return err })
	if err != nil || version == Version || db.ReadOnly() {
		return err
	}
	return db.Update(renameDesk)
}

// renameDesk moves the decisions of version 7 to their bucket of today. Damaged rows stay
// behind; a repair writes their decisions again from the log.
func renameDesk(tx sealed.Tx) error {
	to, err := tx.Raw().CreateBucketIfNotExists(Decisions)
	if err != nil {
		return err
	}
	if err := to.SetSequence(tx.Bucket(Desk).Sequence()); err != nil {
		return err
	}
	decisions := tx.Bucket(Decisions)
	err = tx.Bucket(Desk).ForEach(func(k, v []byte) error {
		return decisions.Put(bytes.Clone(k), append(make([]byte, 0, len(v)+sealed.Size), v...))
	})
	if err != nil {
		return err
	}
	if err := tx.Raw().DeleteBucket(Desk); err != nil {
		return err
	}
	return Put(tx)
}

// Forget drops the checkpoint of a workspace in a transaction that changes rows without notes.
func Forget(tx sealed.Tx) error {
	if tx.Raw().Bucket(Later) != nil {
		if err := tx.Raw().DeleteBucket(Later); err != nil {
			return err
		}
	}
	return tx.Bucket(Meta).Delete(KeyCheckpoint)
}
