package records

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"angler/store/sealed"
)

// This file keeps the sent alerts: which version of which notice was sent where, and the queued
// messages.
//
// One transaction queues a message with the notices it reports. Another removes it from the queue
// and writes the marks of these notices. So a process killed in between sends the same message
// again under the same reference, and loses none. Marks belong to a place (the address of a
// receiver), not to the name of a setting: renaming a setting sends nothing again.

// outboxBucket holds, by the first byte of the key:
//
//	d id                → Delivery, JSON
//	s name              → AlertState, JSON
//	t place kind number → version and time of one mark, 16 bytes
//	b place part        → marks of the notices known when the place was first used, packed
//	c                   → number of the newest delivery, 8 bytes
var outboxBucket = []byte("outbox")

// Bounds of stored rows.
const (
	MaxSent      = 200  // sent messages; older ones are deleted, their marks stay
	marksPerPart = 3000 // marks of a packed row
	markSize     = 17   // bytes of a packed mark
)

// Place identifies a receiver: half of the SHA-256 of its identity.
type Place [16]byte

// PlaceOf returns the Place of an identity.
func PlaceOf(what string) (p Place) {
	h := sha256.Sum256([]byte(what))
	copy(p[:], h[:])
	return p
}

// MarshalText and UnmarshalText write a Place in hexadecimal digits.
func (p Place) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(p[:])), nil }

// UnmarshalText reads the form of MarshalText.
func (p *Place) UnmarshalText(b []byte) error {
	if len(b) != 2*len(p) {
		return errForm
	}
	_, err := hex.Decode(p[:], b)
	return err
}

// markKind is the kind of a reported event.
type markKind byte

// The kinds. The number of MarkList is that of an aggregation page; the others have the number of a
// notice.
const (
	MarkNotice markKind = 'n'
	MarkDue    markKind = 'd'
	MarkWon    markKind = 'w'
	MarkList   markKind = 'l'
)

// MarkKey identifies the subject of a mark.
type MarkKey struct {
	Kind markKind `json:"k"`
	ID   uint64   `json:"id"`
}

// Mark records that a version of a subject was sent.
type Mark struct {
	MarkKey
	Version uint64 `json:"v"`
}

// Delivery is a queued or sent message.
type Delivery struct {
	ID     uint64          `json:"id"`  // 1, 2, 3 …
	Ref    string          `json:"ref"` // unique; the same at every attempt
	Notify string          `json:"notify"`
	Place  Place           `json:"place"`
	Made   time.Time       `json:"made"`
	Marks  []Mark          `json:"marks,omitempty"` // the reported events; empty once it was sent
	Body   json.RawMessage `json:"body,omitempty"`  // the message; empty once it was sent
	N      int             `json:"n"`               // rows in the message
	Title  string          `json:"title"`
	Tries  int             `json:"tries"`           // attempts that failed
	Next   time.Time       `json:"next,omitzero"`   // time of the next attempt; zero: at once
	Failed time.Time       `json:"failed,omitzero"` // the first failure
	Why    string          `json:"why,omitempty"`   // the last failure, without secrets
	Sent   time.Time       `json:"sent,omitzero"`   // zero: queued
}

// AlertState is the state of one row of [[notify]].
type AlertState struct {
	Name  string    `json:"name"`
	Place Place     `json:"place"`
	Since time.Time `json:"since"`         // when it was first seen with this place
	Known int       `json:"known"`         // number of its first marks, see ToldOf
	Slot  time.Time `json:"slot,omitzero"` // due time of the last digest; at once: when it was made
}

// Outbox holds the queue and the states of a workspace.
type Outbox struct {
	Deliveries []*Delivery // by ID, including sent ones
	States     map[string]*AlertState
}

// toldKey is the key of a mark of a place.
type toldKey struct {
	place Place
	MarkKey
}

// toldMark is a mark and the time when its message arrived.
type toldMark struct {
	Mark
	at time.Time
}

// partKey is the key of a part of a place's first marks.
type partKey struct {
	place Place
	part  uint32
}

var (
	deliveries = table[uint64, Delivery]{bucket: outboxBucket, prefix: "d", key: idKey,
		sound: func(key []byte, d *Delivery) bool {
			return len(key) == 8 && idOf(key) == d.ID && d.Ref != ""
		}}
	alertStates = table[string, AlertState]{bucket: outboxBucket, prefix: "s", key: text,
		sound: func(key []byte, s *AlertState) bool {
			return s.Name == string(key)
		}}
	toldMarks = table[toldKey, toldMark]{bucket: outboxBucket, prefix: "t",
		key: func(k toldKey) []byte {
			return binary.BigEndian.AppendUint64(append(k.place[:], byte(k.Kind)), k.ID)
		},
		encode: func(m *toldMark) ([]byte, error) {
			v := binary.BigEndian.AppendUint64(make([]byte, 0, 16+sealed.Size), m.Version)
			return binary.BigEndian.AppendUint64(v, uint64(m.at.Unix())), nil
		},
		decode: func(v []byte) (*toldMark, error) {
			if len(v) != 16 {
				return nil, errForm
			}
			return &toldMark{Mark{Version: binary.BigEndian.Uint64(v)},
				time.Unix(int64(binary.BigEndian.Uint64(v[8:])), 0)}, nil
		},
		sound: func(key []byte, m *toldMark) bool {
			if len(key) != 25 {
				return false
			}
			m.MarkKey = MarkKey{markKind(key[16]), binary.BigEndian.Uint64(key[17:])}
			return true
		}}
	firstMarks = table[partKey, []Mark]{bucket: outboxBucket, prefix: "b",
		key:    func(k partKey) []byte { return binary.BigEndian.AppendUint32(k.place[:], k.part) },
		encode: encodeMarks, decode: decodeMarks,
		sound: func(key []byte, _ *[]Mark) bool { return len(key) == 20 }}
	lastDelivery = table[struct{}, uint64]{bucket: outboxBucket, prefix: "c",
		key:    func(struct{}) []byte { return nil },
		encode: func(n *uint64) ([]byte, error) { return idKey(*n), nil },
		decode: func(v []byte) (*uint64, error) {
			if len(v) != 8 {
				return nil, errForm
			}
			n := idOf(v)
			return &n, nil
		},
		sound: func(key []byte, _ *uint64) bool { return len(key) == 0 }}
)

func encodeMarks(marks *[]Mark) ([]byte, error) {
	v := make([]byte, 0, len(*marks)*markSize+sealed.Size)
	for _, m := range *marks {
		v = append(v, byte(m.Kind))
		v = binary.BigEndian.AppendUint64(v, m.ID)
		v = binary.BigEndian.AppendUint64(v, m.Version)
	}
	return v, nil
}

func decodeMarks(v []byte) (*[]Mark, error) {
	if len(v)%markSize != 0 {
		return nil, errForm
	}
	marks := make([]Mark, 0, len(v)/markSize)
	for ; len(v) > 0; v = v[markSize:] {
		key := MarkKey{markKind(v[0]), binary.BigEndian.Uint64(v[1:])}
		marks = append(marks, Mark{key, binary.BigEndian.Uint64(v[9:])})
	}
	return &marks, nil
}

// ReadOutbox reads the queue and the states.
func ReadOutbox(db DB) (*Outbox, error) {
	box := &Outbox{States: map[string]*AlertState{}}
	return box, db.View(func(tx sealed.Tx) error {
		box.Deliveries = deliveries.in(tx).scan(nil)
		for _, s := range alertStates.in(tx).scan(nil) {
			box.States[s.Name] = s
		}
		return nil
	})
}

// ToldOf returns the versions sent to a place. known counts those that were known when the place
// was first used; fewer than AlertState.Known means that some were lost.
func ToldOf(db DB, p Place) (out map[MarkKey]uint64, known int, err error) {
	out = map[MarkKey]uint64{}
	err = db.View(func(tx sealed.Tx) error {
		for _, part := range firstMarks.in(tx).scan(p[:]) {
			known += len(*part)
			for _, m := range *part {
				out[m.MarkKey] = m.Version
			}
		}
		for _, m := range toldMarks.in(tx).scan(p[:]) {
			out[m.MarkKey] = m.Version
		}
		return nil
	})
	return out, known, err
}

// BeginPlace stores a state and the marks that its place starts with, and sets s.Known. Later marks
// of the place stay.
func BeginPlace(db DB, s *AlertState, known []Mark) error {
	s.Known = len(known)
	return alertStates.change(db, func(states rows[string, AlertState]) error {
		if err := states.put(s.Name, s); err != nil {
			return err
		}
		parts := rows[partKey, []Mark]{states.Bucket, &firstMarks}
		for i, part := range slices.Collect(slices.Chunk(known, marksPerPart)) {
			if err := parts.put(partKey{s.Place, uint32(i)}, &part); err != nil {
				return err
			}
		}
		return nil
	})
}

// QueueDeliveries stores messages under new numbers, and the new state.
func QueueDeliveries(db DB, s *AlertState, list []*Delivery) error {
	return deliveries.change(db, func(r rows[uint64, Delivery]) error {
		number := rows[struct{}, uint64]{r.Bucket, &lastDelivery}
		last := cmp.Or(number.get(struct{}{}), new(uint64))
		for _, d := range list {
			*last++
			d.ID = *last
			if err := r.put(d.ID, d); err != nil {
				return err
			}
		}
		if err := number.put(struct{}{}, last); err != nil {
			return err
		}
		return rows[string, AlertState]{r.Bucket, &alertStates}.put(s.Name, s)
	})
}

// PutDelivery stores a message after a failed attempt.
func PutDelivery(db DB, d *Delivery) error {
	return deliveries.store(db, d.ID, d)
}

// Delivered records that a message arrived, with its marks. It deletes the oldest messages beyond
// MaxSent.
func Delivered(db DB, d *Delivery, at time.Time) error {
	return deliveries.change(db, func(r rows[uint64, Delivery]) error {
		told := rows[toldKey, toldMark]{r.Bucket, &toldMarks}
		for _, m := range d.Marks {
			if err := told.put(toldKey{d.Place, m.MarkKey}, &toldMark{m, at}); err != nil {
				return err
			}
		}
		row := *d
		row.Marks, row.Body, row.Sent, row.Next, row.Why = nil, nil, at, time.Time{}, ""
		if err := r.put(d.ID, &row); err != nil {
			return err
		}
		*d = row
		sent := slices.DeleteFunc(r.scan(nil), func(d *Delivery) bool { return d.Sent.IsZero() })
		for _, old := range sent[:max(0, len(sent)-MaxSent)] {
			if err := r.delete(old.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropDeliveries deletes queued messages; their notices count as not sent.
func DropDeliveries(db DB, ids []uint64) error {
	return deliveries.change(db, func(r rows[uint64, Delivery]) error { return r.delete(ids...) })
}
