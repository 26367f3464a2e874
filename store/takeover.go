package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"angler/store/schema"
	"angler/store/sealed"
)

// TakenOver counts rows taken from a damaged database.
type TakenOver struct {
	Decisions int // of analysts, newer than the backup
	Samples   int // their pages
	URLs      int // found since; they wait, so that their labels keep their meaning
	Lost      int // decisions about URLs whose address is unreadable
}

// errOtherLog means that the log of the damaged database does not continue the log of the backup.
var errOtherLog = errors.New("the decisions of the damaged database are not those of the backup")

// merging adds to a backup the newer rows of the damaged database.
type merging struct {
	from   string // the damaged database
	db     *sealed.DB
	events []keyValue // those that the backup lacks
	TakenOver
}

type keyValue struct{ key, value []byte }

// TakeOver adds newer decisions, their samples and newer URLs to the backup at to. It takes all that
// is readable in the damaged database at from. Memory is bounded by the newer decisions and a batch
// of URLs.
func TakeOver(from, to string) (TakenOver, error) {
	db, err := openFile(to, "", bolt.Options{})
	if err != nil {
		return TakenOver{}, err
	}
	m := &merging{from: from, db: db}
	for _, step := range []func() error{m.upgrade, m.newEvents, m.urls, m.decide, m.samples} {
		if err == nil {
			err = step()
		}
	}
	return m.TakenOver, errors.Join(err, db.Close())
}

func (m *merging) upgrade() error { return schema.Upgrade(m.db) }

// newEvents reads the events that the backup lacks.
func (m *merging) newEvents() error {
	return m.db.View(func(tx sealed.Tx) error {
		known := tx.Bucket(schema.Events)
		last, _ := known.Cursor().Last()
		return sealed.ReadRows(m.from, string(schema.Events), func(k, v []byte) error {
			switch {
			case len(k) == 8 && bytes.Compare(k, last) > 0:
				m.events = append(m.events, keyValue{bytes.Clone(k), bytes.Clone(v)})
			case known.Get(k) != nil && !bytes.Equal(known.Get(k), v):
				return errOtherLog
			}
			return nil
		})
	})
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
	var batch []keyValue
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
		id, err := boundID(k, bound)
		if err != nil || id <= last {
			return nil
		}
		u, err := decodeURL(id, v)
		if err != nil {
			return nil
		}
		if u.State != Exception {
			u.State = Waiting
		}
		top = max(top, id)
		if batch = append(batch, keyValue{bytes.Clone(k), appendURL(nil, u)}); len(batch) < 4096 {
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
func (m *merging) decide() error {
	var values []keyValue
	for _, bucket := range [][]byte{schema.Desk, schema.Decisions} { // the one of its version is there
		err := sealed.ReadRows(m.from, string(bucket), func(k, v []byte) error {
			values = append(values, keyValue{bytes.Clone(k), bytes.Clone(v)})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return m.db.Update(func(tx sealed.Tx) error {
		decided := tx.Bucket(schema.Decisions)
		for _, r := range m.events {
			if err := m.event(tx, r); err != nil {
				return err
			}
		}
		for _, r := range values {
			topic, kind, key, ok := splitDecision(r.key)
			if !ok || bytes.Equal(decided.Get(r.key), r.value) ||
				m.unknown(tx, Change{Topic: topic, Kind: kind, Key: key}) {
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
func (m *merging) event(tx sealed.Tx, r keyValue) error {
	e := new(Event)
	if json.Unmarshal(r.value, e) != nil {
		return nil
	}
	made := len(e.Changes)
	e.Changes = slices.DeleteFunc(e.Changes, func(c Change) bool { return m.unknown(tx, c) })
	if m.Lost += made - len(e.Changes); len(e.Changes) == 0 {
		return nil
	}
	decided, events := tx.Bucket(schema.Decisions), tx.Bucket(schema.Events)
	for _, c := range e.Changes {
		key, err := decisionKey(c.Topic, c.Kind, c.Key), error(nil)
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
func (m *merging) unknown(tx sealed.Tx, c Change) bool {
	return c.Kind == "label" && !labelled(tx.Bucket(schema.Decisions), c.Key)
}

// labelled reports whether the URL of a label has a row; key is that of the label.
func labelled(beside sealed.Bucket, key string) bool {
	id, err := strconv.ParseUint(key, 10, 64)
	return err == nil && beside.Beside(schema.URLs).Get(schema.IDKey(id)) != nil
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
