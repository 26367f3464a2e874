package store

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
)

// lexicon maps term ids to words. Since(n) returns the words with ids n, n+1, …; it must be safe
// for concurrent use.
type lexicon interface{ Since(n int) []string }

// UseLexicon sets the source of new words. Call it once, before the first commit of a Capture with
// Terms.
func (w *Workspace) UseLexicon(l lexicon) { w.words = l }

// commit is one open transaction. It gathers its changes to memory and applies them only after
// bbolt has written it.
type commit struct {
	w     *Workspace
	tx    sealed.Tx
	urls  sealed.Bucket
	ids   sealed.Bucket
	links sealed.Bucket

	delta  [numStates]int
	pages  int
	notes  int
	nwords int
	heads  map[uint64]head // new or changed
	found  []Admission
	at     map[uint64]int // id → its index in found
	relax  []nearer
	ends   []uint64

	changed []uint64 // ids whose rows in pages and terms change; note adds the others
	giveUp  bool     // drop the checkpoint
	holes   int      // share of holes at which a pack is given up
}

// Commit writes leases and captures in one transaction. It returns the URLs that became known or
// came nearer to the seeds. After an error nothing has changed, on disk or in memory. Commit is for
// one goroutine at a time; use package writer to group captures of many workers.
func (w *Workspace) Commit(leases []uint64, captures []*Capture) ([]Admission, error) {
	// The sort is stable: of two captures of one URL the later one wins.
	slices.SortStableFunc(captures, func(a, b *Capture) int { return cmp.Compare(a.ID, b.ID) })
	return w.update(func(c *commit) error {
		for _, id := range leases {
			_, captured := slices.BinarySearchFunc(captures, id,
				func(x *Capture, id uint64) int { return cmp.Compare(x.ID, id) })
			if captured {
				continue
			}
			if err := c.lease(id); err != nil {
				return err
			}
		}
		for _, x := range captures {
			if err := c.capture(x); err != nil {
				return fmt.Errorf("url %d: %w", x.ID, err)
			}
		}
		return nil
	})
}

// Seed makes URLs known at depth 0. It returns those that are new, were deeper, or had been given
// up: a crawl cannot start without its seeds, so they are tried again. The URLs must be canonical.
func (w *Workspace) Seed(canonical []string) ([]Admission, error) {
	return w.update(func(c *commit) error {
		for _, u := range canonical {
			end, err := c.admit(&Link{URL: u}, 0, 0)
			if err != nil {
				return err
			}
			if c.head(end.ID).state == Exception {
				if err := c.reopen(end.ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// reopen makes a given-up URL wait as if it had never failed.
func (c *commit) reopen(id uint64) error {
	u, err := c.url(id)
	if err != nil {
		return fmt.Errorf("url %d: %w", id, err)
	}
	c.move(u, Waiting)
	u.untroubled()
	c.report(u, false)
	return c.put(u)
}

// Admit is Seed for links with hints, at any depth.
func (w *Workspace) Admit(links []Link, depth int) ([]Admission, error) {
	return w.update(func(c *commit) error {
		for i := range links {
			if _, err := c.admit(&links[i], depth, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *Workspace) update(f func(*commit) error) ([]Admission, error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	if w.Committed != nil {
		defer w.Committed() // after the counts are updated
	}
	trimMapping(w.db, Most) // pages mapped by readers since the last commit
	c := &commit{w: w, heads: map[uint64]head{}, at: map[uint64]int{}, holes: half}
	w.bodies.begin()
	shards := 0
	err := w.db.Update(func(tx sealed.Tx) error {
		c.tx, c.urls, c.ids, c.links = tx, tx.Bucket(schema.URLs), tx.Bucket(schema.IDs), tx.Bucket(schema.Links)
		// Ids are handed out in order, so pages fill up before they split.
		c.urls.FillPercent, c.links.FillPercent = 0.9, 0.7
		if err := f(c); err != nil {
			return err
		}
		if err := w.bodies.Write(tx.Bucket(schema.Bodies), c.holes); err != nil {
			return err
		}
		if err := c.shorten(); err != nil {
			return err
		}
		if err := c.newWords(); err != nil {
			return err
		}
		var err error
		if err := c.note(); err != nil {
			return err
		}
		if shards, err = w.seen.merge(tx); err != nil || len(w.seen.pending) == 0 {
			return err
		}
		return tx.Bucket(schema.Meta).Put(schema.KeyLast, schema.IDKey(c.urls.Sequence()))
	})
	if err != nil {
		w.seen.dropped()
		return nil, w.writeError(err)
	}
	w.seen.landed(shards)
	w.mapping.noteCommit()
	trimMapping(w.db, Most)
	w.mu.Lock()
	defer w.mu.Unlock()
	for s, d := range c.delta {
		w.counts[s] += d
	}
	w.pages += c.pages
	w.notes += c.notes
	w.nwords += c.nwords
	for id, h := range c.heads {
		w.setHead(id, h)
		w.last.Store(max(id, w.last.Load()))
	}
	c.noted()
	return c.found, nil
}

func (c *commit) head(id uint64) head {
	if h, ok := c.heads[id]; ok {
		return h
	}
	// Only the committing goroutine writes heads, so this read needs no lock.
	if id < uint64(len(c.w.heads)) {
		return c.w.heads[id]
	}
	return head{}
}

func (c *commit) url(id uint64) (*URL, error) { return decodeURL(id, c.urls.Get(schema.IDKey(id))) }

func (c *commit) put(u *URL) error {
	// bbolt keeps the slice until the transaction ends, so every row has its own.
	return c.urls.Put(schema.IDKey(u.ID), appendURL(make([]byte, 0, sealed.Size+(1+len(u.More))*(64+len(u.URL)+len(u.Anchor)+len(u.Block))), u))
}

func (c *commit) move(u *URL, to state) {
	c.delta[u.State]--
	c.delta[to]++
	u.State = to
	h := c.head(u.ID)
	h.state = to
	c.heads[u.ID] = h
}

// report reports a waiting URL to the crawl, once a commit.
func (c *commit) report(u *URL, isNew bool) {
	if i, ok := c.at[u.ID]; ok {
		c.found[i].Row = *u
		return
	}
	c.at[u.ID] = len(c.found)
	c.found = append(c.found, Admission{*u, isNew})
}

func (c *commit) lease(id uint64) error {
	u, err := c.url(id)
	if err != nil {
		return fmt.Errorf("url %d: %w", id, err)
	}
	c.move(u, Processing)
	return c.put(u)
}

func (c *commit) capture(x *Capture) error {
	u, err := c.url(x.ID)
	if err != nil {
		return err
	}
	c.move(u, x.State)
	u.Depth = int(c.head(x.ID).depth)
	u.Fails, u.Retry, u.Failure = x.Fails, x.Retry, x.Failure
	if err := c.put(u); err != nil {
		return err
	}
	key := schema.IDKey(x.ID)
	if n := x.Notice; n != nil {
		id := cmp.Or(n.ID, x.ID) // the address of the notice may lead to this page
		if err := c.notice(schema.IDKey(id), n); err != nil {
			return err
		}
		if x.Before != nil {
			if err := records.KeepVersion(c.tx, id, *x.Before, x.Versions); err != nil {
				return err
			}
		}
	}
	if x.Unfollowed != nil {
		if err := records.PutMissing(c.tx, x.ID, x.Unfollowed); err != nil {
			return err
		}
	}
	if x.Page == nil {
		return nil
	}
	c.changed = append(c.changed, x.ID)
	if x.Unchanged {
		x.Page.ID = x.ID
		if err := c.tx.Bucket(schema.Pages).Put(key, appendPage(make([]byte, 0, 256), x.Page)); err != nil ||
			len(x.Links) == 0 {
			return err
		}
	}
	c.ends = c.ends[:0]
	x.Out = make([]end, len(x.Links))
	for i := range x.Links {
		l := &x.Links[i]
		depth, flat := u.Depth+1, uint64(0)
		switch {
		case l.Seed:
			depth = 0
		case l.Flat:
			depth, flat = u.Depth, 1
		}
		end, err := c.admit(l, depth, x.ID)
		if err != nil {
			return err
		}
		x.Out[i] = end
		c.ends = append(c.ends, end.ID<<1|flat)
	}
	if x.Unchanged {
		return nil
	}
	if err := c.links.Put(key, appendLinks(make([]byte, 0, 2*len(c.ends)+8+sealed.Size), c.ends)); err != nil {
		return err
	}
	pages := c.tx.Bucket(schema.Pages)
	if pages.Get(key) == nil {
		c.pages++
	}
	x.Page.ID = x.ID
	if err := pages.Put(key, appendPage(make([]byte, 0, 256), x.Page)); err != nil {
		return err
	}
	if err := c.tx.Bucket(schema.Terms).Put(key, x.Terms); err != nil {
		return err
	}
	c.w.bodies.add(x.ID, x.Body)
	return records.DropTraces(c.tx, x.ID)
}

func (c *commit) notice(key []byte, n *Notice) error {
	b := c.tx.Bucket(schema.Notices)
	if b.Get(key) == nil {
		c.notes++
	}
	v, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return b.Put(key, v)
}

// admit makes the target of a link known if it is new. Otherwise it adds the link to the inlinks
// while the target waits and has few.
func (c *commit) admit(l *Link, depth int, source uint64) (end, error) {
	k := KeyOf(l.URL)
	if id, ok := c.w.seen.find(c.ids, k); ok {
		if l.Request != nil {
			if err := c.renew(id, l.Request); err != nil {
				return end{}, err
			}
		}
		h := c.head(id)
		if clampDepth(depth) < h.depth {
			c.relax = append(c.relax, nearer{id, depth})
		}
		if h.state == Waiting && h.inlinks < maxInlinks && source != 0 {
			return end{ID: id}, c.addInlink(id, Inlink{source, l.Hints})
		}
		return end{ID: id}, nil
	}
	id, err := c.urls.NextSequence()
	if err != nil {
		return end{}, err
	}
	u := &URL{ID: id, URL: l.URL, State: Waiting, Depth: depth, Source: source, Hints: l.Hints}
	if err := c.put(u); err != nil {
		return end{}, err
	}
	if l.Request != nil {
		if err := records.PutRequest(c.tx, id, l.Request); err != nil {
			return end{}, err
		}
	}
	c.w.seen.add(k, id)
	h := head{depth: clampDepth(depth), state: Waiting, inlinks: 1}
	if source == 0 {
		h.inlinks = maxInlinks
	}
	c.heads[id] = h
	c.delta[Waiting]++
	c.report(u, true)
	return end{ID: id, New: true}, nil
}

// renew replaces the request of a known address. An expired address becomes valid again.
func (c *commit) renew(id uint64, r *records.Request) error {
	if err := records.PutRequest(c.tx, id, r); err != nil || !r.Expires {
		return err
	}
	if u, err := c.url(id); err == nil && u.State != Complete && u.Troubled() {
		return c.reopen(id)
	}
	return nil
}

// lose treats a URL with a damaged row like one that was damaged at opening.
func (c *commit) lose(id uint64) {
	c.delta[c.head(id).state]--
	c.heads[id] = lostHead
}

// addInlink stores another link to a waiting URL. Revisits of the same page add nothing.
func (c *commit) addInlink(id uint64, l Inlink) error {
	u, err := c.url(id)
	if err != nil {
		c.lose(id)
		return nil
	}
	for known := range u.Inlinks {
		if known.Source == l.Source {
			return nil
		}
	}
	u.More = append(u.More, l)
	h := c.head(id)
	h.inlinks++
	c.heads[id] = h
	c.report(u, false)
	return c.put(u)
}

// newWords writes the words that the lexicon has learned since the last commit, so that every
// stored term id has its word.
func (c *commit) newWords() error {
	if c.w.words == nil {
		return nil
	}
	words := c.w.words.Since(c.w.nwords)
	b := c.tx.Bucket(schema.Words)
	b.FillPercent = 0.9
	for i, s := range words {
		if err := b.Put(binary.BigEndian.AppendUint32(nil, uint32(c.w.nwords+i)),
			append(make([]byte, 0, len(s)+sealed.Size), s...)); err != nil {
			return err
		}
	}
	c.nwords = len(words)
	return nil
}
