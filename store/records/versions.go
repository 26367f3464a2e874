package records

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"angler/store/sealed"
)

// This file keeps earlier versions of changed notices. The newest version is the notice's own row.
// The transaction that replaces that row writes the version, so a kill loses neither. The caller
// bounds the versions of a notice, and maxVersionText bounds their texts. The oldest go first, and
// numbers are not reused.

// VersionsBucket holds id of the URL and number of the version, 8 and 4 bytes, big
// endian → NoticeVersion, JSON, compressed (S2).
var VersionsBucket = []byte("versions")

// maxVersionText bounds the text of a version, in bytes.
const maxVersionText = 256 << 10

// maxVersion bounds a decompressed row, in bytes: hostile rows claim huge sizes.
const maxVersion = 2 << 20

// NoticeVersion is an earlier version of a notice.
type NoticeVersion struct {
	Number    int       `json:"number"` // 1 is the first
	Until     time.Time `json:"until"`  // when the change was found
	Title     string    `json:"title"`
	Date      time.Time `json:"date,omitzero"`
	Precision uint8     `json:"precision,omitempty"`
	Text      string    `json:"text"`
	Files     []string  `json:"files,omitempty"` // names of attachments
}

type versionKey struct {
	id     uint64
	number uint32
}

var versions = table[versionKey, NoticeVersion]{bucket: VersionsBucket, pack: packS2, unpack: unpackS2(maxVersion),
	key: func(k versionKey) []byte { return binary.BigEndian.AppendUint32(idKey(k.id), k.number) },
	sound: func(key []byte, v *NoticeVersion) bool {
		if len(key) != 12 {
			return false
		}
		v.Number = int(binary.BigEndian.Uint32(key[8:]))
		return true
	}}

// KeepVersion stores a version of a notice under the next number, and deletes the oldest beyond
// most.
func KeepVersion(tx sealed.Tx, id uint64, v NoticeVersion, most int) error {
	r, err := versions.writable(tx)
	if err != nil {
		return err
	}
	keys := slices.DeleteFunc(r.keys(idKey(id)), func(k []byte) bool { return len(k) != 12 }) // damaged values hide no number
	number := uint32(1)
	if len(keys) > 0 {
		number = binary.BigEndian.Uint32(keys[len(keys)-1][8:]) + 1
	}
	v.Number = int(number)
	if len(v.Text) > maxVersionText {
		v.Text = strings.ToValidUTF8(v.Text[:maxVersionText], "")
	}
	if err := r.put(versionKey{id, number}, &v); err != nil {
		return err
	}
	return r.remove(keys[:max(0, len(keys)+1-max(1, most))])
}

// DropVersions removes the versions of a notice.
func DropVersions(tx sealed.Tx, id uint64) error {
	r := versions.in(tx)
	return r.remove(r.keys(idKey(id)))
}

// VersionsOf returns the earlier versions of a notice, oldest first.
func VersionsOf(db DB, id uint64) ([]NoticeVersion, error) {
	return values(versions.scan(db, idKey(id)))
}

// PruneVersions reads at most most rows and deletes those replaced before a time. It returns the
// number deleted. from is nil at first, then the returned next; next is nil at the end.
func PruneVersions(tx sealed.Tx, before time.Time, from []byte, most int) (gone int, next []byte, err error) {
	r := versions.in(tx)
	keys, next := r.find(from, most, func(v *NoticeVersion) bool { return v.Until.Before(before) })
	return len(keys), next, r.remove(keys)
}

// OldVersions counts the versions that PruneVersions would delete.
func OldVersions(tx sealed.Tx, before time.Time) int {
	keys, _ := versions.in(tx).find(nil, 1<<62, func(v *NoticeVersion) bool { return v.Until.Before(before) })
	return len(keys)
}
