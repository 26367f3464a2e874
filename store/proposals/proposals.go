// Package proposals keeps the hosts that may become seeds, what speaks for each, and how
// far the search for them has come.
//
// The rows have a bucket of their own, which the first one makes: h/HOST → Row and
// q/QUESTION → Question, JSON. What people decide about a host does not stand here but in
// the log of decisions. There are at most Most hosts and MostQuestions questions; texts
// come from the web and are cut by Clip. Every call is one short transaction. Backup,
// check and repair treat the rows like all others.
package proposals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"angler/store"
	"angler/store/sealed"
)

// Bucket holds the rows.
var Bucket = []byte("proposals")

// Bounds of what is kept.
const (
	Most          = 20_000 // hosts
	MostQuestions = 5_000
	MostExamples  = 12  // words, anchor texts, files of one host
	Longest       = 200 // bytes of one text
)

// ErrFull says that no more hosts are kept; test with errors.Is.
var ErrFull = fmt.Errorf("%d hosts are proposed, which is the most that are kept; reject those that are of no use", Most)

// Row is a host that may become a seed.
type Row struct {
	Host  string    `json:"host"` // without www. and m., with the port if it has one
	URL   string    `json:"url"`  // of its first page; what would become the seed
	Title string    `json:"title,omitempty"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Round int       `json:"round"` // the look for seeds that found it first, from 1

	Looked time.Time `json:"looked,omitzero"` // when Title was read on the first page itself

	Search *Search `json:"search,omitempty"`
	Links  *Links  `json:"links,omitempty"`
	Files  []File  `json:"files,omitempty"`

	// Seed is the address that stands in the settings because the host was accepted; ""
	// when there is none.
	Seed string `json:"seed,omitempty"`
}

// Search is what meta search says of a host (P3 2.2.1).
type Search struct {
	Questions int      `json:"questions"`       // that found it
	Words     []string `json:"words,omitempty"` // the first of them
	Results   int      `json:"results"`
	Best      int      `json:"best"` // rank of its best result, 1 the first
	Example   string   `json:"example,omitempty"`
	Latest    string   `json:"latest,omitempty"` // the question that found it last
}

// Links is what relevant pages say of a host.
type Links struct {
	Pages   int      `json:"pages"` // that link to it
	Sites   int      `json:"sites"` // registrable domains of these pages
	Anchors []string `json:"anchors,omitempty"`
	Example string   `json:"example,omitempty"` // a page that links to it
}

// File is a list in which a host stands.
type File struct {
	Name    string `json:"name"`
	Entries int    `json:"entries"`
	Text    string `json:"text,omitempty"` // what the list calls the first one
}

// Question is how far a question was asked.
type Question struct {
	Text    string    `json:"text"`
	Pages   int       `json:"pages"` // of results that were read
	Results int       `json:"results"`
	Done    bool      `json:"done"`
	At      time.Time `json:"at"`
}

// Clip cuts a text from the web to Longest bytes and puts it on one line.
func Clip(s string) string {
	if len(s) > 4*Longest {
		s = s[:4*Longest]
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	for len(s) > Longest {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s
}

// Rows are the rows within a transaction.
type Rows struct {
	b     sealed.Bucket
	hosts int // known; -1 = not counted yet
}

func hostKey(host string) []byte     { return []byte("h/" + host) }
func questionKey(text string) []byte { return []byte("q/" + text) }

// Host returns the row of a host; nil when there is none that decodes.
func (r *Rows) Host(host string) *Row {
	row, _ := decodeRow(host, r.b.Get(hostKey(host)))
	return row
}

// under are the rows whose keys begin alike.
func (r *Rows) under(prefix string) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		c := r.b.Cursor()
		for k, v := c.Seek([]byte(prefix)); bytes.HasPrefix(k, []byte(prefix)) && yield(k, v); k, v = c.Next() {
		}
	}
}

// Put writes a host; a new one beyond Most is ErrFull.
func (r *Rows) Put(row *Row) error {
	if r.hosts < 0 {
		r.hosts = 0
		for range r.under("h/") {
			r.hosts++
		}
	}
	if r.b.Get(hostKey(row.Host)) == nil {
		if r.hosts >= Most {
			return ErrFull
		}
		r.hosts++
	}
	v, err := json.Marshal(row)
	if err != nil {
		return err
	}
	return r.b.Put(hostKey(row.Host), v)
}

// question returns how far a question was asked; nil when it was not.
func (r *Rows) question(text string) *Question {
	q, _ := decodeQuestion(text, r.b.Get(questionKey(text)))
	return q
}

// PutQuestion writes how far a question was asked. Of more than MostQuestions one that
// was answered goes.
func (r *Rows) PutQuestion(q *Question) error {
	v, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if r.b.Get(questionKey(q.Text)) == nil {
		n := 0
		var oldest []byte
		var at time.Time
		for k, v := range r.under("q/") {
			n++
			if was, err := decodeQuestion(string(k[2:]), v); err != nil || oldest == nil || was.At.Before(at) {
				oldest = bytes.Clone(k)
				if err == nil {
					at = was.At
				}
			}
		}
		if n >= MostQuestions {
			if err := r.b.Delete(oldest); err != nil {
				return err
			}
		}
	}
	return r.b.Put(questionKey(q.Text), v)
}

// Change runs f in one transaction, which is written when f returns nil.
func Change(w *store.Workspace, f func(*Rows) error) error {
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
			return err
		}
		return f(&Rows{b: tx.Bucket(Bucket), hosts: -1})
	})
}

// Read returns all rows. Damaged ones are left out and counted.
func Read(w *store.Workspace) (hosts []*Row, questions []*Question, err error) {
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		b := tx.Bucket(Bucket)
		return b.ForEach(func(k, v []byte) error {
			row, q, err := decode(k, v)
			switch {
			case err != nil:
				b.Spoiled(k, err)
			case row != nil:
				hosts = append(hosts, row)
			default:
				questions = append(questions, q)
			}
			return nil
		})
	})
	return hosts, questions, err
}

var errForm = errors.New("it does not decode")

func decode(k, v []byte) (row *Row, q *Question, err error) {
	switch name := string(k[min(2, len(k)):]); {
	case bytes.HasPrefix(k, []byte("h/")):
		row, err = decodeRow(name, v)
	case bytes.HasPrefix(k, []byte("q/")):
		q, err = decodeQuestion(name, v)
	default:
		err = errForm
	}
	return row, q, err
}

func decodeRow(host string, v []byte) (*Row, error) {
	r := new(Row)
	if json.Unmarshal(v, r) != nil || r.Host != host || host == "" || r.URL == "" {
		return nil, errForm
	}
	return r, nil
}

func decodeQuestion(text string, v []byte) (*Question, error) {
	q := new(Question)
	if json.Unmarshal(v, q) != nil || q.Text != text || text == "" {
		return nil, errForm
	}
	return q, nil
}

// Check says what is wrong with a row; nil when nothing is.
func Check(k, v []byte) error {
	_, _, err := decode(k, v)
	return err
}
