package records

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
)

// This file keeps the documents that notices link to: a row for each document, the texts of the
// files, and the files in a folder beside the database. Documents with the same bytes share a file.
// A file is complete under its hash before a row names it, so a kill leaves at most an unused file.

// The buckets of documents.
var (
	documentsBucket = []byte("documents") // the key of the address → Document, JSON
	TextsBucket     = []byte("doctexts")  // the hash of the file → DocumentText, JSON, compressed (S2)
)

// AttachmentsFolder holds the files, below the workspace's.
const AttachmentsFolder = "attachments"

// The states of a document. A document without a row was never requested.
const (
	DocumentWanted  = "wanted" // to be fetched
	DocumentKept    = "kept"   // its file is stored
	DocumentFailed  = "failed" // it could not be fetched, for good
	DocumentSkipped = "left"   // the rule excludes it: too long, beyond the budget …
)

// Document is one document.
type Document struct {
	URL     string    `json:"url"`
	Name    string    `json:"name,omitempty"` // as the notice names it
	Notices []uint64  `json:"notices,omitempty"`
	State   string    `json:"state"`
	Why     string    `json:"why,omitempty"`   // of DocumentFailed, DocumentSkipped, and DocumentWanted after a failure
	Asked   bool      `json:"asked,omitempty"` // by a person; false: by the rule
	At      time.Time `json:"at"`              // of the last change
	Fails   int       `json:"fails,omitempty"`
	Retry   time.Time `json:"retry,omitzero"` // earliest retry

	// Of DocumentKept:
	Hash string `json:"hash,omitempty"` // SHA-256 of the file, hexadecimal
	File string `json:"file,omitempty"` // path below the workspace, slashes
	Size int64  `json:"size,omitempty"`
	Kind string `json:"kind,omitempty"` // by content, see attachments.documentKind
}

// DocumentText is the text of a file.
type DocumentText struct {
	Version int    `json:"v"` // of the reader
	Text    string `json:"text,omitempty"`
	Pages   int    `json:"pages,omitempty"`
	Cut     string `json:"cut,omitempty"` // the bound that ended reading
	Why     string `json:"why,omitempty"` // why there is no text, for people

	// Unconverted means that no converter for the format was installed.
	Unconverted bool `json:"unconverted,omitempty"`
}

// maxDocumentText bounds a decompressed row, in bytes of JSON.
const maxDocumentText = 64 << 20

var (
	documents = table[string, Document]{bucket: documentsBucket, key: addressKey,
		sound: func(key []byte, d *Document) bool {
			switch d.State {
			case DocumentWanted, DocumentFailed, DocumentSkipped:
			case DocumentKept:
				if hashKey(d.Hash) == nil || path.Clean(d.File) != d.File ||
					!strings.HasPrefix(d.File, AttachmentsFolder+"/") {
					return false
				}
			default:
				return false
			}
			return bytes.Equal(key, addressKey(d.URL))
		}}
	documentTexts = table[string, DocumentText]{bucket: TextsBucket, key: hashKey, pack: packS2,
		unpack: unpackS2(maxDocumentText),
		sound: func(key []byte, t *DocumentText) bool {
			t.Unconverted = t.Unconverted || strings.HasPrefix(t.Why, unconvertedAsOld)
			return len(key) == sha256.Size
		}}
)

// unconvertedAsOld begins the Why of unconverted texts in rows that lack Unconverted.
const unconvertedAsOld = "no converter for its format is installed"

func addressKey(url string) []byte {
	k := schema.KeyOf(url)
	return k[:]
}

// hashKey returns the bytes of a hash; nil if the text is not one.
func hashKey(hash string) []byte {
	k, err := hex.DecodeString(hash)
	if err != nil || len(k) != sha256.Size {
		return nil
	}
	return k
}

// DocumentOf returns the row of an address, or nil.
func DocumentOf(db DB, url string) (*Document, error) { return documents.of(db, url) }

// DocumentsOf returns the rows of those addresses that have one.
func DocumentsOf(db DB, urls []string) (map[string]*Document, error) {
	out := map[string]*Document{}
	err := db.View(func(tx sealed.Tx) error {
		for _, u := range urls {
			if d := documents.in(tx).get(u); d != nil {
				out[u] = d
			}
		}
		return nil
	})
	return out, err
}

// Documents returns every row, ordered by the hash of its address.
func Documents(db DB) ([]*Document, error) { return documents.scan(db, nil) }

// PutDocuments stores rows.
func PutDocuments(db DB, list ...*Document) error {
	return documents.change(db, func(r rows[string, Document]) error {
		for _, d := range list {
			if err := r.put(d.URL, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// DocumentTextOf returns the text of a file; nil if none was extracted.
func DocumentTextOf(db DB, hash string) (*DocumentText, error) {
	if hashKey(hash) == nil {
		return nil, nil
	}
	return documentTexts.of(db, hash)
}

// PutDocumentText stores the text of a file.
func PutDocumentText(db DB, hash string, t *DocumentText) error {
	if hashKey(hash) == nil {
		return fmt.Errorf("%q is no hash of a file", hash)
	}
	return documentTexts.store(db, hash, t)
}

// AnyDocumentText reports whether a text of any file is stored.
func AnyDocumentText(db DB) (some bool, err error) {
	err = db.View(func(tx sealed.Tx) error {
		k, _ := documentTexts.in(tx).Cursor().First()
		some = k != nil
		return nil
	})
	return some, err
}

// KeepDocument writes a file into the folder of a workspace, unless one with the same bytes exists.
// It returns the hash and the path below the workspace. ext ends the path: ".pdf" or "". The
// workspace must be open for writing.
func KeepDocument(dir string, body []byte, ext string) (hash, file string, err error) {
	sum := sha256.Sum256(body)
	hash = hex.EncodeToString(sum[:])
	file = AttachmentsFolder + "/" + hash[:2] + "/" + hash + ext
	to := DocumentPath(dir, file)
	if st, err := os.Stat(to); err == nil && st.Size() == int64(len(body)) {
		return hash, file, nil
	}
	for _, folder := range []string{filepath.Join(dir, AttachmentsFolder), filepath.Dir(to)} {
		if err := modes.MakeFolder(folder); err != nil {
			return "", "", fmt.Errorf("cannot make %s (%w); check that you may write there", folder, modes.Cause(err))
		}
	}
	return hash, file, modes.Replace(to, body)
}

// DocumentPath returns the path of a stored file of a workspace.
func DocumentPath(dir, file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }

// ErrFileGone means that a stored file was removed; test with errors.Is.
var ErrFileGone = errors.New("its file is gone from the folder attachments; fetch it again")

// ReadDocument returns the bytes of a stored file, or an error if they changed.
func ReadDocument(dir string, d *Document) ([]byte, error) {
	b, err := os.ReadFile(DocumentPath(dir, d.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrFileGone
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != d.Hash {
		return nil, fmt.Errorf("the file %s was changed since it was fetched", d.File)
	}
	return b, nil
}
