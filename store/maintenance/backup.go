// Package maintenance compacts the database of a workspace, writes backups and restores them.
package maintenance

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/schema"
	"angler/store/secrets"
)

// This file writes a workspace into one file and restores a workspace from it.
//
// The file is a tar archive that any tar can list. It holds crawl.db of one moment, angler.toml,
// the files of the dictionary, the server's keys, the key of the cookies and the files of
// documents. The last entry is manifest.json with the size and SHA-256 of each file; an archive
// without it is incomplete. A backup takes as long as copying the database. Commits go on
// meanwhile, but the file does not shrink (see store.Source.Copy).
//
// The danger is its secrets: the private key of the SSH server, the cookies of logins with their
// key and, in angler.toml, perhaps the password of a proxy and headers of hosts. So only its owner
// may read it. A backup without secrets has the cookies without their key, which makes them
// unreadable. No backup has the password files of [host].

// Manifest describes the content of an archive.
type Manifest struct {
	Angler string       `json:"angler"` // version that wrote it
	Schema int          `json:"schema"` // of the database
	Made   time.Time    `json:"made"`
	Files  []backupFile `json:"files"` // in the order of the archive

	// Counts are the numbers of rows of the database; nil in older archives.
	Counts *BackupCounts `json:"counts,omitempty"`

	// Secrets reports whether the archive has the server's private key, the key of the cookies and the
	// passwords of angler.toml.
	Secrets bool `json:"secrets"`
	// Attachments reports whether the archive has the files of documents.
	Attachments bool `json:"attachments"`
}

// BackupCounts are numbers of rows in a database.
type BackupCounts struct {
	URLs      int `json:"urls"`
	Pages     int `json:"pages"`
	Notices   int `json:"notices"`
	Decisions int `json:"decisions"` // logged
}

// countsOf counts the rows of a database.
func countsOf(src *store.Source) (*BackupCounts, error) {
	c := new(BackupCounts)
	for bucket, n := range map[string]*int{string(schema.URLs): &c.URLs, string(schema.Pages): &c.Pages,
		string(schema.Notices): &c.Notices, string(schema.Events): &c.Decisions} {
		var err error
		if *n, err = src.Rows([]byte(bucket)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// BackupPlan holds the options of a backup.
type BackupPlan struct {
	Now time.Time
	// Secrets includes the server's private key, the key of the cookies, and passwords and headers of
	// angler.toml. After a restore without them, the server has another key, hosts ask for a login
	// again, and the passwords and headers must be entered again.
	Secrets bool
	// NoAttachments leaves out the files of documents. The text read from them is in the database; the
	// files must be fetched again.
	NoAttachments bool
	Progress      func(done, total int64) // gets the bytes written and expected; nil: no progress
}

// backupFile is one file of a backup.
type backupFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // in hexadecimal
}

// Bytes returns the size of all files.
func (m *Manifest) Bytes() int64 {
	n := int64(0)
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

const manifestName = "manifest.json"

// Bounds of archives.
const (
	maxSmall    = 256 << 20 // a file other than the database and documents
	maxFiles    = 1000      // besides documents
	maxManifest = 1<<20 + maxDocuments*300
)

// ErrNotWhole means that an archive is cut off, changed, or of another program.
var ErrNotWhole = errors.New("this is no whole backup")

// WriteBackup writes a backup of a workspace.
func WriteBackup(ctx context.Context, src *store.Source, w io.Writer, p BackupPlan) (*Manifest, error) {
	x := newWriter(ctx, w, p, &Manifest{Angler: config.Version, Made: p.Now.UTC().Truncate(time.Second),
		Secrets: p.Secrets, Attachments: !p.NoAttachments})
	_, documents, err := x.documents(src.Dir)
	if err == nil {
		x.m.Counts, err = countsOf(src)
	}
	if err != nil {
		return x.finish(src.Dir, err)
	}
	err = src.Copy(func(size int64, schema int, from io.WriterTo) error {
		x.m.Schema, x.total = schema, size+documents
		return x.put(store.DatabaseName, size, from)
	})
	return x.finish(src.Dir, err)
}

// CompleteBackup writes a backup with the secrets of the workspace in dir. Its database comes from
// an archive without secrets: a server sends its workspace over a connection, but not its key.
// attachments includes the files of documents.
func CompleteBackup(ctx context.Context, archive, dir string, attachments bool, w io.Writer) (*Manifest, error) {
	f, size, err := openArchive(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	without, err := read(ctx, f, size, func(string, int64, io.Reader) error { return nil })
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	x := newWriter(ctx, w, BackupPlan{Secrets: true}, &Manifest{Angler: without.Angler, Made: without.Made,
		Schema: without.Schema, Counts: without.Counts, Secrets: true, Attachments: attachments})
	_, err = read(ctx, f, size, func(name string, size int64, r io.Reader) error {
		if name != store.DatabaseName {
			return nil
		}
		return x.put(name, size, readerTo{r})
	})
	return x.finish(dir, err)
}

// readerTo makes an io.WriterTo of a reader.
type readerTo struct{ r io.Reader }

func (r readerTo) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, r.r) }

// smallFiles lists the files of a workspace besides its database.
func smallFiles(dir string) ([]string, error) {
	var out []string
	for _, name := range []string{config.Name, store.HostKeyName, store.KeysName, store.CookieKeyName} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			out = append(out, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	list, err := os.ReadDir(filepath.Join(dir, store.DictDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range list {
		st, err := os.Stat(filepath.Join(dir, store.DictDir, e.Name()))
		if name := store.DictDir + "/" + e.Name(); err == nil && st.Mode().IsRegular() && known(name) {
			out = append(out, name)
		}
	}
	if len(out) > maxFiles {
		return nil, fmt.Errorf("%s holds %d files; a backup takes %d", filepath.Join(dir, store.DictDir), len(out),
			maxFiles)
	}
	return out, nil
}

// known reports whether a backup may hold a file of that name.
func known(name string) bool {
	switch name {
	case store.DatabaseName, config.Name, store.HostKeyName, store.KeysName, store.CookieKeyName:
		return true
	}
	base, ok := strings.CutPrefix(name, store.DictDir+"/")
	if document(name) {
		return true
	}
	return ok && base != "" && base[0] != '.' && len(base) < 256 && !strings.ContainsAny(base, "/\\:\x00") &&
		path.Clean(name) == name
}

// writer writes the archive; all bytes of tar pass its Write.
type writer struct {
	ctx      context.Context
	tar      *tar.Writer
	w        io.Writer
	m        *Manifest
	done     int64
	total    int64
	progress func(done, total int64)
}

func newWriter(ctx context.Context, w io.Writer, p BackupPlan, m *Manifest) *writer {
	x := &writer{ctx: ctx, m: m, progress: p.Progress, w: w}
	if x.progress == nil {
		x.progress = func(int64, int64) {}
	}
	x.tar = tar.NewWriter(x)
	return x
}

// finish adds the files of a folder and the manifest after the database, unless err is set.
func (x *writer) finish(dir string, err error) (*Manifest, error) {
	var small, kept []string
	if err == nil {
		small, err = smallFiles(dir)
	}
	if err == nil {
		kept, _, err = x.documents(dir)
	}
	for _, name := range slices.Concat(small, kept) {
		if err == nil && (x.m.Secrets || name != store.HostKeyName && name != store.CookieKeyName) {
			err = x.file(dir, name)
		}
	}
	if err == nil {
		err = x.manifest()
	}
	if err == nil {
		err = x.tar.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("the backup failed: %w", err)
	}
	return x.m, nil
}

func (x *writer) Write(p []byte) (int, error) {
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := x.w.Write(p)
	x.done += int64(n)
	x.progress(x.done, max(x.total, x.done))
	return n, err
}

func (x *writer) put(name string, size int64, from io.WriterTo) error {
	if err := x.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600,
		ModTime: x.m.Made}); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := from.WriteTo(io.MultiWriter(x.tar, sum))
	if err == nil && n != size {
		err = fmt.Errorf("%s changed its size while it was read", name)
	}
	if err != nil {
		return err
	}
	x.m.Files = append(x.m.Files, backupFile{name, size, hexOf(sum)})
	return nil
}

// file adds a file of the folder, unless it is a document that was deleted since it was listed.
func (x *writer) file(dir, name string) error {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if document(name) && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	switch {
	case err != nil:
		return err
	case st.Size() > maxSmall && !document(name):
		return fmt.Errorf("%s cannot be taken along: more than %d MB", f.Name(), maxSmall>>20)
	case name == config.Name && !x.m.Secrets:
		b, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		text := secrets.Redact(string(config.Redact(b)))
		return x.put(name, int64(len(text)), strings.NewReader(text))
	}
	return x.put(name, st.Size(), f)
}

func (x *writer) manifest() error {
	b, err := json.MarshalIndent(x.m, "", "  ")
	if err != nil {
		return err
	}
	if err := x.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: manifestName, Size: int64(len(b)), Mode: 0o600,
		ModTime: x.m.Made}); err != nil {
		return err
	}
	_, err = x.tar.Write(b)
	return err
}

func hexOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
