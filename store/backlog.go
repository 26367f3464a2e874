package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"angler/store/modes"
)

// This file keeps the part of a frontier that does not fit in memory: rows in lanes, best first. It
// does not depend on workspaces.

// Backlog is the tail of a frontier on disk: rows in lanes, best first. It is scratch space of one
// run. crawl.db holds every URL in it, and the heads, the retries and the table of hosts live in
// memory. So a run starts with an empty backlog, never flushes it, and Close removes it.
//
// A row costs 40 bytes, about 60 in the tree. Rows are written in the order of their keys, because
// a batch costs as much as the leaves it touches. Methods must not be called concurrently.
type Backlog struct {
	db   *bolt.DB
	path string
}

// BacklogRow is one waiting entry on disk.
type BacklogRow struct {
	ID       uint64
	Lane     uint64  // queue of the entry; the upper 16 bits are zero
	Class    int8    // a larger class goes first, whatever the priorities
	Priority float64 // finite; higher goes first inside a class
	Seq      uint32  // order among equal priorities; unique within lane, class and priority
	Gen      uint8   // set by the caller; tells rows of one ID apart
}

// TakeBacklog asks for the N best rows over some lanes.
type TakeBacklog struct {
	Lanes []uint64
	N     int
}

// BacklogHead is the best row left in a lane.
type BacklogHead struct {
	Class    int8
	Priority float64
	Seq      uint32
	Any      bool // false: the lane is empty
}

// BacklogTaken answers a Take.
type BacklogTaken struct {
	Rows  []BacklogRow  // best first; no longer on disk
	Heads []BacklogHead // the remaining heads, in the order of Lanes
}

var (
	bucketRows = []byte("waiting") // lane, class and priority descending, seq → id, gen

	errBacklogRow = errors.New("row of the backlog does not decode")
)

// A key holds a lane, a class, a priority and a seq.
const (
	laneBytes = 6
	rankBytes = 1 + 8 + 4
)

// backlogLockWait bounds the wait for another process that holds the file to be replaced.
const backlogLockWait = 300 * time.Millisecond

// newBacklog makes an empty backlog at path and removes the file of a killed process.
func newBacklog(path string) (*Backlog, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot remove the old %s (%v); remove it by hand", path, err)
	}
	db, err := bolt.Open(path, modes.File, &bolt.Options{
		Timeout: backlogLockWait,
		// The file does not outlive the process, so it needs no safety.
		NoSync: true, NoGrowSync: true, NoFreelistSync: true, FreelistType: bolt.FreelistMapType,
	})
	if err == nil {
		err = db.Update(func(tx *bolt.Tx) error {
			_, err := tx.CreateBucket(bucketRows)
			return err
		})
		if err != nil {
			db.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make %s (%v); check that you may write there", path, err)
	}
	return &Backlog{db: db, path: path}, nil
}

// Close closes and removes the file.
func (b *Backlog) Close() error {
	return errors.Join(b.db.Close(), os.Remove(b.path))
}

// Size is the length of the file in bytes.
func (b *Backlog) Size() (n int64) {
	_ = b.db.View(func(tx *bolt.Tx) error {
		n = tx.Size()
		return nil
	})
	return n
}

// Exchange adds rows and then takes rows out, in one transaction: after an error
// nothing has changed. It sorts put in place.
func (b *Backlog) Exchange(put []BacklogRow, take []TakeBacklog) (taken []BacklogTaken, err error) {
	if len(put) == 0 && len(take) == 0 {
		return nil, nil
	}
	slices.SortFunc(put, CompareBacklog)
	err = b.db.Update(func(tx *bolt.Tx) error {
		bucket := tx.Bucket(bucketRows)
		if bucket == nil {
			return fmt.Errorf("%w: no bucket", errBacklogRow)
		}
		for i := range put {
			if err := bucket.Put(appendKey(nil, &put[i]), appendValue(nil, &put[i])); err != nil {
				return err
			}
		}
		taken = make([]BacklogTaken, len(take))
		for i := range take {
			if err := takeRows(bucket, &take[i], &taken[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", filepath.Base(b.path), err)
	}
	return taken, nil
}

// laneCursor stands on the best row of a lane that was not taken yet.
type laneCursor struct {
	c    *bolt.Cursor
	lane []byte
	k, v []byte // nil: nothing left
}

func (l *laneCursor) settle(k, v []byte) {
	if l.k, l.v = k, v; !bytes.HasPrefix(k, l.lane) {
		l.k, l.v = nil, nil
	}
}

// takeRows merges the lanes. It reads a short range of each lane, however long the lane is.
func takeRows(bucket *bolt.Bucket, want *TakeBacklog, out *BacklogTaken) error {
	lanes := make([]laneCursor, len(want.Lanes))
	for i, lane := range want.Lanes {
		lanes[i] = laneCursor{c: bucket.Cursor(), lane: appendLane(nil, lane)}
		lanes[i].settle(lanes[i].c.Seek(lanes[i].lane))
	}
	keys := make([][]byte, 0, want.N)
	for len(keys) < want.N {
		var best *laneCursor
		for i := range lanes {
			l := &lanes[i]
			if l.k != nil && (best == nil || bytes.Compare(l.k[laneBytes:], best.k[laneBytes:]) < 0) {
				best = l
			}
		}
		if best == nil {
			break
		}
		row, err := decodeRow(best.k, best.v)
		if err != nil {
			return err
		}
		out.Rows = append(out.Rows, row)
		keys = append(keys, best.k)
		best.settle(best.c.Next())
	}
	out.Heads = make([]BacklogHead, len(lanes))
	for i := range lanes {
		if l := &lanes[i]; l.k != nil {
			row, err := decodeRow(l.k, l.v)
			if err != nil {
				return err
			}
			out.Heads[i] = BacklogHead{row.Class, row.Priority, row.Seq, true}
		}
	}
	// Rows are deleted last: a deletion would move the rows under the cursors.
	for i := range keys {
		keys[i] = bytes.Clone(keys[i])
	}
	for _, k := range keys {
		if err := bucket.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// CompareBacklog orders rows as on disk: by lane, then the better one first.
func CompareBacklog(a, b BacklogRow) int {
	switch {
	case a.Lane != b.Lane:
		return cmp.Compare(a.Lane, b.Lane)
	case a.Class != b.Class:
		return cmp.Compare(b.Class, a.Class)
	case a.Priority != b.Priority:
		return cmp.Compare(b.Priority, a.Priority)
	}
	return cmp.Compare(a.Seq, b.Seq)
}

func appendLane(b []byte, lane uint64) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint16(b, uint16(lane>>32)), uint32(lane))
}

// appendKey orders rows by lane, larger class, higher priority, lower seq. A signed byte sorts like
// an unsigned one once its sign bit is flipped. The bits of a float sort like the float once
// negative ones are inverted. Class and priority are inverted again, so that the highest sorts
// first.
func appendKey(b []byte, r *BacklogRow) []byte {
	b = append(appendLane(b, r.Lane), ^(uint8(r.Class) ^ 0x80))
	bits := math.Float64bits(r.Priority + 0) // -0 equals 0
	if bits>>63 == 0 {
		bits = ^bits &^ (1 << 63)
	}
	b = binary.BigEndian.AppendUint64(b, bits)
	return binary.BigEndian.AppendUint32(b, r.Seq)
}

func appendValue(b []byte, r *BacklogRow) []byte {
	return binary.AppendUvarint(append(b, r.Gen), r.ID)
}

func decodeRow(k, v []byte) (r BacklogRow, err error) {
	if len(k) != laneBytes+rankBytes || len(v) < 2 {
		return r, errBacklogRow
	}
	r.Lane = uint64(binary.BigEndian.Uint16(k))<<32 | uint64(binary.BigEndian.Uint32(k[2:]))
	k = k[laneBytes:]
	r.Class = int8(^k[0] ^ 0x80)
	bits := binary.BigEndian.Uint64(k[1:])
	if bits>>63 == 0 {
		bits = ^bits &^ (1 << 63)
	}
	r.Priority = math.Float64frombits(bits)
	r.Seq = binary.BigEndian.Uint32(k[9:])
	r.Gen = v[0]
	id, n := binary.Uvarint(v[1:])
	if n != len(v)-1 || math.IsNaN(r.Priority) || math.IsInf(r.Priority, 0) {
		return BacklogRow{}, errBacklogRow
	}
	r.ID = id
	return r, nil
}
