// Package schema defines the layout of a database: its buckets, the keys of their rows, and the
// version. It upgrades older versions.
package schema

import (
	"bytes"
	"errors"
	"fmt"

	"angler/store/sealed"
)

// Version is the schema that this program writes. Version 8 names the bucket of decisions
// as its rows are called.
const Version = 8

// Oldest is the first version that Upgrade reads.
const Oldest = 7

// Errors of a database whose version this program does not read.
var (
	ErrNewer = errors.New("workspace was written by a newer angler")
	ErrOlder = errors.New("workspace was written by an angler that is too old")
)

// The buckets; see the table in docs/storage.md.
var (
	Meta      = []byte("meta")      // schema, created, counts, seen filter
	IDs       = []byte("ids")       // Key → id
	URLs      = []byte("urls")      // id → URL
	Pages     = []byte("pages")     // id → Page
	Terms     = []byte("terms")     // id → encoded vectors
	Links     = []byte("links")     // id → targets
	Bodies    = []byte("bodies")    // id → compressed body
	Words     = []byte("words")     // word id → word
	Hosts     = []byte("hosts")     // host → what its pages repeat
	Notices   = []byte("notices")   // id → Notice, JSON
	Samples   = []byte("samples")   // Key → Sample, JSON
	Decisions = []byte("decisions") // topic/kind/key → value, JSON: what the analysts decided
	Events    = []byte("events")    // seq → Event, JSON: how it came about
	State     = []byte("state")     // name → what can be learned again, in its owner's form

	// Buckets are the buckets of every database.
	Buckets = [][]byte{Meta, IDs, URLs, Pages, Terms, Links, Bodies, Words, Hosts, Notices, Samples, Decisions, Events,
		State}

	// Desk is the bucket of decisions of version 7.
	Desk = []byte("desk")

	// Later is made when needed: number of a commit since the checkpoint → the ids of URLs whose rows
	// in URLs, Pages or Terms it changed, and the counts after it.
	Later = []byte("later")
)

// Keys of rows in Meta.
var (
	KeySchema = []byte("schema") // the version, without checksum, because programs of any version read it
	KeySealed = []byte("sealed") // the version again, with checksum

	// KeyLast holds the id of the newest URL. bbolt's own sequence has no checksum; a wrong one would
	// assign a known id again, or a huge one.
	KeyLast = []byte("last-id")

	// KeyMerged holds a bound: every URL with a smaller id has its key in IDs. Without it all have.
	KeyMerged = []byte("merged")

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

// Known returns the version of a database that this program can read or upgrade. The
// error is sealed.ErrDamaged, ErrNewer or ErrOlder.
func Known(tx sealed.Tx) (int, error) {
	if tx.Bucket(Meta).Missing() {
		return 0, fmt.Errorf("%w: bucket meta is missing", sealed.ErrDamaged)
	}
	version, ok := of(tx)
	switch {
	case !ok:
		return 0, fmt.Errorf("%w: its schema is missing", sealed.ErrDamaged)
	case version > Version:
		return version, fmt.Errorf("%w (schema %d, this program knows %d); update angler", ErrNewer, version, Version)
	case version < Oldest:
		return version, fmt.Errorf("%w (schema %d, this program reads %d and %d); open it once with an angler of November 2026",
			ErrOlder, version, Oldest, Version)
	}
	for _, b := range Buckets {
		if bytes.Equal(b, Decisions) && version == Oldest {
			b = Desk
		}
		if tx.Bucket(b).Missing() {
			return version, fmt.Errorf("%w: bucket %s is missing", sealed.ErrDamaged, b)
		}
	}
	return version, nil
}
