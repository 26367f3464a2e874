package attachments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/store"
	"angler/store/modes"
	"angler/store/records"
)

// This file exports documents: lists of them, and copies of their files.

// Each calls f for every document of the notices that a filter selects, including documents without
// a request. A document of several notices is passed once for each.
func (k *Documents) Each(ctx context.Context, filter string, f func(*store.Notice, int) error) error {
	return k.Select(ctx, filter, func(n *store.Notice) error {
		for i := range n.Attachments {
			if err := f(n, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// Save copies the document files of the notices that a filter selects into a folder, and returns
// how many. Files get their notices' names as far as file systems allow. A file with equal bytes
// counts as written, and no file is replaced.
func (k *Documents) Save(ctx context.Context, filter, folder string) (n int, err error) {
	if err := modes.MakeFolder(folder); err != nil {
		return 0, fmt.Errorf("cannot make %s (%w)", folder, modes.Cause(err))
	}
	saved := map[string]bool{}
	err = k.Each(ctx, filter, func(x *store.Notice, i int) error {
		a := x.Attachments[i]
		row, err := records.DocumentOf(k.Store, a.URL)
		if err != nil || row == nil || row.State != records.DocumentKept || saved[row.Hash] {
			return err
		}
		saved[row.Hash] = true
		body, err := records.ReadDocument(k.Store.Dir(), row)
		if err != nil {
			return err
		}
		name := a.Name
		if strings.TrimSpace(name) == "" {
			name = nameOf(row)[strings.LastIndexByte(nameOf(row), '/')+1:]
		}
		if err := save(folder, fileName(name, documentKind(row.Kind)), body); err != nil {
			return err
		}
		n++
		return nil
	})
	return n, err
}

// save writes a file under an unused name.
func save(folder, name string, body []byte) error {
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for i := 1; i < 10_000; i++ {
		path := filepath.Join(folder, name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, modes.File)
		if err == nil {
			_, err = f.Write(body)
			if err = errors.Join(err, f.Close()); err != nil {
				os.Remove(path)
			}
			return err
		}
		if !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("cannot write %s (%w)", path, modes.Cause(err))
		}
		if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() && st.Size() == int64(len(body)) {
			if old, err := os.ReadFile(path); err == nil && string(old) == string(body) {
				return nil
			}
		}
		name = fmt.Sprintf("%s (%d)%s", stem, i+1, ext)
	}
	return fmt.Errorf("%s holds thousands of files called %s", folder, name)
}

// maxFileName bounds a file name, in bytes; file systems allow 255.
const maxFileName = 180

// fileName returns a document's name that is valid on every system: one path element without shell
// or Windows characters, no reserved name, and an ending that fits its content.
func fileName(name string, kind documentKind) string {
	name = htmldoc.CleanLine(strings.ToValidUTF8(name, ""), 300)
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	ext := filepath.Ext(name)
	if len(ext) < 2 || len(ext) > 6 || strings.ContainsAny(ext, " _") {
		ext = ""
	}
	stem := strings.Trim(strings.TrimSuffix(name, ext), " .-~")
	if want := kind.ext(); want != "" && !strings.EqualFold(ext, want) &&
		!(kind == DOC && strings.EqualFold(ext, ".wps") || kind == XLS && strings.EqualFold(ext, ".et")) {
		ext = want
	}
	for len(stem) > maxFileName {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = strings.TrimRight(stem[:len(stem)-size], " .")
	}
	switch base, _, _ := strings.Cut(strings.ToUpper(stem), "."); {
	case stem == "":
		stem = "document"
	case base == "CON", base == "PRN", base == "AUX", base == "NUL", len(base) == 4 &&
		(base[:3] == "COM" || base[:3] == "LPT") && base[3] >= '0' && base[3] <= '9':
		stem = "_" + stem
	}
	return stem + ext
}
