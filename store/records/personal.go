package records

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"time"

	"angler/store/sealed"
)

// This file keeps rows of single persons that are not decisions: the notices they have read, and
// the state of their screens. Shared decisions are in the log, see store.Decisions. A person has
// the same name as in the log.

// PersonalBucket holds read/PERSON/id → when it was read, in seconds since 1970, 8 bytes; and
// place/PERSON/ → state of the screens, JSON.
var PersonalBucket = []byte("personal")

// maxPerson bounds the name of a person in a key, in bytes.
const maxPerson = 256

// readMark is a notice read by a person.
type readMark struct {
	id uint64
	at time.Time
}

type readKey struct {
	person string
	id     uint64
}

var (
	readMarks = table[readKey, readMark]{bucket: PersonalBucket, prefix: "read/",
		key: func(k readKey) []byte { return binary.BigEndian.AppendUint64(personKey(k.person), k.id) },
		encode: func(m *readMark) ([]byte, error) {
			return binary.BigEndian.AppendUint64(make([]byte, 0, 8+sealed.Size), uint64(m.at.Unix())), nil
		},
		decode: func(v []byte) (*readMark, error) {
			if len(v) != 8 {
				return nil, errForm
			}
			return &readMark{at: time.Unix(int64(binary.BigEndian.Uint64(v)), 0)}, nil
		},
		sound: func(key []byte, m *readMark) bool {
			at := len(key) - 9
			if at < 0 || key[at] != '/' {
				return false
			}
			m.id = binary.BigEndian.Uint64(key[at+1:])
			return true
		}}
	screens = table[string, json.RawMessage]{bucket: PersonalBucket, prefix: "place/", key: personKey,
		encode: func(v *json.RawMessage) ([]byte, error) { return bytes.Clone(*v), nil },
		decode: func(v []byte) (*json.RawMessage, error) { c := json.RawMessage(bytes.Clone(v)); return &c, nil },
		sound:  func(_ []byte, v *json.RawMessage) bool { return json.Valid(*v) }}
)

func personKey(person string) []byte {
	person = strings.ReplaceAll(person, "/", "_")
	return []byte(person[:min(len(person), maxPerson)] + "/")
}

// ReadBy returns the notices that a person has read, with the times, by id.
func ReadBy(db DB, person string) (map[uint64]time.Time, error) {
	marks, err := readMarks.scan(db, personKey(person))
	out := map[uint64]time.Time{}
	for _, m := range marks {
		out[m.id] = m.at
	}
	return out, err
}

// SetRead marks notices as read by a person, or as unread if at is zero.
func SetRead(db DB, person string, ids []uint64, at time.Time) error {
	return readMarks.change(db, func(r rows[readKey, readMark]) (err error) {
		for _, id := range ids {
			k := readKey{person, id}
			if at.IsZero() {
				err = r.delete(k)
			} else {
				err = r.put(k, &readMark{id, at})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ScreensOf returns the stored state of a person's screens, or nil.
func ScreensOf(db DB, person string) (json.RawMessage, error) {
	v, err := screens.of(db, person)
	if v == nil {
		return nil, err
	}
	return *v, err
}

// SetScreens stores the state of a person's screens.
func SetScreens(db DB, person string, v json.RawMessage) error {
	return screens.store(db, person, &v)
}
