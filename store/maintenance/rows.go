package maintenance

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"angler/store"
	"angler/store/sealed"
)

// bucketLost keeps rows that a repair moved aside: bucket/key → the reason, and the row as it was.
// The first repair that needs it makes it.
var bucketLost = []byte("lost")

// whereNeeded returns the buckets that their first row makes.
func whereNeeded() [][]byte {
	names := [][]byte{bucketLost, store.PackBucket, store.SpentPacks}
	for _, r := range besides {
		names = append(names, r.Name)
	}
	return names
}

type lostRow struct {
	Why string    `json:"why"`
	At  time.Time `json:"at"`
	Row []byte    `json:"row,omitempty"`
}

func lostKey(bucket, key []byte) []byte {
	return append(append(bytes.Clone(bucket), '/'), key...)
}

// moveAside moves a row from its bucket to bucketLost.
func moveAside(tx sealed.Tx, bucket, key []byte, why error) error {
	if _, err := tx.Raw().CreateBucketIfNotExists(bucketLost); err != nil {
		return err
	}
	from := tx.Raw().Bucket(bucket)
	v, err := json.Marshal(lostRow{Why: why.Error(), At: time.Now(), Row: from.Get(key)})
	if err != nil {
		return err
	}
	return errors.Join(tx.Bucket(bucketLost).Put(lostKey(bucket, key), v), from.Delete(key))
}

// goneURL is a URL that has an id but no sound row.
type goneURL struct {
	err     error
	url     string // from its page or notice; "": unknown
	fetched bool   // its page exists
	sources []uint64
	depth   int // one more than the nearest source
}

func (g *goneURL) rebuilt() bool { return g != nil && g.url != "" }

// mostSources is how many pages are fetched again to learn a lost address.
const mostSources = 4

var errMissing = errors.New("it is missing")

func (k *checker) checkURLs() error {
	k.gone = map[uint64]*goneURL{}
	last, next := k.rows.LastID(), uint64(1)
	gone := func(id uint64, err error) {
		if len(k.gone) < mostOfBucket {
			k.gone[id] = &goneURL{err: err, depth: 1 << 16}
		} else {
			k.More++
		}
	}
	err := k.scan(store.BucketURLs, func(key []byte, err error) {
		if id, bounds := store.BoundID(key, last); bounds != nil {
			k.aside(store.BucketURLs)(key, bounds)
		} else {
			gone(id, err)
		}
	}, func(b sealed.Bucket, key, v []byte) error {
		id, err := store.BoundID(key, last)
		if err != nil {
			k.aside(store.BucketURLs)(bytes.Clone(key), err)
			return nil
		}
		u, err := store.DecodeURL(id, v)
		if err != nil {
			gone(id, err)
			return nil
		}
		for ; next < id; next++ {
			k.gap(b, next, gone)
		}
		next = id + 1
		k.checkURL(b, u)
		return nil
	})
	if err != nil {
		return err
	}
	return k.rows.DB().View(func(tx sealed.Tx) error {
		for ; next <= last; next++ {
			k.gap(tx.Bucket(store.BucketURLs), next, gone)
		}
		for id, g := range k.gone {
			if v := tx.Bucket(store.BucketPages).Get(store.IDKey(id)); v != nil {
				if p, err := store.DecodePage(id, v); err == nil {
					g.url, g.fetched = p.URL, true
				}
			}
			if v := tx.Bucket(store.BucketNotices).Get(store.IDKey(id)); v != nil && g.url == "" {
				if n, err := store.DecodeNotice(id, v); err == nil && n.ID == id {
					g.url = n.URL
				}
			}
		}
		return nil
	})
}

// gap notes an id without a row, unless a repair has given it up.
func (k *checker) gap(urls sealed.Bucket, id uint64, gone func(uint64, error)) {
	if k.gone[id] == nil && !givenUp(urls, id) {
		gone(id, errMissing)
	}
}

func givenUp(beside sealed.Bucket, id uint64) bool {
	lost := beside.Beside(bucketLost)
	return !lost.Missing() && lost.Get(lostKey(store.BucketURLs, store.IDKey(id))) != nil
}

func (k *checker) checkURL(b sealed.Bucket, u *store.URL) {
	k.n[u.State]++
	name, id := store.KeyOf(u.URL), u.ID
	if x, ok := k.rows.IDOf(b.Beside(store.BucketIDs), name); !ok || x != id {
		k.report(store.BucketIDs, "writes the key", func(tx sealed.Tx) error { return tx.Bucket(store.BucketIDs).Put(name[:], store.IDKey(id)) },
			"url %d is not known by its key: %s", id, u.URL)
	}
	if u.State == store.Complete && b.Beside(store.BucketPages).Bucket.Get(store.IDKey(id)) == nil {
		k.report(store.BucketURLs, "lets it wait again", func(tx sealed.Tx) error { return store.Wait(tx, id) },
			"url %d is complete but has no page: %s", id, u.URL)
	}
}

// again reports a page that must be fetched again.
func (k *checker) again(bucket []byte, id uint64, format string, args ...any) {
	k.report(bucket, "lets the page wait to be fetched again", func(tx sealed.Tx) error { return fetchAgain(tx, id) }, format, args...)
}

// fetchAgain deletes the stored rows of a page and makes its URL wait.
func fetchAgain(tx sealed.Tx, id uint64) error {
	key := store.IDKey(id)
	for _, b := range [][]byte{store.BucketPages, store.BucketTerms, store.BucketLinks} {
		if err := tx.Bucket(b).Delete(key); err != nil {
			return err
		}
	}
	if err := store.DeletePacked(tx.Bucket(store.BucketBodies), key); err != nil {
		return err
	}
	return store.Wait(tx, id)
}

// ownedByURL reports whether the id in key belongs to a URL. A URL whose row is damaged or missing
// keeps its rows until a repair gives it up.
func (k *checker) ownedByURL(b sealed.Bucket, key []byte) bool {
	id, err := store.BoundID(key, k.rows.LastID())
	return err == nil && (b.Beside(store.BucketURLs).Bucket.Get(key) != nil || !givenUp(b, id))
}

func (k *checker) checkPages() error {
	return k.scan(store.BucketPages, func(key []byte, err error) {
		k.npages++
		if id, bounds := store.BoundID(key, k.rows.LastID()); bounds == nil {
			k.again(store.BucketPages, id, "page %d is damaged: %v", id, err)
		} else {
			k.remove(store.BucketPages)(key, bounds)
		}
	}, func(b sealed.Bucket, key, v []byte) error {
		k.npages++
		if !k.ownedByURL(b, key) {
			k.report(store.BucketPages, "removes the row", deleting(store.BucketPages, bytes.Clone(key)), "%s belongs to no URL", name(store.BucketPages, key))
			return nil
		}
		id := store.KeyID(key)
		p, err := store.DecodePage(id, v)
		if err != nil {
			k.again(store.BucketPages, id, "page %d does not decode", id)
			return nil
		}
		k.checkPage(b, key, p)
		return nil
	})
}

// checkPage checks that a page has its links, words and body.
func (k *checker) checkPage(b sealed.Bucket, key []byte, p *store.Page) {
	z, err := store.LookPacked(b.Beside(store.BucketBodies), key)
	if err != nil {
		k.again(store.BucketBodies, p.ID, "the body of page %d is lost: %v", p.ID, err)
		return
	}
	if z == nil {
		k.again(store.BucketBodies, p.ID, "page %d has no body", p.ID)
		return
	}
	if len(z) > 0 {
		k.Bodies++
		if err := store.BodyMatches(p, z, k.MaxBody); err != nil {
			k.again(store.BucketBodies, p.ID, "the body of page %d is damaged", p.ID)
			return
		}
	}
	if b.Beside(store.BucketLinks).Bucket.Get(key) == nil {
		k.again(store.BucketLinks, p.ID, "page %d has no links", p.ID)
		return
	}
	if b.Beside(store.BucketTerms).Bucket.Get(key) == nil {
		k.recount(p.ID, "page %d has no words", p.ID)
	}
}

// recount reports a page whose words must be counted again.
func (k *checker) recount(id uint64, format string, args ...any) {
	k.report(store.BucketTerms, "has its words counted again", func(tx sealed.Tx) error {
		return tx.Bucket(store.BucketTerms).Put(store.IDKey(id), []byte(store.Uncounted))
	}, format, args...)
}

// checkOwned checks the rows that belong to pages and URLs.
func (k *checker) checkOwned() error {
	last := k.rows.LastID()
	// each calls ok with sound rows that have an owner, and spoiled with damaged ones.
	each := func(bucket []byte, spoiled func(id uint64, err error), ok func(b sealed.Bucket, id uint64, v []byte)) error {
		return k.scan(bucket, func(key []byte, err error) {
			if id, bounds := store.BoundID(key, last); bounds == nil {
				spoiled(id, err)
			} else {
				k.remove(bucket)(key, bounds)
			}
		}, func(b sealed.Bucket, key, v []byte) error {
			if !k.ownedByURL(b, key) {
				k.report(bucket, "removes the row", deleting(bucket, bytes.Clone(key)), "%s belongs to no URL", name(bucket, key))
				return nil
			}
			ok(b, store.KeyID(key), v)
			return nil
		})
	}
	badTerms := func(id uint64, err error) { k.recount(id, "the words of page %d are damaged: %v", id, err) }
	badLinks := func(id uint64, err error) {
		k.again(store.BucketLinks, id, "the links of page %d are damaged: %v", id, err)
	}
	badNotice := func(id uint64, err error) {
		k.report(store.BucketNotices, "removes it; the next harvest looks through all lists for it", relisting(id), "notice %d is damaged: %v", id, err)
	}
	lost := func(i uint32) bool { return k.lostWords[i] }
	return errors.Join(
		each(store.BucketTerms, badTerms, func(_ sealed.Bucket, id uint64, v []byte) {
			if len(v) > 0 && string(v) != store.Uncounted && k.Terms != nil {
				if err := k.Terms(v, k.words, lost); err != nil {
					badTerms(id, err)
				}
			}
		}),
		each(store.BucketLinks, badLinks, func(b sealed.Bucket, id uint64, v []byte) {
			if err := k.checkLinks(b, id, v); err != nil {
				badLinks(id, err)
			}
		}),
		each(store.BucketBodies, func(uint64, error) {}, func(_ sealed.Bucket, _ uint64, v []byte) { k.packed.Met(v) }),
		k.checkPacks(),
		each(store.BucketNotices, badNotice, func(_ sealed.Bucket, id uint64, v []byte) {
			if n, err := store.DecodeNotice(id, v); err != nil || n.ID != id {
				badNotice(id, errRow)
			}
		}),
	)
}

func (k *checker) checkLinks(b sealed.Bucket, id uint64, v []byte) error {
	var ends []uint64
	lost := 0
	err := store.DecodeLinks(v, func(t uint64, flat bool) {
		if g := k.gone[t]; g != nil {
			if len(g.sources) < mostSources && !slices.Contains(g.sources, id) {
				g.sources = append(g.sources, id)
			}
			if u, err := store.DecodeURL(id, b.Beside(store.BucketURLs).Get(store.IDKey(id))); err == nil {
				g.depth = min(g.depth, u.Depth+1)
			}
		} else if !k.ownedByURL(b, store.IDKey(t)) {
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
		k.report(store.BucketLinks, "removes the links", func(tx sealed.Tx) error {
			return tx.Bucket(store.BucketLinks).Put(store.IDKey(id), store.EncodeLinks(ends))
		},
			"url %d links to %d unknown URLs", id, lost)
	}
	return err
}

// checkLost reports the remains of each URL without a row.
func (k *checker) checkLost() error {
	for _, id := range slices.Sorted(maps.Keys(k.gone)) {
		g := k.gone[id]
		u := &store.URL{ID: id, URL: g.url, State: store.Waiting, Depth: g.depth}
		if g.fetched {
			u.State = store.Complete
		}
		if len(g.sources) > 0 {
			u.Source = g.sources[0]
		} else {
			u.Depth = 0
		}
		switch {
		case g.rebuilt():
			k.report(store.BucketURLs, "makes it anew from its page and the links to it", func(tx sealed.Tx) error { return tx.Bucket(store.BucketURLs).Put(store.IDKey(id), store.EncodeURL(u)) },
				"url %d is damaged: %v; it is %s", id, g.err, g.url)
		default:
			then := "gives it up: its address is lost, and no page links to it"
			if len(g.sources) > 0 {
				then = "gives it up; pages that link to it are fetched again to learn its address"
			}
			k.report(store.BucketURLs, then, func(tx sealed.Tx) error {
				for _, source := range g.sources {
					if err := fetchAgain(tx, source); err != nil {
						return err
					}
				}
				return moveAside(tx, store.BucketURLs, store.IDKey(id), g.err)
			}, "url %d is damaged: %v", id, g.err)
		}
	}
	return nil
}

// crawledSample makes the material of a sample from the crawled page; nil if there is none.
func (k *checker) crawledSample(b sealed.Bucket, u string) *store.Sample {
	id, ok := k.rows.IDOf(b.Beside(store.BucketIDs), store.KeyOf(u))
	if !ok {
		return nil
	}
	key := store.IDKey(id)
	v := b.Beside(store.BucketPages).Get(key)
	z, err := store.LookPacked(b.Beside(store.BucketBodies), key)
	if v == nil || err != nil || len(z) == 0 {
		return nil
	}
	p, err := store.DecodePage(id, v)
	if err != nil || p.URL != u {
		return nil
	}
	if err := store.BodyMatches(p, z, k.MaxBody); err != nil {
		return nil
	}
	return &store.Sample{URL: u, ContentType: "text/html; charset=" + p.Charset, Body: bytes.Clone(z), Added: p.Fetched}
}
