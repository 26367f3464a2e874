package maintenance

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"angler/store"
	"angler/store/config"
	"angler/store/sealed"
)

// VerifyBackup reads an archive to its end, compares every byte with the manifest, and checks the
// inner pages of the database.
func VerifyBackup(ctx context.Context, path string) (*Manifest, error) {
	return verify(ctx, path, sealed.Branches)
}

func verify(ctx context.Context, path string, depth sealed.Depth) (*Manifest, error) {
	f, size, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var database *io.SectionReader
	m, err := read(ctx, f, size, func(name string, size int64, _ io.Reader) error {
		if name != store.DatabaseName {
			return nil
		}
		at, err := f.Seek(0, io.SeekCurrent)
		database = io.NewSectionReader(f, at, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	if r := sealed.InspectCopy(database, database.Size(), depth); len(r.Problems) > 0 {
		return nil, fmt.Errorf("%w: %s", store.ErrDamaged, r.Problems[0])
	}
	return m, nil
}

func openArchive(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

// read reads an archive of size bytes. It calls take with the name, size and content of each file,
// and skips content that take leaves. Nothing that take got is verified before read returns without
// an error.
func read(ctx context.Context, r io.Reader, size int64,
	take func(name string, size int64, r io.Reader) error) (*Manifest, error) {
	var found []backupFile
	seen := map[string]bool{}
	few := 0 // besides documents
	t := tar.NewReader(r)
	left := size // a sparse entry must not exceed the archive
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := t.Next()
		if err == io.EOF {
			return nil, fmt.Errorf("%w: its end is missing", ErrNotWhole)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrNotWhole, err)
		}
		if h.Typeflag != tar.TypeReg || h.Name != manifestName && !known(h.Name) {
			return nil, fmt.Errorf("%w: it holds %.100q, which is none of a workspace's files", ErrNotWhole, h.Name)
		}
		if left -= h.Size; h.Size < 0 || left < 0 || h.Name != store.DatabaseName && !document(h.Name) &&
			h.Size > maxSmall || few > maxFiles || len(found)-few > maxDocuments {
			return nil, fmt.Errorf("%w: %s is too long, or there are too many files", ErrNotWhole, h.Name)
		}
		if h.Name == manifestName {
			return closing(t, h.Size, found)
		}
		if seen[h.Name] {
			return nil, fmt.Errorf("%w: %s stands in it twice", ErrNotWhole, h.Name)
		}
		f, err := readFile(ctx, t, h, take)
		if err != nil {
			return nil, err
		}
		found, seen[h.Name] = append(found, f), true
		if !document(h.Name) {
			few++
		}
	}
}

// readFile passes one file to take and hashes it.
func readFile(ctx context.Context, t *tar.Reader, h *tar.Header,
	take func(string, int64, io.Reader) error) (backupFile, error) {
	sum := sha256.New()
	r := io.TeeReader(&interrupted{ctx, t}, sum)
	err := take(h.Name, h.Size, r)
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return backupFile{}, fmt.Errorf("%w: it ends within %s", ErrNotWhole, h.Name)
	}
	return backupFile{h.Name, h.Size, hexOf(sum)}, err
}

// closing reads the manifest, the last entry, and compares it.
func closing(t *tar.Reader, size int64, found []backupFile) (*Manifest, error) {
	if size > maxManifest {
		return nil, fmt.Errorf("%w: the manifest is too long", ErrNotWhole)
	}
	b, err := io.ReadAll(t)
	var m Manifest
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the manifest: %v", ErrNotWhole, err)
	}
	if _, err := t.Next(); err != io.EOF {
		return nil, fmt.Errorf("%w: something follows the manifest", ErrNotWhole)
	}
	for i, f := range found {
		if i >= len(m.Files) || m.Files[i] != f {
			return nil, fmt.Errorf("%w: %s is not what was written", ErrNotWhole, f.Name)
		}
	}
	if len(m.Files) != len(found) {
		return nil, fmt.Errorf("%w: %s is missing", ErrNotWhole, m.Files[len(found)].Name)
	}
	for _, name := range []string{store.DatabaseName, config.Name} {
		if !slices.ContainsFunc(found, func(f backupFile) bool { return f.Name == name }) {
			return nil, fmt.Errorf("%w: %s is missing", ErrNotWhole, name)
		}
	}
	if m.Schema > store.Schema {
		return nil, fmt.Errorf("%w (schema %d, this program knows %d); update angler", store.ErrNewer, m.Schema,
			store.Schema)
	}
	return &m, nil
}

// interrupted is a reader that ends with its context.
type interrupted struct {
	ctx context.Context
	r   io.Reader
}

func (x *interrupted) Read(p []byte) (int, error) {
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	return x.r.Read(p)
}
