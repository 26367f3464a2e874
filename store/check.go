package store

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"angler/store/sealed"
)

// Problem is one broken invariant of the database.
type Problem struct {
	Text string // one line for people
	// Repairs says what Repair does about it; "" when nothing derived is wrong,
	// so that only a copy of the database helps.
	Repairs string

	fix func(sealed.Tx) error
}

func (p Problem) String() string { return p.Text }

// Check verifies the invariants of the database: counts equal contents, every
// URL is known by its key, every fetched URL has its page and no other has,
// every link's ends exist, every label, notice and page belongs to a known URL,
// and no lease is left over when nothing runs. It reads everything once, in one
// transaction.
func (w *Workspace) Check() ([]Problem, error) {
	c := w.Counts()
	k := &checker{seen: w.seen}
	err := w.db.View(func(tx sealed.Tx) error {
		k.tx, k.urls, k.ids, k.pages = tx, tx.Bucket(bucketURLs), tx.Bucket(bucketIDs), tx.Bucket(bucketPages)
		for _, f := range []func() error{k.checkURLs, k.checkKeys, k.checkPages, k.checkLinks, k.checkDecisions} {
			if err := f(); err != nil {
				return err
			}
		}
		for s, want := range [numStates]int{c.Waiting, c.Processing, c.Exception, c.Complete} {
			if k.n[s] != want {
				k.report("opening the workspace again counts anew", nil, "%d URLs are %v, counted %d", k.n[s], State(s), want)
			}
		}
		if k.npages != c.Pages {
			k.report("opening the workspace again counts anew", nil, "%d pages, counted %d", k.npages, c.Pages)
		}
		return nil
	})
	return k.problems, err
}

// Repair checks and puts right what is derived from other rows. It returns what
// it found; problems whose Repairs is empty remain. The workspace must be opened
// again afterwards, because counts and the seen filter are kept in memory.
func (w *Workspace) Repair() ([]Problem, error) {
	problems, err := w.Check()
	if err != nil || len(problems) == 0 {
		return problems, err
	}
	w.committing.Lock()
	defer w.committing.Unlock()
	err = w.db.Update(func(tx sealed.Tx) error {
		for _, p := range problems {
			if p.fix == nil {
				continue
			}
			if err := p.fix(tx); err != nil {
				return fmt.Errorf("%s: %w", p.Text, err)
			}
		}
		// The filter is built from the keys when it is missing, and keys that are
		// not merged are found by their rows.
		return tx.Bucket(bucketMeta).Delete(keySeenN)
	})
	if err != nil {
		return problems, w.writeError(err)
	}
	w.repaired = true
	return problems, nil
}

type checker struct {
	seen             *seen
	tx               sealed.Tx
	urls, ids, pages sealed.Bucket
	n                [numStates]int
	npages           int
	problems         []Problem
}

func (k *checker) report(repairs string, fix func(sealed.Tx) error, format string, args ...any) {
	k.problems = append(k.problems, Problem{fmt.Sprintf(format, args...), repairs, fix})
}

func (k *checker) checkURLs() error {
	return k.urls.ForEach(func(key, v []byte) error {
		id := keyID(key)
		u, err := decodeURL(id, v)
		if err != nil {
			k.report("", nil, "url %d does not decode; restore %s from a copy", id, databaseFile)
			return nil
		}
		k.n[u.State]++
		name := KeyOf(u.URL)
		if x, ok := k.seen.id(k.ids, name); !ok || x != id {
			k.report("writes the key", func(tx sealed.Tx) error { return tx.Bucket(bucketIDs).Put(name[:], idKey(id)) },
				"url %d is not known by its key: %s", id, u.URL)
		}
		if u.State == Complete && k.pages.Get(key) == nil {
			k.report("lets it wait again", func(tx sealed.Tx) error { return setState(tx, id, Waiting) },
				"url %d is complete but has no page: %s", id, u.URL)
		}
		return nil
	})
}

func (k *checker) checkKeys() error {
	return k.ids.ForEach(func(key, v []byte) error {
		name := Key(key)
		if len(v) == 8 {
			u, err := decodeURL(keyID(v), k.urls.Get(v))
			if err == nil && KeyOf(u.URL) == name {
				return nil
			}
		}
		k.report("removes the key", func(tx sealed.Tx) error { return tx.Bucket(bucketIDs).Delete(name[:]) },
			"key %x leads to no URL", name[:4])
		return nil
	})
}

// checkPages looks for pages, terms, bodies, links and notices that belong to
// no URL.
func (k *checker) checkPages() error {
	for _, bucket := range [][]byte{bucketPages, bucketTerms, bucketBodies, bucketLinks, bucketNotices} {
		err := k.tx.Bucket(bucket).ForEach(func(key, v []byte) error {
			id := keyID(key)
			if string(bucket) == string(bucketPages) {
				k.npages++
				if _, err := decodePage(id, v); err != nil {
					k.report("", nil, "page %d does not decode; restore %s from a copy", id, databaseFile)
				}
			}
			if k.urls.Get(key) == nil {
				k.report("removes the row", func(tx sealed.Tx) error { return tx.Bucket(bucket).Delete(idKey(id)) },
					"%s %d belongs to no URL", bucket, id)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *checker) checkLinks() error {
	return k.tx.Bucket(bucketLinks).ForEach(func(key, v []byte) error {
		id := keyID(key)
		var ends []uint64
		lost := 0
		err := decodeLinks(v, func(t uint64, flat bool) {
			if k.urls.Get(idKey(t)) == nil {
				lost++
				return
			}
			end := t << 1
			if flat {
				end |= 1
			}
			ends = append(ends, end)
		})
		if err != nil {
			k.report("", nil, "links of url %d do not decode; restore %s from a copy", id, databaseFile)
			return nil
		}
		if lost > 0 {
			k.report("removes the links", func(tx sealed.Tx) error { return tx.Bucket(bucketLinks).Put(idKey(id), appendLinks(nil, ends)) },
				"url %d links to %d unknown URLs", id, lost)
		}
		return nil
	})
}

// checkDecisions looks at what the analysts decided: nothing of it is derived, so
// nothing is repaired.
func (k *checker) checkDecisions() error {
	return k.tx.Bucket(bucketDecisions).ForEach(func(key, v []byte) error {
		if !json.Valid(v) {
			k.report("", nil, "%s holds no JSON", key)
		}
		topic, kind, name, ok := splitDecision(key)
		switch {
		case !ok:
			k.report("", nil, "decision %q belongs to no topic; it counts for nothing", key)
		case kind == "label":
			if id, err := strconv.ParseUint(name, 10, 64); err != nil || k.urls.Get(idKey(id)) == nil {
				k.report("", nil, "label of an unknown url %s; it counts for nothing", name)
			}
		case kind == "sample" || kind == "anti":
			k.checkSample(topic, kind, name)
		}
		return nil
	})
}

// checkSample looks whether a sample or negative sample of a topic has its page, and
// one mark only.
func (k *checker) checkSample(topic TopicID, kind, u string) {
	if name := KeyOf(u); k.tx.Bucket(bucketSamples).Get(name[:]) == nil {
		k.report("", nil, "the page of %s %s is missing; mark it again", strings.Replace(kind, "anti", "negative sample", 1), u)
	}
	if kind == "anti" && k.tx.Bucket(bucketDecisions).Get(decisionKey(topic, "sample", u)) != nil {
		k.report("", nil, "%s is sample and negative sample; take one mark away", u)
	}
}
