package sealed

import (
	"errors"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"
)

// Salvaged says what Salvage brought home.
type Salvaged struct {
	Report
	Rows    int // copied
	Spoiled int // rows whose seal is broken, left behind
	Found   int // of Rows: those that no tree led to any more
}

// Salvage copies every row that can still be read from the file at path into a
// new database at to, which has the named buckets, the first of them that which
// holds the schema. Where a part of a tree is
// lost, pages that are neither in use nor free are looked through for its rows:
// a seal tells to which bucket a row belongs. Rows of the plain bucket have
// none, and are taken as they are; so are all rows of a database in which older
// finds a row that says that rows have no seals yet. Nobody may write the file
// meanwhile. Memory is bounded by a batch.
func Salvage(path, to string, buckets []string, plain string, older func(bucket string, key, value []byte) bool) (s *Salvaged, err error) {
	x, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer x.f.Close()
	db, err := bolt.Open(to, 0o600, &bolt.Options{NoSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return nil, err
	}
	c := &copier{db: db, plain: plain, buckets: buckets, sequences: map[string]uint64{}}
	(&walk{file: x, depth: Leaves, rows: func(bucket string, p *leaf) {
		for i := range p.count {
			if e, ok := p.element(i); ok && bucket == buckets[0] && older(bucket, e.key, p.bytes(e.value, e.length)) {
				c.bare = true
			}
		}
	}}).all()
	w := &walk{file: x, depth: Leaves, rows: c.leaf, bucket: func(name string, n uint64) { c.sequences[name] = n }}
	w.all()
	c.flush()
	if len(w.report.Problems) > 0 {
		c.orphans(w)
	}
	c.finish()
	s = &Salvaged{Report: w.report, Rows: c.rows, Spoiled: c.spoiled, Found: c.found}
	err = errors.Join(c.err, db.Sync(), db.Close())
	if err != nil {
		os.Remove(to)
	}
	return s, err
}

// copier writes rows in batches.
type copier struct {
	db        *bolt.DB
	plain     string
	buckets   []string
	sequences map[string]uint64
	batch     []row
	bytes     int
	bare      bool // rows have no seals
	orphan    bool // rows of no tree: they give way to those that are there

	rows, spoiled, found int
	err                  error
}

type row struct {
	bucket     string
	key, value []byte
}

// batchBytes bounds what is held until it is written.
const batchBytes = 8 << 20

func (c *copier) knows(bucket string) bool {
	for _, b := range c.buckets {
		if b == bucket {
			return true
		}
	}
	return false
}

// leaf takes the rows of a leaf. Where its bucket's name is damaged, seals tell
// where they belong.
func (c *copier) leaf(bucket string, p *leaf) {
	if !c.knows(bucket) {
		c.orphanLeaf(p)
		return
	}
	for i := range p.count {
		e, ok := p.element(i)
		if !ok || e.flags != 0 || len(e.key) == 0 {
			c.spoiled++
			continue
		}
		v := p.bytes(e.value, e.length)
		if _, sound := unseal([]byte(bucket), e.key, v); v == nil || !sound && bucket != c.plain && !c.bare && (bucket != c.buckets[0] || string(e.key) != "schema") {
			c.spoiled++
			continue
		}
		c.add(row{bucket, append([]byte(nil), e.key...), append([]byte{}, v...)})
	}
}

// orphans looks through the pages that are neither used nor free. Where the list
// of free pages is lost, they may hold older rows as well.
func (c *copier) orphans(w *walk) {
	c.orphan = true
	for id := uint64(2); id < w.n; id++ {
		if w.used.has(id) || w.free.has(id) {
			continue
		}
		p, err := w.read(id, true)
		if err != nil && err != io.EOF || p == nil || p.kind != kindLeaf {
			continue
		}
		c.orphanLeaf(p)
		id += p.over
	}
	c.flush()
}

func (c *copier) orphanLeaf(p *leaf) {
	bucket := ""
	for i := range p.count {
		e, ok := p.element(i)
		if !ok || e.flags != 0 || len(e.key) == 0 {
			continue
		}
		v := p.bytes(e.value, e.length)
		if v == nil {
			continue
		}
		for _, b := range c.buckets {
			if _, sound := unseal([]byte(b), e.key, v); sound && b != c.plain {
				bucket = b
				c.add(row{b, append([]byte(nil), e.key...), append([]byte{}, v...)})
				break
			}
		}
		if bucket == "" && len(e.key) == 8 { // rows of one page are of one bucket
			c.add(row{c.plain, append([]byte(nil), e.key...), append([]byte{}, v...)})
		}
	}
}

func (c *copier) add(r row) {
	c.batch = append(c.batch, r)
	if c.bytes += len(r.key) + len(r.value) + 64; c.bytes >= batchBytes {
		c.flush()
	}
}

func (c *copier) flush() {
	if c.err == nil {
		c.err = c.db.Update(func(tx *bolt.Tx) error {
			for _, r := range c.batch {
				b, err := tx.CreateBucketIfNotExists([]byte(r.bucket))
				if err != nil {
					return err
				}
				b.FillPercent = .9
				if b.Get(r.key) != nil {
					continue
				}
				if err := b.Put(r.key, r.value); err != nil {
					return err
				}
				c.rows++
				if c.orphan {
					c.found++
				}
			}
			return nil
		})
	}
	c.batch, c.bytes = c.batch[:0], 0
}

// finish makes the buckets of which nothing was left, and gives each its
// sequence, which is never below a key that is a number.
func (c *copier) finish() {
	if c.err != nil {
		return
	}
	c.err = c.db.Update(func(tx *bolt.Tx) error {
		for _, name := range c.buckets {
			b, err := tx.CreateBucketIfNotExists([]byte(name))
			if err == nil {
				err = b.SetSequence(c.sequences[name])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
