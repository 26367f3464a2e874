// Package outbox keeps what people were told: which version of which notice was
// sent where, and the messages that are on their way.
//
// A message is queued in one transaction with all that it tells, and leaves the
// queue in one transaction with the marks of what it told. So a process that is
// killed in between sends the same message under the same reference again, and
// nothing is left out. Marks belong to a place (an address that is told), not to
// the name of a setting: renaming a setting sends nothing again.
//
// Rows have a bucket of their own, which is made by the first row. Every call is
// one short transaction, and what was written is on the disk when it returns.
package outbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"angler/store"
	"angler/store/sealed"
)

// Bucket holds, by the first byte of the key:
//
//	d id                → Delivery, JSON
//	s name              → State, JSON
//	t place kind number → version and time of one mark, 16 bytes
//	b place part        → marks of what was known when the place was first used, packed
var Bucket = []byte("outbox")

// Bounds of what is kept.
const (
	MostSent = 200  // messages that were sent; older ones are forgotten, their marks are not
	perPart  = 3000 // marks of a packed row
	markSize = 17   // bytes of a packed mark
)

// Place names where messages go: half the SHA-256 of what tells one place from
// another.
type Place [16]byte

// PlaceOf names a place.
func PlaceOf(what string) (p Place) {
	h := sha256.Sum256([]byte(what))
	copy(p[:], h[:])
	return p
}

// MarshalText and UnmarshalText write a Place in hexadecimal digits.
func (p Place) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(p[:])), nil }

// UnmarshalText is described at MarshalText.
func (p *Place) UnmarshalText(b []byte) error {
	if len(b) != 2*len(p) {
		return errForm
	}
	_, err := hex.Decode(p[:], b)
	return err
}

// Kind is what is told of a number.
type Kind byte

// The kinds. The number of Notice, Due and Won is a notice's, that of List an
// aggregation page's.
const (
	Notice Kind = 'n'
	Due    Kind = 'd'
	Won    Kind = 'w'
	List   Kind = 'l'
)

// Key is what a mark is about.
type Key struct {
	Kind Kind   `json:"k"`
	ID   uint64 `json:"id"`
}

// Mark says that a version of something was told.
type Mark struct {
	Key
	Version uint64 `json:"v"`
}

// Delivery is a message on its way, or one that was sent.
type Delivery struct {
	ID     uint64          `json:"id"`  // 1, 2, 3 …
	Ref    string          `json:"ref"` // unique; the same at every attempt
	Notify string          `json:"notify"`
	Place  Place           `json:"place"`
	Made   time.Time       `json:"made"`
	Marks  []Mark          `json:"marks,omitempty"` // what it tells; none once it was sent
	Body   json.RawMessage `json:"body,omitempty"`  // the message; none once it was sent
	N      int             `json:"n"`               // rows it tells of
	Title  string          `json:"title"`
	Tries  int             `json:"tries"`           // attempts that failed
	Next   time.Time       `json:"next,omitzero"`   // when it is tried again; zero = at once
	Failed time.Time       `json:"failed,omitzero"` // the first failure
	Why    string          `json:"why,omitempty"`   // the last failure, without secrets
	Sent   time.Time       `json:"sent,omitzero"`   // zero = on its way
}

// State is what is known of one setting.
type State struct {
	Name  string    `json:"name"`
	Place Place     `json:"place"`
	Since time.Time `json:"since"`         // when it was first seen with this place
	Known int       `json:"known"`         // marks that it began with, see Told
	Slot  time.Time `json:"slot,omitzero"` // the digest that was made last was due then; at once: when it was made
}

// Box is the queue and the states of a workspace.
type Box struct {
	Deliveries []*Delivery // by ID; those that were sent among them
	States     map[string]*State
}

// Read reads the queue and the states.
func Read(w *store.Workspace) (*Box, error) {
	box := &Box{States: map[string]*State{}}
	err := each(w, []byte("d"), func(k, v []byte) error {
		d, err := decodeDelivery(k, v)
		if err == nil {
			box.Deliveries = append(box.Deliveries, d)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return box, each(w, []byte("s"), func(k, v []byte) error {
		s := new(State)
		if json.Unmarshal(v, s) != nil || s.Name != string(k[1:]) {
			return errForm
		}
		box.States[s.Name] = s
		return nil
	})
}

// Told returns what a place was told, with the versions, and how many marks of it
// are of what was known when the place was first used: fewer than State.Known
// means that some were lost.
func Told(w *store.Workspace, p Place) (out map[Key]uint64, known int, err error) {
	out = map[Key]uint64{}
	err = each(w, append([]byte("b"), p[:]...), func(_, v []byte) error {
		if len(v)%markSize != 0 {
			return errForm
		}
		for ; len(v) > 0; v = v[markSize:] {
			known++
			out[Key{Kind(v[0]), binary.BigEndian.Uint64(v[1:])}] = binary.BigEndian.Uint64(v[9:])
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return out, known, each(w, append([]byte("t"), p[:]...), func(k, v []byte) error {
		if len(k) != len(toldKey(p, Key{})) || len(v) != 16 {
			return errForm
		}
		out[Key{Kind(k[17]), binary.BigEndian.Uint64(k[18:])}] = binary.BigEndian.Uint64(v)
		return nil
	})
}

// each hands out copies of the rows under a prefix; a damaged one is counted and
// passed over.
func each(w *store.Workspace, prefix []byte, f func(k, v []byte) error) error {
	return store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		b := tx.Bucket(Bucket)
		c := b.Cursor()
		for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			if err := f(bytes.Clone(k), bytes.Clone(v)); err != nil {
				b.Spoiled(k, err)
			}
		}
		return nil
	})
}

// Begin stores a state and what its place counts as told from the first; it sets
// s.Known. Later marks of the place stay.
func Begin(w *store.Workspace, s *State, known []Mark) error {
	s.Known = len(known)
	return change(w, func(b sealed.Bucket) error {
		if err := putJSON(b, stateKey(s.Name), s); err != nil {
			return err
		}
		for i, part := range slices.Collect(slices.Chunk(known, perPart)) {
			v := make([]byte, 0, len(part)*markSize+sealed.Size)
			for _, m := range part {
				v = append(v, byte(m.Kind))
				v = binary.BigEndian.AppendUint64(v, m.ID)
				v = binary.BigEndian.AppendUint64(v, m.Version)
			}
			k := binary.BigEndian.AppendUint32(append([]byte("b"), s.Place[:]...), uint32(i))
			if err := b.Put(k, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// Queue stores messages under new numbers, and the state that follows.
func Queue(w *store.Workspace, s *State, list []*Delivery) error {
	return change(w, func(b sealed.Bucket) error {
		last := uint64(0)
		if v := b.Get([]byte("c")); len(v) == 8 {
			last = binary.BigEndian.Uint64(v)
		}
		for _, d := range list {
			last++
			d.ID = last
			if err := putJSON(b, deliveryKey(d.ID), d); err != nil {
				return err
			}
		}
		if err := b.Put([]byte("c"), binary.BigEndian.AppendUint64(make([]byte, 0, 8+sealed.Size), last)); err != nil {
			return err
		}
		return putJSON(b, stateKey(s.Name), s)
	})
}

// Put stores a message again, after an attempt that failed.
func Put(w *store.Workspace, d *Delivery) error {
	return change(w, func(b sealed.Bucket) error { return putJSON(b, deliveryKey(d.ID), d) })
}

// Sent stores that a message has arrived, and what it told. It forgets the oldest
// messages beyond MostSent.
func Sent(w *store.Workspace, d *Delivery, at time.Time) error {
	return change(w, func(b sealed.Bucket) error {
		for _, m := range d.Marks {
			v := binary.BigEndian.AppendUint64(make([]byte, 0, 16+sealed.Size), m.Version)
			if err := b.Put(toldKey(d.Place, m.Key), binary.BigEndian.AppendUint64(v, uint64(at.Unix()))); err != nil {
				return err
			}
		}
		row := *d
		row.Marks, row.Body, row.Sent, row.Next, row.Why = nil, nil, at, time.Time{}, ""
		if err := putJSON(b, deliveryKey(d.ID), &row); err != nil {
			return err
		}
		*d = row
		return trim(b)
	})
}

// Drop removes messages that are on their way: what they were to tell counts as
// not told.
func Drop(w *store.Workspace, ids []uint64) error {
	return change(w, func(b sealed.Bucket) error {
		for _, id := range ids {
			if err := b.Delete(deliveryKey(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

func change(w *store.Workspace, f func(sealed.Bucket) error) error {
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
			return err
		}
		return f(tx.Bucket(Bucket))
	})
}

func trim(b sealed.Bucket) error {
	var sent []uint64
	c := b.Cursor()
	for k, v := c.Seek([]byte("d")); k != nil && k[0] == 'd'; k, v = c.Next() {
		if d, err := decodeDelivery(k, v); err == nil && !d.Sent.IsZero() {
			sent = append(sent, d.ID)
		}
	}
	for _, id := range sent[:max(0, len(sent)-MostSent)] {
		if err := b.Delete(deliveryKey(id)); err != nil {
			return err
		}
	}
	return nil
}

func deliveryKey(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte("d"), id) }
func stateKey(name string) []byte  { return append([]byte("s"), name...) }

func toldKey(p Place, k Key) []byte {
	return binary.BigEndian.AppendUint64(append(append([]byte("t"), p[:]...), byte(k.Kind)), k.ID)
}

func putJSON(b sealed.Bucket, k []byte, x any) error {
	v, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return b.Put(k, v)
}

var errForm = errors.New("it does not decode")

func decodeDelivery(k, v []byte) (*Delivery, error) {
	d := new(Delivery)
	if json.Unmarshal(v, d) != nil || len(k) != 9 || binary.BigEndian.Uint64(k[1:]) != d.ID || d.Ref == "" {
		return nil, errForm
	}
	return d, nil
}

// Check says what is wrong with a row; nil when nothing is.
func Check(k, v []byte) error {
	if len(k) == 0 {
		return errForm
	}
	ok := false
	switch k[0] {
	case 'c':
		ok = len(k) == 1 && len(v) == 8
	case 'd':
		_, err := decodeDelivery(k, v)
		ok = err == nil
	case 's':
		s := new(State)
		ok = json.Unmarshal(v, s) == nil && s.Name == string(k[1:])
	case 't':
		ok = len(k) == 26 && len(v) == 16
	case 'b':
		ok = len(k) == 21 && len(v)%markSize == 0
	}
	if !ok {
		return errForm
	}
	return nil
}
