// Package attached keeps what is known of the documents that notices link to: a row
// a document in a bucket of its own, the texts of the files in another, and the files
// in a folder beside the database, one for all documents with the same bytes.
//
// Both buckets are made by their first rows, so older workspaces need no upgrade. A
// file stands whole under its hash before a row names it, so a kill leaves at most
// a file that no row names. Every call is one short transaction; safe for concurrent
// use.
package attached

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/s2"

	"angler/store"
	"angler/store/modes"
	"angler/store/sealed"
)

// The buckets.
var (
	Bucket = []byte("documents") // the key of the address → Row, JSON
	Texts  = []byte("doctexts")  // the hash of the file → Text, JSON, compressed (S2)
)

// Folder holds the files, below the workspace's.
const Folder = "attachments"

// The states of a document. One without a row was never asked for.
const (
	Wanted = "wanted" // to be fetched
	Kept   = "kept"   // its file is here
	Failed = "failed" // it did not come, for good
	Left   = "left"   // it is not wanted by the rule: too long, beyond the budget …
)

// Row is one document.
type Row struct {
	URL     string    `json:"url"`
	Name    string    `json:"name,omitempty"` // as a notice names it
	Notices []uint64  `json:"notices,omitempty"`
	State   string    `json:"state"`
	Why     string    `json:"why,omitempty"`   // of Failed, Left, and Wanted after a failure
	Asked   bool      `json:"asked,omitempty"` // by a person; else by the rule
	At      time.Time `json:"at"`              // of the last change
	Fails   int       `json:"fails,omitempty"`
	Retry   time.Time `json:"retry,omitzero"` // not before

	// Of Kept:
	Hash string `json:"hash,omitempty"` // SHA-256 of the file, hexadecimal
	File string `json:"file,omitempty"` // path below the workspace, slashes
	Size int64  `json:"size,omitempty"`
	Kind string `json:"kind,omitempty"` // by content, see attachments.DocumentKind
}

// Text is what was read from a file.
type Text struct {
	Version int    `json:"v"` // of the reader
	Text    string `json:"text,omitempty"`
	Pages   int    `json:"pages,omitempty"`
	Cut     string `json:"cut,omitempty"` // the bound at which reading ended
	Why     string `json:"why,omitempty"` // why there is no text, for people

	// Unconverted means that no converter for the format was installed.
	Unconverted bool `json:"unconverted,omitempty"`
}

var errForm = errors.New("it does not decode")

// Get returns the row of an address; nil when there is none.
func Get(w *store.Workspace, url string) (row *Row, err error) {
	rows, err := Rows(w, []string{url})
	return rows[url], err
}

// Rows returns the rows of those addresses that have one.
func Rows(w *store.Workspace, urls []string) (map[string]*Row, error) {
	out := map[string]*Row{}
	err := store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		for _, u := range urls {
			k := store.KeyOf(u)
			if row := sealed.Find(tx.Bucket(Bucket), k[:], decode); row != nil {
				out[u] = row
			}
		}
		return nil
	})
	return out, err
}

// All returns every row, in no order that means anything.
func All(w *store.Workspace) (rows []*Row, err error) {
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		rows = sealed.Scan(tx.Bucket(Bucket), nil, decode)
		return nil
	})
	return rows, err
}

// Put stores rows.
func Put(w *store.Workspace, rows ...*Row) error {
	return write(w, Bucket, func(b sealed.Bucket) error {
		for _, r := range rows {
			v, err := json.Marshal(r)
			if err != nil {
				return err
			}
			k := store.KeyOf(r.URL)
			if err := b.Put(k[:], v); err != nil {
				return err
			}
		}
		return nil
	})
}

// TextOf returns what was read from a file; nil when it was not read.
func TextOf(w *store.Workspace, hash string) (t *Text, err error) {
	k, err := hex.DecodeString(hash)
	if err != nil || len(k) != sha256.Size {
		return nil, nil
	}
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		t = sealed.Find(tx.Bucket(Texts), k, func(_, v []byte) (*Text, error) { return decodeText(v) })
		return nil
	})
	return t, err
}

// PutText stores what was read from a file.
func PutText(w *store.Workspace, hash string, t *Text) error {
	k, err := hex.DecodeString(hash)
	if err != nil || len(k) != sha256.Size {
		return fmt.Errorf("%q is no hash of a file", hash)
	}
	v, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return write(w, Texts, func(b sealed.Bucket) error { return b.Put(k, s2.Encode(nil, v)) })
}

func write(w *store.Workspace, bucket []byte, f func(sealed.Bucket) error) error {
	if store.ReadOnly(w) {
		return store.ErrReadOnly
	}
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(bucket); err != nil {
			return err
		}
		return f(tx.Bucket(bucket))
	})
}

func decode(k, v []byte) (*Row, error) {
	r := new(Row)
	if err := json.Unmarshal(v, r); err != nil {
		return nil, fmt.Errorf("%w: %v", errForm, err)
	}
	if want := store.KeyOf(r.URL); !bytes.Equal(k, want[:]) {
		return nil, errForm
	}
	switch r.State {
	case Wanted, Failed, Left:
		return r, nil
	case Kept:
		if sum, err := hex.DecodeString(r.Hash); err == nil && len(sum) == sha256.Size && path.Clean(r.File) == r.File && strings.HasPrefix(r.File, Folder+"/") {
			return r, nil
		}
	}
	return nil, errForm
}

// mostText is the longest text that is read back, in bytes of its JSON.
const mostText = 64 << 20

func decodeText(v []byte) (*Text, error) {
	if n, err := s2.DecodedLen(v); err != nil || n > mostText {
		return nil, errForm
	}
	b, err := s2.Decode(nil, v)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errForm, err)
	}
	t := new(Text)
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("%w: %v", errForm, err)
	}
	t.Unconverted = t.Unconverted || strings.HasPrefix(t.Why, unconvertedAsOld)
	return t, nil
}

// unconvertedAsOld begins the Why of Unconverted texts of programs that did not store that.
const unconvertedAsOld = "no converter for its format is installed"

// Check says what is wrong with a row of Bucket; nil when nothing is.
func Check(k, v []byte) error {
	_, err := decode(k, v)
	return err
}

// CheckText does the same with a row of Texts.
func CheckText(k, v []byte) error {
	if len(k) != sha256.Size {
		return errForm
	}
	_, err := decodeText(v)
	return err
}

// Keep writes a file into the folder, unless one with the same bytes is there, and
// returns its hash and its path below the workspace. ext ends the path, ".pdf" or "".
func Keep(w *store.Workspace, body []byte, ext string) (hash, file string, err error) {
	if store.ReadOnly(w) {
		return "", "", store.ErrReadOnly
	}
	sum := sha256.Sum256(body)
	hash = hex.EncodeToString(sum[:])
	file = Folder + "/" + hash[:2] + "/" + hash + ext
	to := Path(w, file)
	if st, err := os.Stat(to); err == nil && st.Size() == int64(len(body)) {
		return hash, file, nil
	}
	if err := modes.MakeFolder(filepath.Join(w.Dir(), Folder)); err != nil {
		return "", "", fmt.Errorf("cannot make %s (%w); check that you may write there", filepath.Join(w.Dir(), Folder), modes.Cause(err))
	}
	if err := modes.MakeFolder(filepath.Dir(to)); err != nil {
		return "", "", fmt.Errorf("cannot make %s (%w); check that you may write there", filepath.Dir(to), modes.Cause(err))
	}
	return hash, file, modes.Replace(to, body)
}

// Path is where a kept file lies.
func Path(w *store.Workspace, file string) string {
	return filepath.Join(w.Dir(), filepath.FromSlash(file))
}

// ErrGone says that a kept file is not there any more; test with errors.Is.
var ErrGone = errors.New("its file is gone from the folder attachments; fetch it again")

// Read returns a kept file's bytes, if they are still those that were kept.
func Read(w *store.Workspace, r *Row) ([]byte, error) {
	b, err := os.ReadFile(Path(w, r.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != r.Hash {
		return nil, fmt.Errorf("the file %s was changed since it was fetched", r.File)
	}
	return b, nil
}

// Any reports whether the text of any file was read.
func Any(w *store.Workspace) (some bool, err error) {
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		k, _ := tx.Bucket(Texts).Cursor().First()
		some = k != nil
		return nil
	})
	return some, err
}
