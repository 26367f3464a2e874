package maintenance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"angler/store"
	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
)

// mergedBackup counts rows taken from a damaged database.
type mergedBackup struct {
	Decisions int // of analysts, newer than the backup
	Samples   int // their pages
	URLs      int // found since; they wait, so that their labels keep their meaning
	Lost      int // decisions about URLs whose address is unreadable
}

// errOtherLog means that the log of the damaged database does not continue the log of the backup.
var errOtherLog = errors.New("the decisions of the damaged database are not those of the backup")

// merging adds to a backup the newer rows of the damaged database.
type merging struct {
	from string // the damaged database
	db   *sealed.DB
	mergedBackup
}

type row struct{ key, value []byte }

// merge adds newer decisions, their samples and newer URLs to the backup at to. It takes all that
// is readable in the damaged database at from. Memory is bounded by the newer decisions and a batch
// of URLs.
func merge(from, to string) (mergedBackup, error) {
	db, err := sealed.Open(to, modes.File, sealed.Options{Options: bolt.Options{FreelistType: bolt.FreelistMapType},
		Plain: string(schema.Bodies), Bare: string(schema.KeySchema)})
	if err != nil {
		return mergedBackup{}, err
	}
	m := &merging{from: from, db: db}
	err = schema.Upgrade(db)
	var events []row
	if err == nil {
		events, err = m.events()
	}
	if err == nil {
		err = m.urls()
	}
	if err == nil {
		err = m.decide(events)
	}
	if err == nil {
		err = m.samples()
	}
	return m.mergedBackup, errors.Join(err, db.Close())
}

// events returns the events that the backup lacks.
func (m *merging) events() (newer []row, err error) {
	err = m.db.View(func(tx sealed.Tx) error {
		known := tx.Bucket(schema.Events)
		last, _ := known.Cursor().Last()
		return sealed.ReadRows(m.from, string(schema.Events), func(k, v []byte) error {
			switch {
			case len(k) == 8 && bytes.Compare(k, last) > 0:
				newer = append(newer, row{bytes.Clone(k), bytes.Clone(v)})
			case known.Get(k) != nil && !bytes.Equal(known.Get(k), v):
				return errOtherLog
			}
			return nil
		})
	})
	return newer, err
}

// maxNewURLs bounds the accepted ids if the highest one is unreadable.
const maxNewURLs = 1 << 22

// urls adds the URLs that the backup lacks as waiting, under their old ids.
func (m *merging) urls() error {
	var last, top uint64
	err := m.db.View(func(tx sealed.Tx) error { last = schema.LastID(tx); return nil })
	if err == nil {
		err = sealed.ReadRows(m.from, string(schema.Meta), func(k, v []byte) error {
			if bytes.Equal(k, schema.KeyLast) && len(v) == 8 {
				top = schema.KeyID(v)
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	bound := cmp.Or(top, last+maxNewURLs)
	var batch []row
	flush := func() error {
		err := m.db.Update(func(tx sealed.Tx) error {
			for _, r := range batch {
				if err := tx.Bucket(schema.URLs).Put(r.key, r.value); err != nil {
					return err
				}
			}
			return nil
		})
		m.URLs, batch = m.URLs+len(batch), batch[:0]
		return err
	}
	err = sealed.ReadRows(m.from, string(schema.URLs), func(k, v []byte) error {
		id, err := store.BoundID(k, bound)
		if err != nil || id <= last {
			return nil
		}
		u, err := store.DecodeURL(id, v)
		if err != nil {
			return nil
		}
		if u.State != store.Exception {
			u.State = store.Waiting
		}
		top = max(top, id)
		if batch = append(batch, row{bytes.Clone(k), store.AppendURL(nil, u)}); len(batch) < 4096 {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil || top <= last {
		return err
	}
	return m.db.Update(func(tx sealed.Tx) error {
		meta := tx.Bucket(schema.Meta)
		return errors.Join(schema.Forget(tx), tx.Bucket(schema.URLs).SetSequence(top),
			meta.Put(schema.KeyLast, schema.IDKey(top)),
			meta.Put(schema.KeyMerged, schema.IDKey(0))) // the next opening writes their keys
	})
}

// decide applies newer events, and then the stored decisions, which are later than any event.
func (m *merging) decide(events []row) error {
	var values []row
	for _, bucket := range [][]byte{schema.Desk, schema.Decisions} { // the one of its version is there
		err := sealed.ReadRows(m.from, string(bucket), func(k, v []byte) error {
			values = append(values, row{bytes.Clone(k), bytes.Clone(v)})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return m.db.Update(func(tx sealed.Tx) error {
		decided := tx.Bucket(schema.Decisions)
		for _, r := range events {
			if err := m.event(tx, r); err != nil {
				return err
			}
		}
		for _, r := range values {
			topic, kind, key, ok := store.SplitDecision(r.key)
			if !ok || bytes.Equal(decided.Get(r.key), r.value) ||
				m.unknown(tx, store.Change{Topic: topic, Kind: kind, Key: key}) {
				continue
			}
			m.Decisions++
			if err := decided.Put(r.key, r.value); err != nil {
				return err
			}
		}
		return nil
	})
}

// event logs an event and makes its changes, except labels of unknown URLs.
func (m *merging) event(tx sealed.Tx, r row) error {
	e := new(store.Event)
	if json.Unmarshal(r.value, e) != nil {
		return nil
	}
	made := len(e.Changes)
	e.Changes = slices.DeleteFunc(e.Changes, func(c store.Change) bool { return m.unknown(tx, c) })
	if m.Lost += made - len(e.Changes); len(e.Changes) == 0 {
		return nil
	}
	decided, events := tx.Bucket(schema.Decisions), tx.Bucket(schema.Events)
	for _, c := range e.Changes {
		key, err := store.DecisionKey(c.Topic, c.Kind, c.Key), error(nil)
		if c.After == nil {
			err = decided.Delete(key)
		} else {
			err = decided.Put(key, bytes.Clone(c.After))
		}
		if err != nil {
			return err
		}
	}
	m.Decisions++
	v, err := json.Marshal(e)
	return errors.Join(err, events.Put(r.key, v), events.SetSequence(max(events.Sequence(), schema.KeyID(r.key))))
}

// unknown reports a label of a URL that has no row.
func (m *merging) unknown(tx sealed.Tx, c store.Change) bool {
	if c.Kind != "label" {
		return false
	}
	id, err := strconv.ParseUint(c.Key, 10, 64)
	return err != nil || tx.Bucket(schema.URLs).Get(schema.IDKey(id)) == nil
}

// samples copies the pages of samples.
func (m *merging) samples() error {
	return sealed.ReadRows(m.from, string(schema.Samples), func(k, v []byte) error {
		return m.db.Update(func(tx sealed.Tx) error {
			b := tx.Bucket(schema.Samples)
			if bytes.Equal(b.Get(k), v) {
				return nil
			}
			m.Samples++
			return b.Put(k, bytes.Clone(v))
		})
	})
}
