package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
	"angler/store/secrets"
)

func (k *checker) checkWords() error {
	err := k.w.db.View(func(tx sealed.Tx) error { k.words = wordCount(tx, 0); return nil })
	if err != nil {
		return err
	}
	k.lostWords = map[uint32]bool{}
	found := make([]bool, k.words)
	number := func(key []byte) (uint32, error) {
		if len(key) == 4 && binary.BigEndian.Uint32(key) < uint32(k.words) {
			return binary.BigEndian.Uint32(key), nil
		}
		return 0, errRow
	}
	err = k.scan(schema.Words, func(key []byte, err error) {
		if _, outside := number(key); outside != nil {
			k.damaged(schema.Words, key, moving, err)
		}
	}, func(_ sealed.Bucket, key, v []byte) error {
		i, err := number(key)
		if err != nil {
			return err
		}
		found[i], k.lostWords[i] = true, LostWord(string(v))
		return nil
	})
	for i, ok := range found {
		if !ok {
			k.lostWords[uint32(i)] = true
			k.report(schema.Words, "gives its number up; pages that have it are counted again", func(tx sealed.Tx) error {
				return tx.Bucket(schema.Words).Put(binary.BigEndian.AppendUint32(nil, uint32(i)), []byte(lostWordAt(i)))
			}, "word %d is damaged or missing", i)
		}
	}
	return err
}

// unknownDepth is the depth of a URL without a sound row until a link to it is found.
const unknownDepth = 1<<16 - 1

// checkURLs checks the rows of URLs. It keeps those without a sound row in gone, with the address
// that their page or notice names.
func (k *checker) checkURLs() error {
	last := k.w.last.Load()
	sound := make([]bool, last+1)
	err := k.scan(schema.URLs, func(key []byte, err error) {
		if _, outside := boundID(key, last); outside != nil {
			k.damaged(schema.URLs, key, moving, outside)
		}
	}, func(b sealed.Bucket, key, v []byte) error {
		id, err := boundID(key, last)
		if err != nil {
			return err
		}
		if u, err := decodeURL(id, v); err == nil {
			sound[id] = true
			k.checkURL(b, u)
		}
		return nil
	})
	if err != nil {
		return err
	}
	k.gone = map[uint64]*URL{}
	return k.w.db.View(func(tx sealed.Tx) error {
		for id := uint64(1); id <= last; id++ {
			switch {
			case sound[id] || givenUp(tx.Bucket(schema.URLs), id):
			case len(k.gone) == mostOfBucket:
				k.More++
			default:
				u := &URL{ID: id, Depth: unknownDepth}
				if p := find(tx.Bucket(schema.Pages), id, decodePage); p != nil {
					u.URL, u.State = p.URL, Complete
				} else if n := find(tx.Bucket(schema.Notices), id, DecodeNotice); n != nil && n.ID == id {
					u.URL = n.URL
				}
				k.gone[id] = u
			}
		}
		return nil
	})
}

// givenUp reports whether a repair has moved the row of a URL aside.
func givenUp(beside sealed.Bucket, id uint64) bool {
	return beside.Beside(bucketLost).Get(lostKey(schema.URLs, schema.IDKey(id))) != nil
}

func (k *checker) checkURL(b sealed.Bucket, u *URL) {
	k.n[u.State]++
	if id, ok, _ := k.w.seen.look(b.Beside(schema.IDs), KeyOf(u.URL)); !ok || id != u.ID {
		k.report(schema.IDs, "writes the key", func(tx sealed.Tx) error {
			return tx.Bucket(schema.IDs).Put(keyOfURL(u.URL), schema.IDKey(u.ID))
		}, "url %d is not known by its key: %s", u.ID, u.URL)
	}
	key := schema.IDKey(u.ID)
	if u.State == Complete && b.Beside(schema.Pages).Bucket.Get(key) == nil {
		k.report(schema.URLs, "lets it wait again", func(tx sealed.Tx) error { return fetchAgain(tx, nil, key, nil) },
			"url %d is complete but has no page: %s", u.ID, u.URL)
	}
}

// checkLost reports each URL without a sound row.
func (k *checker) checkLost() error {
	for _, id := range slices.Sorted(maps.Keys(k.gone)) {
		u, key := k.gone[id], schema.IDKey(id)
		if u.URL == "" {
			k.damaged(schema.URLs, key, repair{"gives it up: its address is lost", moveAside}, errRow)
			continue
		}
		if u.Source == 0 {
			u.Depth = 0 // as a seed
		}
		k.report(schema.URLs, "makes it anew from its page and the links to it",
			func(tx sealed.Tx) error { return tx.Bucket(schema.URLs).Put(key, appendURL(nil, u)) },
			"url %d is damaged; it is %s", id, u.URL)
	}
	return nil
}

// checkKeys reports keys that lead to no URL or a wrong one.
func (k *checker) checkKeys() error {
	return k.rows(schema.IDs, learning, func(b sealed.Bucket, key, v []byte) error {
		if len(v) == 8 && len(key) == len(Key{}) {
			u := find(b.Beside(schema.URLs), schema.KeyID(v), decodeURL)
			if u != nil && KeyOf(u.URL) == Key(key) || u == nil && k.ownedByURL(b, v) {
				return nil
			}
		}
		return errors.New("it leads to no URL")
	})
}

// ownedByURL reports whether the id in key belongs to a URL. A URL whose row is damaged or missing
// keeps its rows until a repair gives it up.
func (k *checker) ownedByURL(b sealed.Bucket, key []byte) bool {
	id, err := boundID(key, k.w.last.Load())
	return err == nil && (b.Beside(schema.URLs).Bucket.Get(key) != nil || !givenUp(b, id))
}

// owned is rows for a bucket whose rows belong to URLs; rows without a URL are removed.
func (k *checker) owned(bucket []byte, r repair, sound func(b sealed.Bucket, id uint64, v []byte) error) error {
	return k.scan(bucket, func(key []byte, err error) {
		if _, outside := boundID(key, k.w.last.Load()); outside != nil {
			err = errNoOwner
		}
		k.damaged(bucket, key, r, err)
	}, func(b sealed.Bucket, key, v []byte) error {
		if !k.ownedByURL(b, key) {
			return errNoOwner
		}
		return sound(b, schema.KeyID(key), v)
	})
}

// checkPages checks that each page has its links, words and body.
func (k *checker) checkPages() error {
	return k.owned(schema.Pages, refetching, func(b sealed.Bucket, id uint64, v []byte) error {
		key := schema.IDKey(id)
		p, err := decodePage(id, v)
		if err != nil {
			return err
		}
		z, err := lookPacked(b.Beside(schema.Bodies), key)
		switch {
		case err != nil:
			return fmt.Errorf("its body is lost: %w", err)
		case z == nil:
			return errors.New("it has no body")
		case len(z) > 0:
			k.Bodies++
			if err := k.w.bodyMatches(p, z); err != nil {
				return err
			}
		}
		if b.Beside(schema.Links).Bucket.Get(key) == nil {
			return errors.New("it has no links")
		}
		if b.Beside(schema.Terms).Bucket.Get(key) == nil {
			k.damaged(schema.Terms, key, recounting, errMissing)
		}
		return nil
	})
}

// checkOwned checks the rows that belong to pages and URLs.
func (k *checker) checkOwned() error {
	lost := func(i uint32) bool { return k.lostWords[i] }
	return errors.Join(
		k.owned(schema.Terms, recounting, func(_ sealed.Bucket, id uint64, v []byte) error {
			if len(v) == 0 || string(v) == Uncounted || k.Terms == nil {
				return nil
			}
			return k.Terms(v, k.words, lost)
		}),
		k.owned(schema.Links, refetching, k.checkLinks),
		k.owned(schema.Bodies, removing, func(_ sealed.Bucket, _ uint64, v []byte) error { k.packed.met(v); return nil }),
		k.checkPacks(),
		k.owned(schema.Notices, relisting, func(_ sealed.Bucket, id uint64, v []byte) error {
			if n, err := DecodeNotice(id, v); err != nil || n.ID != id {
				return errRow
			}
			return nil
		}),
	)
}

// checkLinks checks the targets of a page's links. A target without a sound row gets its depth.
func (k *checker) checkLinks(b sealed.Bucket, id uint64, v []byte) error {
	var ends []uint64
	lost := 0
	err := decodeLinks(v, func(t uint64, flat bool) {
		if g := k.gone[t]; g != nil {
			if u := find(b.Beside(schema.URLs), id, decodeURL); u != nil && u.Depth < g.Depth {
				g.Source, g.Depth = id, u.Depth+1
			}
		} else if !k.ownedByURL(b, schema.IDKey(t)) {
			lost++
			return
		}
		end := t << 1
		if flat {
			end |= 1
		}
		ends = append(ends, end)
	})
	if err == nil && lost > 0 {
		k.report(schema.Links, "removes the links", func(tx sealed.Tx) error {
			return tx.Bucket(schema.Links).Put(schema.IDKey(id), appendLinks(nil, ends))
		}, "url %d links to %d unknown URLs", id, lost)
	}
	return err
}

// checkPacks checks the checksums and tables of packs of bodies, that they are not empty, and that
// their holes are counted. Bodies themselves were compared with their pages before.
func (k *checker) checkPacks() error {
	err := k.scan(packBucket, func(key []byte, err error) {
		k.damaged(packBucket, key, repair{"seals it again, or removes it; damaged bodies are fetched again", mendPack}, err)
	}, func(b sealed.Bucket, key, v []byte) error {
		entries, err := packEntries(key, v)
		if err != nil {
			return err
		}
		whole := 0
		for _, e := range entries {
			whole += e.n
		}
		holes, counted := whole-k.packed.of(key), packHoles(b.Beside(spentPacks).Get(key))
		key = bytes.Clone(key)
		switch {
		case whole == 0: // an empty pack that separates others
		case holes == whole:
			k.report(packBucket, removing.does, func(tx sealed.Tx) error { return tx.Bucket(packBucket).Delete(key) },
				"%s holds nothing that is in use", name(packBucket, key))
		case holes != counted:
			k.report(packBucket, "counts them", func(tx sealed.Tx) error { return putPackHoles(tx, key, holes) },
				"%s has %d bytes of holes, counted %d", name(packBucket, key), holes, counted)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return k.rows(spentPacks, learning, func(b sealed.Bucket, key, _ []byte) error {
		if in := b.Beside(packBucket); in.Missing() || in.Bucket.Get(key) == nil {
			return errors.New("it is of no pack")
		}
		return nil
	})
}

// otherBuckets are those of package records, the cookies, whose rows are unreadable without their
// key, and the notes for a checkpoint.
var otherBuckets = append([]records.Bucket{
	{Name: secrets.CookieBucket, Check: secrets.CheckCookie, Loss: "a host gives cookies again, or asks for a login"},
	{Name: schema.Later, Check: checkLater, Loss: "the next opening reads every row"},
}, records.All...)

// checkOthers checks rows that can be learned again, and those of otherBuckets.
func (k *checker) checkOthers() error {
	err := errors.Join(k.rows(schema.Hosts, learning, sealedRow), k.rows(schema.State, learning, sealedRow))
	for _, r := range otherBuckets {
		does := moving
		if r.Loss != "" {
			does = repair{"removes it: " + r.Loss, removeRow}
		}
		err = errors.Join(err, k.rows(r.Name, does, func(b sealed.Bucket, key, v []byte) error {
			if err := r.Check(key, v); err != nil {
				return err
			}
			return k.checkOwner(r.Owner, b, key)
		}))
	}
	return err
}

// checkOwner returns why a sound row has no owner. It accepts a row whose URL is damaged.
func (k *checker) checkOwner(of records.Owner, b sealed.Bucket, key []byte) error {
	switch of {
	case records.OfNotice:
		if b.Beside(schema.Notices).Bucket.Get(key) == nil {
			return errors.New("there is no such notice")
		}
	case records.OfPage:
		if !k.ownedByURL(b, key) {
			return errNoOwner
		}
	case records.OfAddress:
		id, err := boundID(key, k.w.last.Load())
		if err != nil {
			return err
		}
		if u := find(b.Beside(schema.URLs), id, decodeURL); u != nil && !strings.Contains(u.URL, "#") {
			return errors.New("its address is that of a plain page")
		}
	}
	return nil
}
