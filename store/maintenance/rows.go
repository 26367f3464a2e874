package maintenance

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"angler/store"
	"angler/store/schema"
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
	err := k.scan(schema.URLs, func(key []byte, err error) {
		if id, bounds := store.BoundID(key, last); bounds != nil {
			k.aside(schema.URLs)(key, bounds)
		} else {
			gone(id, err)
		}
	}, func(b sealed.Bucket, key, v []byte) error {
		id, err := store.BoundID(key, last)
		if err != nil {
			k.aside(schema.URLs)(bytes.Clone(key), err)
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
			k.gap(tx.Bucket(schema.URLs), next, gone)
		}
		for id, g := range k.gone {
			if v := tx.Bucket(schema.Pages).Get(schema.IDKey(id)); v != nil {
				if p, err := store.DecodePage(id, v); err == nil {
					g.url, g.fetched = p.URL, true
				}
			}
			if v := tx.Bucket(schema.Notices).Get(schema.IDKey(id)); v != nil && g.url == "" {
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
	return !lost.Missing() && lost.Get(lostKey(schema.URLs, schema.IDKey(id))) != nil
}

func (k *checker) checkURL(b sealed.Bucket, u *store.URL) {
	k.n[u.State]++
	name, id := store.KeyOf(u.URL), u.ID
	if x, ok := k.rows.IDOf(b.Beside(schema.IDs), name); !ok || x != id {
		k.report(schema.IDs, "writes the key", func(tx sealed.Tx) error { return tx.Bucket(schema.IDs).Put(name[:], schema.IDKey(id)) },
			"url %d is not known by its key: %s", id, u.URL)
	}
	if u.State == store.Complete && b.Beside(schema.Pages).Bucket.Get(schema.IDKey(id)) == nil {
		k.report(schema.URLs, "lets it wait again", func(tx sealed.Tx) error { return store.Wait(tx, id) },
			"url %d is complete but has no page: %s", id, u.URL)
	}
}

// again reports a page that must be fetched again.
func (k *checker) again(bucket []byte, id uint64, format string, args ...any) {
	k.report(bucket, "lets the page wait to be fetched again", func(tx sealed.Tx) error { return fetchAgain(tx, id) },
		format, args...)
}

// fetchAgain deletes the stored rows of a page and makes its URL wait.
func fetchAgain(tx sealed.Tx, id uint64) error {
	key := schema.IDKey(id)
	for _, b := range [][]byte{schema.Pages, schema.Terms, schema.Links} {
		if err := tx.Bucket(b).Delete(key); err != nil {
			return err
		}
	}
	if err := store.DeletePacked(tx.Bucket(schema.Bodies), key); err != nil {
		return err
	}
	return store.Wait(tx, id)
}

// ownedByURL reports whether the id in key belongs to a URL. A URL whose row is damaged or missing
// keeps its rows until a repair gives it up.
func (k *checker) ownedByURL(b sealed.Bucket, key []byte) bool {
	id, err := store.BoundID(key, k.rows.LastID())
	return err == nil && (b.Beside(schema.URLs).Bucket.Get(key) != nil || !givenUp(b, id))
}

func (k *checker) checkPages() error {
	return k.scan(schema.Pages, func(key []byte, err error) {
		k.npages++
		if id, bounds := store.BoundID(key, k.rows.LastID()); bounds == nil {
			k.again(schema.Pages, id, "page %d is damaged: %v", id, err)
		} else {
			k.remove(schema.Pages)(key, bounds)
		}
	}, func(b sealed.Bucket, key, v []byte) error {
		k.npages++
		if !k.ownedByURL(b, key) {
			k.report(schema.Pages, "removes the row", deleting(schema.Pages, bytes.Clone(key)), "%s belongs to no URL",
				name(schema.Pages, key))
			return nil
		}
		id := schema.KeyID(key)
		p, err := store.DecodePage(id, v)
		if err != nil {
			k.again(schema.Pages, id, "page %d does not decode", id)
			return nil
		}
		k.checkPage(b, key, p)
		return nil
	})
}

// checkPage checks that a page has its links, words and body.
func (k *checker) checkPage(b sealed.Bucket, key []byte, p *store.Page) {
	z, err := store.LookPacked(b.Beside(schema.Bodies), key)
	if err != nil {
		k.again(schema.Bodies, p.ID, "the body of page %d is lost: %v", p.ID, err)
		return
	}
	if z == nil {
		k.again(schema.Bodies, p.ID, "page %d has no body", p.ID)
		return
	}
	if len(z) > 0 {
		k.Bodies++
		if err := store.BodyMatches(p, z, k.MaxBody); err != nil {
			k.again(schema.Bodies, p.ID, "the body of page %d is damaged", p.ID)
			return
		}
	}
	if b.Beside(schema.Links).Bucket.Get(key) == nil {
		k.again(schema.Links, p.ID, "page %d has no links", p.ID)
		return
	}
	if b.Beside(schema.Terms).Bucket.Get(key) == nil {
		k.recount(p.ID, "page %d has no words", p.ID)
	}
}

// recount reports a page whose words must be counted again.
func (k *checker) recount(id uint64, format string, args ...any) {
	k.report(schema.Terms, "has its words counted again", func(tx sealed.Tx) error {
		return tx.Bucket(schema.Terms).Put(schema.IDKey(id), []byte(store.Uncounted))
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
				k.report(bucket, "removes the row", deleting(bucket, bytes.Clone(key)), "%s belongs to no URL",
					name(bucket, key))
				return nil
			}
			ok(b, schema.KeyID(key), v)
			return nil
		})
	}
	badTerms := func(id uint64, err error) { k.recount(id, "the words of page %d are damaged: %v", id, err) }
	badLinks := func(id uint64, err error) {
		k.again(schema.Links, id, "the links of page %d are damaged: %v", id, err)
	}
	badNotice := func(id uint64, err error) {
		k.report(schema.Notices, "removes it; the next harvest looks through all lists for it", relisting(id),
			"notice %d is damaged: %v", id, err)
	}
	lost := func(i uint32) bool { return k.lostWords[i] }
	return errors.Join(
		each(schema.Terms, badTerms, func(_ sealed.Bucket, id uint64, v []byte) {
			if len(v) > 0 && string(v) != store.Uncounted && k.Terms != nil {
				if err := k.Terms(v, k.words, lost); err != nil {
					badTerms(id, err)
				}
			}
		}),
		each(schema.Links, badLinks, func(b sealed.Bucket, id uint64, v []byte) {
			if err := k.checkLinks(b, id, v); err != nil {
				badLinks(id, err)
			}
		}),
		each(schema.Bodies, func(uint64, error) {}, func(_ sealed.Bucket, _ uint64, v []byte) { k.packed.Met(v) }),
		k.checkPacks(),
		each(schema.Notices, badNotice, func(_ sealed.Bucket, id uint64, v []byte) {
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
			if u, err := store.DecodeURL(id, b.Beside(schema.URLs).Get(schema.IDKey(id))); err == nil {
				g.depth = min(g.depth, u.Depth+1)
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
			return tx.Bucket(schema.Links).Put(schema.IDKey(id), store.AppendLinks(nil, ends))
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
			k.report(schema.URLs, "makes it anew from its page and the links to it",
				func(tx sealed.Tx) error { return tx.Bucket(schema.URLs).Put(schema.IDKey(id), store.AppendURL(nil, u)) },
				"url %d is damaged: %v; it is %s", id, g.err, g.url)
		default:
			then := "gives it up: its address is lost, and no page links to it"
			if len(g.sources) > 0 {
				then = "gives it up; pages that link to it are fetched again to learn its address"
			}
			k.report(schema.URLs, then, func(tx sealed.Tx) error {
				for _, source := range g.sources {
					if err := fetchAgain(tx, source); err != nil {
						return err
					}
				}
				return moveAside(tx, schema.URLs, schema.IDKey(id), g.err)
			}, "url %d is damaged: %v", id, g.err)
		}
	}
	return nil
}

// crawledSample makes the material of a sample from the crawled page; nil if there is none.
func (k *checker) crawledSample(b sealed.Bucket, u string) *store.Sample {
	id, ok := k.rows.IDOf(b.Beside(schema.IDs), store.KeyOf(u))
	if !ok {
		return nil
	}
	key := schema.IDKey(id)
	v := b.Beside(schema.Pages).Get(key)
	z, err := store.LookPacked(b.Beside(schema.Bodies), key)
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
