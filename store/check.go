package store

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Check verifies the invariants of the database and returns what is broken,
// one line each: counts equal contents, every link's ends exist, every URL is
// known by its key.
func (w *Workspace) Check() (problems []string, err error) {
	c := w.Counts()
	err = w.db.View(func(tx *bolt.Tx) error {
		var n [numStates]int
		urls, ids := tx.Bucket(bucketURLs), tx.Bucket(bucketIDs)
		report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
		err := urls.ForEach(func(k, v []byte) error {
			u, err := decodeURL(keyID(k), v)
			if err != nil {
				report("url %d does not decode", keyID(k))
				return nil
			}
			n[u.State]++
			key := KeyOf(u.URL)
			if x := ids.Get(key[:]); len(x) != 8 || binary.BigEndian.Uint64(x) != u.ID {
				report("url %d is not known by its key: %s", u.ID, u.URL)
			}
			if u.State == Complete && tx.Bucket(bucketPages).Get(k) == nil {
				report("url %d is complete but has no page: %s", u.ID, u.URL)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for s, want := range [numStates]int{c.Waiting, c.Processing, c.Exception, c.Complete} {
			if n[s] != want {
				report("%d URLs are %v, counted %d", n[s], State(s), want)
			}
		}
		if k := ids.Stats().KeyN; k != c.URLs {
			report("%d keys for %d URLs", k, c.URLs)
		}
		if k := tx.Bucket(bucketPages).Stats().KeyN; k != c.Pages {
			report("%d pages, counted %d", k, c.Pages)
		}
		return tx.Bucket(bucketLinks).ForEach(func(k, v []byte) error {
			return decodeLinks(v, func(t uint64, _ bool) {
				if urls.Get(idKey(t)) == nil {
					report("url %d links to unknown url %d", keyID(k), t)
				}
			})
		})
	})
	return problems, err
}
