// Package schema defines the layout of a database: its buckets, the keys of their rows, and the
// version. It upgrades older versions.
package schema

import (
	"errors"
	"fmt"

	"angler/store/sealed"
)

// Version is the version that this program writes. It also reads older ones. Version 2 adds fields
// at the end of rows, 3 compresses bodies differently, 4 keeps decisions by topic, 5 adds checksums
// to rows, 6 notes in Later whose rows a commit changes, 7 keeps bodies in packs.
const Version = 7

// Sealed is the first version whose rows have checksums.
const Sealed = 5

// ErrNewer means that a database has a version that this program does not know.
var ErrNewer = errors.New("workspace was written by a newer angler")

// The buckets; see the table in docs/storage.md.
var (
	Meta      = []byte("meta")    // schema, created, counts, seen filter
	IDs       = []byte("ids")     // Key → id
	URLs      = []byte("urls")    // id → URL
	Pages     = []byte("pages")   // id → Page
	Terms     = []byte("terms")   // id → encoded vectors
	Links     = []byte("links")   // id → targets
	Bodies    = []byte("bodies")  // id → compressed body
	Words     = []byte("words")   // word id → word
	Hosts     = []byte("hosts")   // host → repeated blocks of its pages
	Notices   = []byte("notices") // id → Notice, JSON
	Samples   = []byte("samples") // Key → Sample, JSON
	Decisions = []byte("desk")    // topic/kind/key → value, JSON: decisions of analysts; named by the first schema
	Events    = []byte("events")  // seq → Event, JSON: the log of decisions
	State     = []byte("state")   // name → data that can be learned again, in its owner's form

	// Buckets are the buckets of every database.
	Buckets = [][]byte{Meta, IDs, URLs, Pages, Terms, Links, Bodies, Words, Hosts, Notices, Samples, Decisions, Events, State}

	// Later is made when needed: number of a commit since the checkpoint → the ids of URLs whose rows
	// in URLs, Pages or Terms it changed, and the counts after it.
	Later = []byte("later")
)

// Keys of rows in Meta.
var (
	KeySchema = []byte("schema") // the version, without checksum, because programs of any version read it
	KeySealed = []byte("sealed") // the version again, with checksum

	// KeySealing holds the progress of adding checksums: the number of a bucket, and the last key in
	// it.
	KeySealing = []byte("sealing")

	// KeyLast holds the id of the newest URL. bbolt's own sequence has no checksum; a wrong one would
	// assign a known id again, or a huge one.
	KeyLast = []byte("last-id")

	// KeyMerged holds a bound: every URL with a smaller id has its key in IDs. Without it all have.
	KeyMerged = []byte("merged")

	// The filter of known URLs and its keys, as versions before 6 wrote them when closing.
	keySeen, keySeenN = []byte("seen"), []byte("seen-n")

	// KeyCheckpoint holds the name of the checkpoint; without it there is none and commits write no
	// notes.
	KeyCheckpoint = []byte("checkpoint")
)

// MakeBuckets makes the missing Buckets.
func MakeBuckets(tx sealed.Tx) error {
	for _, b := range Buckets {
		if _, err := tx.Raw().CreateBucketIfNotExists(b); err != nil {
			return err
		}
	}
	return nil
}

// LastID returns the highest id ever assigned: the value of KeyLast, or without it the sequence if
// the rows confirm it.
func LastID(tx sealed.Tx) uint64 {
	if v := tx.Bucket(Meta).Get(KeyLast); len(v) == 8 {
		return KeyID(v)
	}
	urls := tx.Bucket(URLs)
	return borneOut(urls.Cursor(), urls.Sequence())
}

// borneOut returns bbolt's sequence as far as the rows confirm it.
func borneOut(rows interface {
	First() (k, v []byte)
	Next() (k, v []byte)
}, sequence uint64) (last uint64) {
	n := uint64(0)
	for k, _ := rows.First(); k != nil; k, _ = rows.Next() {
		if n++; len(k) == 8 && KeyID(k) <= plausible(n) {
			last = KeyID(k)
		}
	}
	if sequence >= last && sequence <= plausible(n) {
		return sequence
	}
	return last
}

// plausible bounds the ids of n remaining rows. Damage may have removed most rows, but ids are
// assigned in order.
func plausible(n uint64) uint64 { return 16*n + 1<<16 }

// Known returns the version of a database that this program can read or upgrade.
func Known(tx sealed.Tx) (int, error) {
	if tx.Bucket(Meta).Missing() {
		return 0, sealed.ErrDamaged
	}
	version, ok := of(tx)
	switch {
	case !ok:
		return 0, sealed.ErrDamaged
	case version > Version:
		return int(version), fmt.Errorf("%w (schema %d, this program knows %d); update angler", ErrNewer, version, Version)
	case tx.Bucket(URLs).Missing() || tx.Bucket(Pages).Missing():
		return int(version), sealed.ErrDamaged
	}
	return int(version), nil
}
